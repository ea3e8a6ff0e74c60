import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adCenterAnswers } from '@/testing/answers';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';
import { wideScreen } from '@/testing/wide-screen';

function open(at: string, wide: boolean) {
  wideScreen(wide);
  fakeApi({
    ...adCenterAnswers,
    'GET /user/sessions': () => [],
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
  });
  renderApp(at, aUser);
}

const theNav = () => screen.findByRole('navigation', { name: 'Main pages' });
const press = async (name: string) =>
  userEvent.click(within(await theNav()).getByRole('link', { name }));

describe('the main pages', () => {
  it('are on a page below only where there is room at the side', async () => {
    open('/me/sessions', false);
    await screen.findByRole('heading', { name: 'Logged-in devices' });
    expect(screen.queryByRole('navigation', { name: 'Main pages' })).toBeNull();
    wideScreen(true);
    const me = within(await theNav()).getByRole('link', { name: 'Me' });
    expect(me).toHaveAttribute('aria-current', 'true');
    expect(screen.queryAllByRole('link', { current: 'page' })).toEqual([]);
  });

  it('are a step on from a page below, and a step back to where it came from', async () => {
    open('/ad-center', true);
    await press('Me');
    await waitFor(() => expect(address()).toBe('/me'));
    await userEvent.click(await screen.findByRole('link', { name: /Logged-in devices/ }));
    await screen.findByRole('heading', { name: 'Logged-in devices' });
    const steps = window.history.state.idx;
    await press('Plans');
    await waitFor(() => expect(address()).toBe('/plan'));
    await waitFor(() => expect(window.history.state.idx).toBe(steps + 1));
    window.history.back();
    await screen.findByRole('heading', { name: 'Logged-in devices' });
    await press('Me');
    await waitFor(() => expect(address()).toBe('/me'));
    await waitFor(() => expect(window.history.state.idx).toBe(steps - 1));
  });
});
