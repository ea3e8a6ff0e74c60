import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ClaimedKey, ClaimLink } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { renderApp } from '@/testing/render-app';

const seen: ClaimLink = {
  name: 'Aurora Coffee',
  kind: 'advertiser_key',
  state: 'open',
  until: '2026-12-20T20:00:00Z',
  claimed_at: null,
};

const claimed: ClaimedKey = {
  name: 'Aurora Coffee',
  kind: 'advertiser_key',
  advertiser_id: '3',
  key: 'ab'.repeat(32),
  fingerprint: '3f2a 91bc 04de 77a1 5c0b',
};

const link = 'cd'.repeat(32);

function open(answers: Parameters<typeof fakeApi>[0] = {}, path = `/claim?link=${link}`) {
  const api = fakeApi({
    'POST /claim/look': () => seen,
    'POST /claim/open': () => claimed,
    ...answers,
  });
  renderApp(path);
  return api;
}

describe('the page of a key', () => {
  it('shows the key once, after somebody has asked for it', async () => {
    const api = open();
    expect(await screen.findByText('Aurora Coffee')).toBeInTheDocument();
    expect(api.to('/claim/open')).toHaveLength(0);
    expect(screen.queryByText(claimed.key)).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show the key' }));
    expect(await screen.findByText(claimed.key)).toBeInTheDocument();
    expect(screen.getByText(claimed.fingerprint)).toBeInTheDocument();
    expect(screen.getByText('Your advertiser ID')).toBeInTheDocument();
    expect(api.to('/claim/open').map(({ body }) => body)).toEqual([{ link }]);
    expect(screen.queryByRole('button', { name: 'Show the key' })).not.toBeInTheDocument();
  });

  it('gives an exchange the address that it calls', async () => {
    open({
      'POST /claim/look': () => ({ ...seen, kind: 'ssp_key' }),
      'POST /claim/open': () => ({ ...claimed, kind: 'ssp_key', advertiser_id: null }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Show the key' }));
    const address = `${window.location.origin}/openrtb2/bid/${claimed.key}`;
    expect(await screen.findByText(address)).toBeInTheDocument();
    expect(screen.queryByText('Your advertiser ID')).not.toBeInTheDocument();
  });

  it('says when somebody else has opened the link', async () => {
    open({
      'POST /claim/look': () => ({ ...seen, state: 'used', claimed_at: '2026-12-14T08:00:00Z' }),
    });
    expect(await screen.findByText('The key has been shown already')).toBeInTheDocument();
    expect(screen.getByText(/If it was not you/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show the key' })).not.toBeInTheDocument();
  });

  it('says so when somebody opens it at the same moment', async () => {
    let used = false;
    open({
      'POST /claim/look': () => (used ? { ...seen, state: 'used', claimed_at: seen.until } : seen),
      'POST /claim/open': () => {
        used = true;
        return new Refusal(405, 'Opened already', { error: 'claim_used' });
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Show the key' }));
    expect(await screen.findByText('The key has been shown already')).toBeInTheDocument();
  });

  it('tells what became of a link that does not work', async () => {
    open({ 'POST /claim/look': () => new Refusal(405, 'Not found', { error: 'not_found' }) });
    expect(await screen.findByText('This link does not work')).toBeInTheDocument();
  });

  it('asks again after a lost connection', async () => {
    let lost = true;
    open({ 'POST /claim/look': () => (lost ? lostConnection() : seen) });
    const again = await screen.findByRole('button', { name: /reload/i });
    lost = false;
    await userEvent.click(again);
    await waitFor(() => expect(screen.getByText('Aurora Coffee')).toBeInTheDocument());
  });

  it('needs a link', async () => {
    open({}, '/claim');
    expect(await screen.findByText('This link does not work')).toBeInTheDocument();
  });
});
