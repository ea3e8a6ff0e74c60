import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PlanDetail } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import { aPlan, aProperty } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const matching: PlanDetail = { ...aPlan, status: 'matching', started_at: null };
const workdays = [
  ...Array.from({ length: 5 }, () => '000000001111111111000000'),
  ...Array.from({ length: 2 }, () => '0'.repeat(24)),
];

function open(first: PlanDetail) {
  let plan = first;
  const api = fakeApi({
    'POST /plan/order/detail': () => plan,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/order/schedule': ({ body }) => {
      plan = { ...plan, ...(body as { schedule: Partial<PlanDetail> }).schedule };
      return plan;
    },
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/detail?id=42', aUser);
  return api;
}

async function openForm(button: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog', { name: 'When it is shown' }));
}

describe('when a plan is shown', () => {
  it('is at all hours at first, and in those that are chosen', async () => {
    const api = open(aPlan);
    expect(await screen.findByText('All hours')).toBeVisible();
    const form = await openForm('Set the times');
    expect(form.queryByLabelText('Start')).toBeNull();
    await userEvent.click(form.getByRole('radio', { name: 'Working hours' }));
    expect(form.getByText(/^Monday – Friday · 8:00.AM – 6:00.PM$/)).toBeVisible();
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await screen.findByText('Times saved')).toBeVisible();
    expect(api.to('/plan/order/schedule')[0]?.body).toEqual({
      id: '42',
      schedule: { begins_at: null, ends_at: null, hours: workdays, hours_zone: null },
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Change the times' })).toBeVisible();
  });

  it('has a start as long as nothing was shown, and an end after it', async () => {
    const api = open(matching);
    const form = await openForm('Set the times');
    await userEvent.type(form.getByLabelText('Start'), '2027-03-02T08:00');
    await userEvent.type(form.getByLabelText('End'), '2027-03-01T08:00');
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await form.findByText(/^The end must be later/)).toBeVisible();
    expect(api.to('/plan/order/schedule')).toEqual([]);
    await userEvent.clear(form.getByLabelText('End'));
    await userEvent.type(form.getByLabelText('End'), '2027-03-03T08:00');
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await screen.findByText('Times saved')).toBeVisible();
    expect(api.to('/plan/order/schedule')[0]?.body).toMatchObject({
      schedule: {
        begins_at: new Date('2027-03-02T08:00').toISOString(),
        ends_at: new Date('2027-03-03T08:00').toISOString(),
      },
    });
  });

  it('is not saved while its end is typed by half, which would be none', async () => {
    const api = open(aPlan);
    const form = await openForm('Set the times');
    const end = form.getByLabelText('End');
    // As browsers say of a day without a time.
    Object.defineProperty(end, 'validity', { value: { badInput: true } });
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await form.findByText(/^Not complete yet/)).toBeVisible();
    expect(end).toBeInvalid();
    expect(end).toHaveFocus();
    expect(api.to('/plan/order/schedule')).toEqual([]);
  });

  it('says that the plan began while its start was chosen', async () => {
    const api = open(matching);
    const form = await openForm('Set the times');
    api.answer('POST /plan/order/schedule', () => {
      return new Refusal(400, 'Wrong', { error: 'params', fields: { begins_at: 'has_begun' } });
    });
    await userEvent.type(form.getByLabelText('Start'), '2027-03-02T08:00');
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await form.findByText('The plan has already begun.')).toBeVisible();
  });

  it('keeps what was chosen while the form was closed', async () => {
    open(aPlan);
    const form = await openForm('Set the times');
    await userEvent.click(form.getByRole('radio', { name: 'Working hours' }));
    await userEvent.click(form.getByRole('button', { name: 'Close' }));
    const again = await openForm('Set the times');
    expect(again.getByRole('radio', { name: 'Working hours' })).toBeChecked();
  });

  it('says when it begins, opens again and ends', async () => {
    const begins = new Date(Date.now() + 86_400_000).toISOString();
    open({ ...matching, begins_at: begins, opens_at: begins, ends_at: '2099-01-01T00:00:00Z' });
    const texts = await screen.findAllByText(`Begins on ${formatDateTime(begins)}`);
    expect(texts).toHaveLength(2);
    expect(screen.getByText(`Ends on ${formatDateTime('2099-01-01T00:00:00Z')}`)).toBeVisible();
  });

  it('is paused until its hours begin', async () => {
    open({ ...aPlan, hours: workdays, hours_zone: 'UTC', opens_at: '2099-01-01T08:00:00Z' });
    const text = `Paused until ${formatDateTime('2099-01-01T08:00:00Z')}`;
    expect((await screen.findAllByText(text))[0]).toBeVisible();
    expect(screen.getByText('Working hours')).toBeVisible();
  });

  it('takes own hours for each day in their zone, and leaves those that it cannot show', async () => {
    const several = `11${'0'.repeat(20)}11`;
    const hours = [several, ...workdays.slice(1)];
    const api = open({ ...aPlan, hours, hours_zone: 'Asia/Kathmandu' });
    const form = await openForm('Change the times');
    expect(form.getByText('Several times on this day')).toBeVisible();
    expect(form.getByText('These hours are in the time zone Asia/Kathmandu.')).toBeVisible();
    await userEvent.click(form.getByRole('button', { name: /^Tuesday, until: 6:00/ }));
    await userEvent.click(await screen.findByRole('button', { name: /^8:00.PM$/ }));
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await screen.findByText('Times saved')).toBeVisible();
    expect(api.to('/plan/order/schedule')[0]?.body).toMatchObject({
      schedule: {
        hours: [several, '000000001111111111110000', ...hours.slice(2)],
        hours_zone: 'Asia/Kathmandu',
      },
    });
  });

  it('names no zone for all hours, and begins anew in that of the device', async () => {
    const api = open({ ...aPlan, hours: workdays, hours_zone: 'Asia/Kathmandu' });
    const form = await openForm('Change the times');
    await userEvent.click(form.getByRole('radio', { name: 'All hours' }));
    expect(form.queryByText(/^These hours are in the time zone/)).toBeNull();
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await screen.findByText('Times saved')).toBeVisible();
    expect(api.to('/plan/order/schedule')[0]?.body).toMatchObject({
      schedule: { hours: null, hours_zone: null },
    });
  });

  it('says at its field what is refused, and keeps what was typed', async () => {
    const api = open(aPlan);
    api.answer('POST /plan/order/schedule', () => {
      return new Refusal(400, 'Wrong', { error: 'params', fields: { ends_at: 'too_early' } });
    });
    const form = await openForm('Set the times');
    await userEvent.type(form.getByLabelText('End'), '2020-01-01T08:00');
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await form.findByText(/^The end must be later/)).toBeVisible();
    expect(form.getByLabelText('End')).toHaveValue('2020-01-01T08:00');
  });

  it('says so where no hour is between start and end', async () => {
    const api = open(aPlan);
    api.answer('POST /plan/order/schedule', () => {
      return new Refusal(400, 'Wrong', { error: 'params', fields: { hours: 'never' } });
    });
    const form = await openForm('Set the times');
    await userEvent.click(form.getByRole('radio', { name: 'Working hours' }));
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(
      await form.findByText('At least one hour must be open between start and end.'),
    ).toBeVisible();
  });

  it('is not there for a plan that has ended', async () => {
    open({ ...aPlan, status: 'settled' });
    await screen.findByRole('heading', { name: aPlan.product.name });
    expect(screen.queryByText('All hours')).toBeNull();
  });

  it('says why it was refused, where no field has to do with it', async () => {
    const api = open(aPlan);
    const error = 'plan_not_running';
    api.answer('POST /plan/order/schedule', () => new Refusal(405, 'It has ended', { error }));
    const form = await openForm('Set the times');
    await userEvent.click(form.getByRole('radio', { name: 'Working hours' }));
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await screen.findByText('It has ended')).toBeVisible();
  });

  it('drops no end whose year has a digit too many', async () => {
    const api = open(aPlan);
    const form = await openForm('Set the times');
    fireEvent.change(form.getByLabelText('End'), { target: { value: '20270-03-01T08:00' } });
    await userEvent.click(form.getByRole('button', { name: 'Save the times' }));
    expect(await form.findByText('This is more than a year ahead.')).toBeVisible();
    expect(api.to('/plan/order/schedule')).toEqual([]);
  });
});
