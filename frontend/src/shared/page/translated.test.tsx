import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { bearTranslation } from './translated';

bearTranslation();

/** As Chrome does it: each text gives way to an element, and is kept by nobody but React. */
async function translate(root: Element) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts.filter(({ parentElement }) => parentElement?.tagName !== 'FONT')) {
    const font = document.createElement('font');
    font.textContent = `«${text.data}»`;
    text.replaceWith(font);
  }
  // What observes it has heard of it.
  await act(async () => {});
}

type Props = { count: number; more?: boolean; first?: boolean };

function Page({ count, more = false, first = false }: Props) {
  return (
    <p data-testid="page">
      {first && <b>New: </b>}
      {count} of {12} plans
      {more && ', and more'}
    </p>
  );
}

const page = () => screen.getByTestId('page');

it('shows what changes after the page was translated, and takes away what goes', async () => {
  const failed = vi.spyOn(console, 'error');
  const { rerender } = render(<Page count={3} more />);
  await translate(page());
  expect(page()).toHaveTextContent('«3»« of »«12»« plans»«, and more»');
  rerender(<Page count={4} more />);
  await vi.waitFor(() => expect(page()).toHaveTextContent('4« of »«12»« plans»«, and more»'));
  await translate(page());
  rerender(<Page count={4} />);
  expect(page()).toHaveTextContent('«4»« of »«12»« plans»');
  rerender(<Page count={4} first />);
  expect(page()).toHaveTextContent('New: 4« of »«12»« plans»');
  expect(failed).not.toHaveBeenCalled();
});
