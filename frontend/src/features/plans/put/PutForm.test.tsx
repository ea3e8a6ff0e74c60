import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeApi, Refusal } from '@/testing/api';
import { noResults } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aPlan, aProductToPut, aProperty, quoteWithoutCoupons } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const quote = 'POST /plan/order/quote';

function amountOf({ body }: { body: unknown }): string {
  return (body as { amount: string }).amount;
}

async function open(property: Partial<typeof aProperty> = {}) {
  const api = fakeApi({
    [quote]: (sent) => quoteWithoutCoupons(amountOf(sent)),
    'GET /plan/product/results': () => noResults,
    'POST /plan/order/app/detail': () => aProductToPut,
    'POST /plan/order/put': () => aPlan,
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/goods-detail?id=p1', aUser);
  await userEvent.click(await screen.findByRole('button', { name: 'Put amount' }));
  const sheet = within(screen.getByRole('dialog', { name: 'Put amount' }));
  await sheet.findByText(/Available: /);
  return { api, sheet };
}

describe('the form of an amount', () => {
  it('has a password set first, and is open again afterwards with all that was typed', async () => {
    const { api, sheet } = await open({ pay_password_set: false });
    api.answer('POST /set/password', () => ({}));
    expect(sheet.getByText(/You then come back here/)).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: 'Set transaction password' }));
    expect(sheet.getByText('Cannot be empty')).toBeVisible();
    await userEvent.click(sheet.getByRole('tab', { name: 'Landing page' }));
    await userEvent.type(sheet.getByLabelText('Amount'), '120');
    await userEvent.click(sheet.getByRole('button', { name: 'Set transaction password' }));
    await waitFor(() => expect(address()).toBe('/wallet/set-password'));
    api.answer('GET /user/property', () => ({ ...aProperty, pay_password_set: true }));
    for (const button of ['Next', 'Save password']) {
      await userEvent.type(await screen.findByLabelText('Enter your 6 digits'), '582913');
      await userEvent.click(screen.getByRole('button', { name: button }));
    }
    await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
    const again = within(await screen.findByRole('dialog', { name: 'Put amount' }));
    expect(again.getByLabelText('Amount')).toHaveValue('120');
    expect(again.getByRole('tab', { name: 'Landing page' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    expect(await again.findByRole('button', { name: 'Put amount' })).toBeEnabled();
  });

  it('is open and filled in for whoever comes back from a forgotten password', async () => {
    const { api, sheet } = await open();
    const wrong = { error: 'wrong_pay_password', attempts_left: 3 };
    api.answer('POST /check/password', () => new Refusal(405, 'Wrong', wrong));
    await userEvent.type(sheet.getByLabelText('Amount'), '120');
    await userEvent.click(await sheet.findByRole('button', { name: 'Put amount' }));
    await enterPassword('654321');
    const forgotten = { name: 'Forgot your transaction password?' };
    await userEvent.click(await screen.findByRole('link', forgotten));
    await waitFor(() => expect(address()).toBe('/wallet/set-password'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    window.history.back();
    const again = within(await screen.findByRole('dialog', { name: 'Put amount' }));
    expect(again.getByLabelText('Amount')).toHaveValue('120');
    expect(screen.queryByRole('dialog', { name: 'Transaction password' })).toBeNull();
    expect(api.to('/plan/order/put')).toHaveLength(0);
  });

  describe('of a plan that is put again on the page that is open', () => {
    const form = () => within(screen.getByRole('dialog', { name: 'Put amount' }));
    const close = async () => {
      await userEvent.click(form().getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    const again = async (amount: string) => {
      act(() => {
        window.location.hash = `#/plan/goods-detail?id=p1&again=${amount}`;
      });
      await screen.findByRole('dialog', { name: 'Put amount' });
      return form().getByLabelText('Amount');
    };

    it('is filled in, whatever it began with before', async () => {
      await open();
      await close();
      expect(await again('120')).toHaveValue('120');
      await close();
      expect(await again('200')).toHaveValue('200');
    });

    it('still has what was typed', async () => {
      const { sheet } = await open();
      await userEvent.type(sheet.getByLabelText('Amount'), '300');
      await close();
      expect(await again('120')).toHaveValue('300');
    });
  });

  it('says while one types what is wrong, but not before one has typed it', async () => {
    const { sheet } = await open();
    expect(sheet.getByText(/^The amount you put is set aside/)).toBeVisible();
    const range = () => sheet.queryByText(/Investment amount out of range/);
    const field = sheet.getByLabelText('Amount');
    await userEvent.type(field, '5');
    expect(range()).toBeNull();
    await waitFor(() => expect(range()).toBeVisible(), { timeout: 3000 });
    await userEvent.type(field, '0');
    await waitFor(() => expect(range()).toBeNull());
    await userEvent.type(field, '000');
    expect(range()).toBeVisible();
  });

  it('brings the amount into view where it is wrong', async () => {
    const { sheet } = await open();
    const scrolled: (string | null)[] = [];
    Element.prototype.scrollIntoView = function () {
      scrolled.push(this.getAttribute('inputmode'));
    };
    await userEvent.type(sheet.getByLabelText('Amount'), '7');
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    expect(sheet.getByLabelText('Amount')).toHaveFocus();
    expect(sheet.getByLabelText('Amount')).toBeInvalid();
    expect(scrolled).toEqual(['decimal']);
  });

  it('shows that it asks for the price that was not there when the button was pressed', async () => {
    const { api, sheet } = await open();
    let arrive = (_quote: object) => {};
    api.answer(quote, () => new Promise<object>((done) => (arrive = done)));
    await userEvent.type(sheet.getByLabelText('Amount'), '120');
    const button = sheet.getByRole('button', { name: 'Put amount' });
    await userEvent.click(button);
    await waitFor(() => expect(api.to('/plan/order/quote')).toHaveLength(1));
    expect(button).toHaveAttribute('aria-busy', 'true');
    arrive(quoteWithoutCoupons('120'));
    expect(await screen.findByRole('dialog', { name: 'Transaction password' })).toBeVisible();
    expect(button).not.toHaveAttribute('aria-busy');
  });

  it('says from the terms alone what an amount pays for and from when it pays back', async () => {
    const { sheet } = await open();
    expect(sheet.getByText('Enter an amount to see what it pays for.')).toBeVisible();
    await userEvent.click(sheet.getByRole('button', { name: '$500' }));
    expect(await sheet.findByText('at most 208,333')).toBeVisible();
    // 500.00 / (3.10 less 5 %), rounded up.
    expect(sheet.getByText('Conversions needed: 170')).toBeVisible();
    expect(sheet.getByText('$2.945 each, after the platform fee')).toBeVisible();
    expect(sheet.getByText(/depends on the audience/)).toBeVisible();
  });

  it('says so where a coupon and credit pay all of it', async () => {
    const { api, sheet } = await open();
    api.answer(quote, (sent) => ({
      ...quoteWithoutCoupons(amountOf(sent)),
      available_pays: '0.00',
      promotional_pays: amountOf(sent),
    }));
    await userEvent.click(sheet.getByRole('button', { name: '$100' }));
    expect(await sheet.findByText('At once: none of it is your own money')).toBeVisible();
  });

  it('says so where the fee takes all', async () => {
    const { api, sheet } = await open();
    api.answer(quote, (sent) => ({ ...quoteWithoutCoupons(amountOf(sent)), fee_rate: '1' }));
    await userEvent.click(sheet.getByRole('button', { name: '$100' }));
    expect(await sheet.findByText('Not on these terms')).toBeVisible();
  });
});
