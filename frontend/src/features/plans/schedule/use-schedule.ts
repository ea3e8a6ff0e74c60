import i18next, { type ParseKeys } from 'i18next';
import { useState } from 'react';
import { call } from '@/api/call';
import { ApiError } from '@/api/errors';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { Plan, ScheduleRequest } from '@/api/types';
import { dayText } from '@/shared/days/days';
import { useDraft } from '@/shared/forms/use-draft';
import { useForm } from '@/shared/forms/use-form';
import { readHours, writeHours } from './hours';
import type { ScheduleValues } from './ScheduleFields';
import { isAhead } from './schedule-text';

type Kept = Pick<Plan, 'begins_at' | 'ends_at' | 'hours' | 'hours_zone'>;

export const noSchedule: Kept = { begins_at: null, ends_at: null, hours: null, hours_zone: null };

export function valuesOf({ begins_at, ends_at, hours }: Kept): ScheduleValues {
  return { begins_at: toLocal(begins_at), ends_at: toLocal(ends_at), hours: writeHours(hours) };
}

/**
 * The request. Hours stay in their time zone, which the form names; those of a plan that had none
 * are in that of this device.
 */
export function requestOf(values: ScheduleValues, before: Kept): ScheduleRequest {
  return {
    begins_at: fromLocal(values.begins_at, before.begins_at),
    ends_at: fromLocal(values.ends_at, before.ends_at),
    hours: readHours(values.hours),
    hours_zone: values.hours ? before.hours_zone : null,
  };
}

/** The problems that can be found before sending. */
export function problemsOf({ begins_at, ends_at, hours }: ScheduleValues) {
  const backwards = ends_at !== '' && begins_at !== '' && ends_at <= begins_at;
  const early = backwards ? ('plans.schedule.problem.too_early' as const) : null;
  return {
    begins_at: farAhead(begins_at),
    ends_at: farAhead(ends_at) ?? early,
    hours: hours && !hours.includes('1') ? ('plans.schedule.problem.never' as const) : null,
  };
}

/** A slip of the year makes it no moment that could be sent. */
function farAhead(typed: string) {
  const readable = typed === '' || fromLocal(typed, null) !== null;
  return readable ? null : ('plans.schedule.problem.too_far_ahead' as const);
}

const told = ['in_past', 'has_begun', 'too_far_ahead', 'too_early', 'never'];

/** The server's problems with start, end and hours. */
export function refusedAt(cause: unknown) {
  const fields = cause instanceof ApiError ? cause.fields : undefined;
  const known = Object.entries(fields ?? {}).filter(([, problem]) => told.includes(problem));
  const text = (problem: string) => i18next.t(`plans.schedule.problem.${problem}` as ParseKeys);
  return Object.fromEntries(known.map(([field, problem]) => [field, text(problem)]));
}

export function useScheduleForm(plan: Plan, onDone: () => void) {
  const send = (schedule: ScheduleRequest) =>
    call('POST', '/plan/order/schedule', { body: { id: plan.id, schedule }, inline: ['fields'] });
  const set = useInvalidatingMutation('steerPlan', send, { awaitRefetch: true });
  const [before] = useState(plan);
  const [values, keep, drop] = useDraft(`schedule ${plan.id}`, () => startingFrom(plan));
  return useForm({
    state: [values, keep],
    problems: problemsOf(values),
    send: async () => {
      await set.mutateAsync(requestOf(values, before));
      drop();
      onDone();
    },
    refusedAt,
  });
}

/** A start that is over is not shown as one. */
function startingFrom(plan: Plan): ScheduleValues {
  const values = valuesOf(plan);
  return isAhead(plan) ? values : { ...values, begins_at: '' };
}

/** A moment as a field for date and time shows it, by the clocks of this device: 2026-11-30T08:00. */
function toLocal(at: string | null): string {
  if (!at) return '';
  const moment = new Date(at);
  return `${dayText(moment)}T${moment.toTimeString().slice(0, 5)}`;
}

/** The moment that was typed; what was there before stays exact where it was not changed. */
function fromLocal(text: string, before: string | null): string | null {
  if (text === toLocal(before)) return before;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
