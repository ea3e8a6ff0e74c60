import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, Suspense } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { Link } from './Link';
import {
  currentPlace,
  goBack,
  hasPreviousPage,
  navigate,
  PlaceProvider,
  usePlace,
  useSearchParams,
} from './place';
import { Redirect } from './Redirect';

function Shown() {
  const { pathname, search, from } = usePlace();
  return <p>{`at ${pathname}${search} from ${from}`}</p>;
}

function show(children = <Shown />) {
  return render(<PlaceProvider>{children}</PlaceProvider>);
}

beforeEach(() => navigate('/start', { replace: true }));

describe('the place', () => {
  it('is what stands behind the hash, and "/" where nothing does', () => {
    expect(currentPlace()).toEqual({ pathname: '/start', search: '', from: null });
    window.history.replaceState(null, '', '#');
    expect(currentPlace().pathname).toBe('/');
  });

  it('moves on, and back again', async () => {
    show();
    const entries = window.history.length;
    act(() => navigate('/plan?id=1'));
    expect(screen.getByText('at /plan?id=1 from null')).toBeVisible();
    expect(hasPreviousPage()).toBe(true);
    expect(window.history.length).toBe(entries + 1);
    goBack();
    expect(await screen.findByText('at /start from null')).toBeVisible();
    expect(hasPreviousPage()).toBe(false);
  });

  it('replaces where it is told to, or would only stay', () => {
    show();
    const entries = window.history.length;
    act(() => navigate('/login', { replace: true, from: '/wallet?x=1' }));
    expect(screen.getByText('at /login from /wallet?x=1')).toBeVisible();
    act(() => navigate('/login'));
    expect(window.history.length).toBe(entries);
  });

  it('follows an address that was typed', async () => {
    show();
    window.location.hash = '#/typed';
    expect(await screen.findByText('at /typed from null')).toBeVisible();
  });

  it('keeps the page before in view until the next one is there', async () => {
    let arrive = () => {};
    const Late = lazy(
      () =>
        new Promise<{ default: () => React.ReactNode }>((done) => {
          arrive = () => done({ default: () => <p>late</p> });
        }),
    );
    const Pages = () => (usePlace().pathname === '/late' ? <Late /> : <p>early</p>);
    show(
      <Suspense fallback="blank">
        <Pages />
      </Suspense>,
    );
    act(() => navigate('/late'));
    expect(screen.getByText('early')).toBeVisible();
    expect(screen.queryByText('blank')).not.toBeInTheDocument();
    await act(async () => arrive());
    expect(await screen.findByText('late')).toBeVisible();
  });

  it('hands out its parameters as they were written, and replaces them', async () => {
    const address = 'https://example.com/?q=a%20b%26c';
    navigate(`/customer?url=${encodeURIComponent(address)}`, { replace: true });
    const Params = () => {
      const [params, setParams] = useSearchParams();
      return (
        <button type="button" onClick={() => setParams({ tab: 'used' })}>
          {params.get('url')}
        </button>
      );
    };
    show(<Params />);
    const entries = window.history.length;
    await userEvent.click(screen.getByRole('button', { name: address }));
    expect(window.location.hash).toBe('#/customer?tab=used');
    expect(window.history.length).toBe(entries);
  });
});

describe('a link', () => {
  it('leads on, and leaves a new tab to the browser', async () => {
    show(
      <>
        <Link to="/wallet">Wallet</Link>
        <Shown />
      </>,
    );
    const link = screen.getByRole('link', { name: 'Wallet' });
    expect(link).toHaveAttribute('href', '#/wallet');
    const stayed = (event: Event) => event.preventDefault();
    window.addEventListener('click', stayed);
    const user = userEvent.setup();
    await user.keyboard('{Control>}');
    await user.click(link);
    await user.keyboard('{/Control}');
    window.removeEventListener('click', stayed);
    expect(screen.getByText('at /start from null')).toBeVisible();
    await user.click(link);
    expect(screen.getByText('at /wallet from null')).toBeVisible();
  });
});

describe('a redirect', () => {
  it('takes the place of the page that was asked for', async () => {
    const entries = window.history.length;
    const Pages = () =>
      usePlace().pathname === '/start' ? <Redirect to="/login" from="/start" /> : <Shown />;
    show(<Pages />);
    await waitFor(() => expect(screen.getByText('at /login from /start')).toBeVisible());
    expect(window.history.length).toBe(entries);
  });
});
