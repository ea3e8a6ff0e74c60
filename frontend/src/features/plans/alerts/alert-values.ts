import type { Body } from '@/api/contract/endpoints';
import type { PlanRule } from '@/api/types';

export type RuleKind = PlanRule['kind'];
export type AmountKind = Extract<RuleKind, 'conversion_cost' | 'no_conversion' | 'loss'>;
type RuleAction = PlanRule['action'];

export const ruleKinds = [
  'budget_used',
  'conversion_cost',
  'no_conversion',
  'loss',
  'not_shown',
] as const satisfies readonly RuleKind[];

export const actions = ['off', 'tell', 'pause'] as const satisfies readonly ('off' | RuleAction)[];

const withAmount: readonly RuleKind[] = ['conversion_cost', 'no_conversion', 'loss'];
export const comparesAmount = (kind: RuleKind): kind is AmountKind => withAmount.includes(kind);

/** What happens for each kind, and its amount, which is kept while it is off. */
type AlertValues = Record<`${RuleKind}_action` | AmountKind, string>;

export function valuesOf(rules: readonly PlanRule[]): AlertValues {
  const off = ruleKinds.map((kind) => [`${kind}_action`, 'off']);
  const nothing = withAmount.map((kind) => [kind, '']);
  const values: AlertValues = Object.fromEntries([...off, ...nothing]);
  for (const { kind, action, amount } of rules) {
    values[`${kind}_action`] = action;
    if (comparesAmount(kind)) values[kind] = amount ?? '';
  }
  return values;
}

const isOn = (values: AlertValues, kind: RuleKind) => values[`${kind}_action`] !== 'off';

export function requestOf(values: AlertValues): Body<'/plan/order/rules'>['rules'] {
  const on = ruleKinds.filter((kind) => isOn(values, kind));
  return on.map((kind) => ({
    kind,
    action: values[`${kind}_action`] as RuleAction,
    amount: comparesAmount(kind) ? values[kind] : null,
  }));
}

/** What can be said before it is sent. */
export function problemsOf(values: AlertValues) {
  const missing = (kind: AmountKind) =>
    isOn(values, kind) && values[kind] === '' ? ('fields.required' as const) : null;
  return {
    conversion_cost: missing('conversion_cost'),
    no_conversion: missing('no_conversion'),
    loss: missing('loss'),
  };
}
