import { act, render, screen } from '@testing-library/react';
import { useEffect, useRef } from 'react';
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { useHeadingFocus } from './use-heading-focus';

function Frame() {
  useHeadingFocus(useLocation().pathname);
  return (
    <>
      <h1>Heading</h1>
      <Outlet />
    </>
  );
}

/** As somebody who is quick, or the page's own code. */
function InUse() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return <input ref={input} />;
}

function open() {
  const router = createMemoryRouter([
    {
      element: <Frame />,
      children: [
        { path: '/', element: null },
        { path: '/plain', element: <input /> },
        { path: '/in-use', element: <InUse /> },
      ],
    },
  ]);
  render(<RouterProvider router={router} />);
  return (path: string) => act(() => router.navigate(path));
}

it('focuses the heading of a page that is opened', async () => {
  await open()('/plain');
  expect(screen.getByRole('heading')).toHaveFocus();
});

it('takes the focus from no field that is in use as soon as the page stands', async () => {
  await open()('/in-use');
  expect(screen.getByRole('textbox')).toHaveFocus();
});
