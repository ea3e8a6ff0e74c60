import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { renderApp } from '@/testing/render-app';
import { aReportBySite, noFigures } from '@/testing/report-data';
import { placementOf } from './ReportTable';

function open() {
  const api = fakeApi({
    'GET /report': () => aReportBySite,
    'POST /plan/placement/exclude': () => ({ exclusions: [] }),
    'POST /plan/placement/include': () => ({ exclusions: [] }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/report?by=placement', aUser);
  return api;
}

async function exclude(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Exclude ${name}` }));
  const sheet = within(await screen.findByRole('dialog', { name: `Exclude “${name}”?` }));
  expect(sheet.getByText(/^None of your plans will be shown there/)).toBeVisible();
  expect(sheet.queryByRole('button', { name: 'For this plan' })).toBeNull();
  await userEvent.click(sheet.getByRole('button', { name: 'For all my plans' }));
}

describe('a place in a report', () => {
  it('is excluded for all plans, and taken back', async () => {
    const api = open();
    await exclude('games.example');
    expect(await screen.findByText('games.example is excluded')).toBeVisible();
    expect(api.to('/plan/placement/exclude')[0]?.body).toEqual({ site: 'games.example' });
    await userEvent.click(screen.getByRole('button', { name: 'Show in games.example again' }));
    expect(await screen.findByText('games.example is no longer excluded')).toBeVisible();
    expect(api.to('/plan/placement/include')[0]?.body).toEqual({ site: 'games.example' });
    expect(screen.getByRole('button', { name: 'Exclude games.example' })).toBeVisible();
  });

  it('is taken back at once where it is said', async () => {
    const api = open();
    await exclude('games.example');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('games.example is no longer excluded')).toBeVisible();
    expect(api.to('/plan/placement/include').map(({ body }) => body)).toEqual([
      { site: 'games.example' },
    ]);
    expect(screen.getByRole('button', { name: 'Exclude games.example' })).toBeVisible();
  });

  it('is a slot by its key', async () => {
    const api = open();
    await exclude('The Daily');
    await waitFor(() =>
      expect(api.to('/plan/placement/exclude')[0]?.body).toEqual({ slot: 'news-top' }),
    );
  });

  it('stays as it is if the server refuses', async () => {
    const api = open();
    const text = 'You can exclude at most 100 places.';
    api.answer('POST /plan/placement/exclude', () => {
      return new Refusal(405, text, { error: 'exclusions_full', most: 100 });
    });
    await exclude('The Daily');
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Exclude The Daily' })).toBeVisible();
  });

  it.each([
    ['what is unknown', 'unknown', 'Unknown', null],
    ['all others', 'others', 'Others', null],
  ])('is not %s', (_, key, name, detail) => {
    const row = { ...noFigures, before: noFigures, key, name, detail };
    expect(placementOf('placement', row)).toBeNull();
  });

  it('is all of an exchange where that named no site', () => {
    const named = { key: '9', name: 'Bright Exchange', detail: null };
    const row = { ...noFigures, before: noFigures, ...named };
    expect(placementOf('placement', row)).toEqual({ exchange: 'Bright Exchange' });
  });

  it('is a site also where the name has spaces, as those of apps do', () => {
    const named = { name: 'Kite Game 2', detail: 'Bright Exchange' };
    const row = { ...noFigures, before: noFigures, key: '9 Kite Game 2', ...named };
    expect(placementOf('placement', row)).toEqual({ site: 'Kite Game 2' });
    // A plan's number is no slot's.
    expect(placementOf('plan', { ...row, key: '9', name: 'Boots', detail: 'P123' })).toBeNull();
  });
});
