import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeApi, lostConnection } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const config = 'GET /basic_config';
const faq_config = [
  { id: 'recharge', question: 'How do I recharge?', answer: 'Through customer service.' },
  { id: 'results', question: 'What can I expect?', answer: 'About 30-50 conversions in 7 days.' },
];

function api(changed = {}) {
  return fakeApi({
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    [config]: () => ({ ...aConfig, faq_config }),
    ...changed,
  });
}

describe('the questions', () => {
  it('are listed and lead to their answers', async () => {
    const { to } = api();
    renderApp('/ad-center/questions', aUser);
    await userEvent.click(await screen.findByRole('link', { name: 'How do I recharge?' }));
    expect(address()).toBe('/ad-center/ques-detail?id=recharge');
    expect(await screen.findByRole('heading', { name: 'How do I recharge?' })).toBeVisible();
    expect(screen.getByText('Through customer service.')).toBeVisible();
    expect(to('/basic_config')[0]?.query.get('lang')).toBe('en');
  });

  it('lead to customer service', async () => {
    api();
    renderApp('/ad-center/questions', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Ask customer service' }));
    expect(await screen.findByRole('dialog', { name: 'Customer service' })).toBeVisible();
  });

  it('can be asked for again after a lost connection', async () => {
    const fake = api({ [config]: lostConnection });
    renderApp('/ad-center/questions', aUser);
    const again = await screen.findByRole('button', { name: 'Reload' });
    fake.answer(config, () => ({ ...aConfig, faq_config }));
    await userEvent.click(again);
    expect(await screen.findByRole('link', { name: 'How do I recharge?' })).toBeVisible();
  });

  it('say when there are none', async () => {
    api({ [config]: () => ({ ...aConfig, faq_config: [] }) });
    renderApp('/ad-center/questions', aUser);
    expect(await screen.findByText('No questions yet')).toBeVisible();
  });
});

describe('one question', () => {
  it('marks the figure of experience as no promise', async () => {
    api();
    renderApp('/ad-center/ques-detail?id=results', aUser);
    expect(await screen.findByText(/30-50 conversions/)).toBeVisible();
    expect(screen.getByText(/yours may be different/)).toBeVisible();
  });

  it('claims no such thing of the others, and lists them', async () => {
    api();
    renderApp('/ad-center/ques-detail?id=recharge', aUser);
    await screen.findByText('Through customer service.');
    expect(screen.queryByText(/yours may be different/)).not.toBeInTheDocument();
    const others = within(screen.getByRole('list', { name: 'Other questions' }));
    expect(others.getAllByRole('link')).toHaveLength(1);
    expect(others.getByRole('link', { name: 'What can I expect?' })).toBeVisible();
  });

  it('has neither language switch nor bell', async () => {
    api();
    renderApp('/ad-center/ques-detail?id=recharge', aUser);
    await screen.findByText('Through customer service.');
    expect(screen.queryByRole('button', { name: 'Language' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Notifications/ })).not.toBeInTheDocument();
  });

  it('leads to the list when it is gone', async () => {
    api();
    renderApp('/ad-center/ques-detail?id=old', aUser);
    await userEvent.click(await screen.findByRole('link', { name: 'See all questions' }));
    expect(address()).toBe('/ad-center/questions');
  });
});

describe('the operation rules', () => {
  it.each([
    'Plans',
    'Billing',
    'Settlement',
    'Fees',
    'Recharges',
    'Withdrawals',
    'Promotional credit and coupons',
    'Transaction password',
  ])('tell about %s', async (title) => {
    api();
    renderApp('/ad-center/rules', aUser);
    expect(await screen.findByRole('heading', { name: title, level: 2 })).toBeVisible();
  });

  it('show today’s withdrawal fees, and promise nothing', async () => {
    const methods = [
      { method: 'bank_card', label: 'Bank account', networks: [], fee_rate: '0.0125' },
    ];
    api({ [config]: () => ({ ...aConfig, withdraw_method_config: methods }) });
    renderApp('/ad-center/rules', aUser);
    expect(await screen.findByText('1.25%')).toBeVisible();
    expect(screen.getByText(/can know in advance/)).toBeVisible();
  });
});
