import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { PlanDetail, PlanRule } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { useForm } from '@/shared/forms/use-form';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { SelectField } from '@/ui/form/SelectField';
import { Sheet } from '@/ui/layers/Sheet';
import { AmountField } from '@/ui/money/AmountField';
import { isRunning } from '../plan-status';
import styles from './Alerts.module.css';

/** The user's alerts for the running plan, and the form that changes them. */
export function Alerts({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const [open, setOpen] = useEntryState('alerts', false);
  if (!isRunning(plan) && !open) return null;
  const some = plan.rules.length > 0;
  const done = () => {
    setOpen(false);
    showToast(t('plans.alerts.saved'), 'success');
  };
  return (
    <div className={styles.alerts}>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('plans.alerts.title')}</h2>
        <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
          {t(some ? 'plans.alerts.change' : 'plans.alerts.set')}
        </Button>
      </div>
      {some ? (
        <ul className={styles.rows} aria-label={t('plans.alerts.title')}>
          {plan.rules.map((rule) => (
            <Row key={rule.kind} rule={rule} />
          ))}
        </ul>
      ) : (
        <p className={styles.note}>{t('plans.alerts.none')}</p>
      )}
      <Sheet open={open} onClose={() => setOpen(false)} title={t('plans.alerts.title')}>
        <AlertsForm plan={plan} onDone={done} />
      </Sheet>
    </div>
  );
}

function Row({ rule }: { rule: PlanRule }) {
  const { t } = useTranslation();
  const amount = rule.amount === null ? '' : formatMoney(rule.amount);
  return (
    <li className={styles.row}>
      <span>{t(`plans.alerts.line.${rule.kind}`, { amount })}</span>
      <span className={styles.note}>{t(`plans.alerts.action.${rule.action}`)}</span>
      {rule.crossed_at && (
        <strong className={styles.happened}>
          {t('plans.alerts.happened', { time: formatDateTime(rule.crossed_at) })}
        </strong>
      )}
    </li>
  );
}

function AlertsForm({ plan, onDone }: { plan: PlanDetail; onDone: () => void }) {
  const { t } = useTranslation();
  const { props, field } = useAlertsForm(plan, onDone);
  return (
    <Form {...props} submit={t('plans.alerts.save')}>
      <p className="intro">{t('plans.alerts.intro')}</p>
      {ruleKinds.map((kind) => (
        <KindFields key={kind} kind={kind} field={field} />
      ))}
    </Form>
  );
}

type Props = { kind: RuleKind; field: ReturnType<typeof useAlertsForm>['field'] };

function KindFields({ kind, field }: Props) {
  const { t } = useTranslation();
  const action = field(`${kind}_action`);
  const options = actions.map((value) => ({ value, label: t(`plans.alerts.action.${value}`) }));
  return (
    <div className={styles.kind}>
      <SelectField
        label={t(`plans.alerts.kind.${kind}`)}
        options={options}
        {...action}
        value={action.value as (typeof actions)[number]}
      />
      {action.value !== 'off' && comparesAmount(kind) && (
        <AmountField label={t(`plans.alerts.amount.${kind}`)} {...field(kind as AmountKind)} />
      )}
    </div>
  );
}

function useAlertsForm(plan: PlanDetail, onDone: () => void) {
  const send = (rules: ReturnType<typeof requestOf>) =>
    call('POST', '/plan/order/rules', { body: { id: plan.id, rules }, inline: ['fields'] });
  const set = useInvalidatingMutation('steerPlan', send, { awaitRefetch: true });
  const [values, keep, drop] = useDraft(`alerts ${plan.id}`, () => valuesOf(plan.rules));
  return useForm({
    state: [values, keep],
    problems: problemsOf(values),
    send: async () => {
      await set.mutateAsync(requestOf(values));
      drop();
      onDone();
    },
  });
}

type RuleKind = PlanRule['kind'];
type AmountKind = Extract<RuleKind, 'conversion_cost' | 'no_conversion' | 'loss'>;
type RuleAction = PlanRule['action'];

const ruleKinds = [
  'budget_used',
  'conversion_cost',
  'no_conversion',
  'loss',
  'not_shown',
] as const satisfies readonly RuleKind[];

const actions = ['off', 'tell', 'pause'] as const satisfies readonly ('off' | RuleAction)[];

const withAmount: readonly RuleKind[] = ['conversion_cost', 'no_conversion', 'loss'];
const comparesAmount = (kind: RuleKind): kind is AmountKind => withAmount.includes(kind);

/** The action of each kind of alert, and its amount, which is kept while the alert is off. */
type AlertValues = Record<`${RuleKind}_action` | AmountKind, string>;

function valuesOf(rules: readonly PlanRule[]): AlertValues {
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

function requestOf(values: AlertValues): Body<'/plan/order/rules'>['rules'] {
  const on = ruleKinds.filter((kind) => isOn(values, kind));
  return on.map((kind) => ({
    kind,
    action: values[`${kind}_action`] as RuleAction,
    amount: comparesAmount(kind) ? values[kind] : null,
  }));
}

/** The problems that can be found before sending. */
function problemsOf(values: AlertValues) {
  const missing = (kind: AmountKind) =>
    isOn(values, kind) && values[kind] === '' ? ('fields.required' as const) : null;
  return {
    conversion_cost: missing('conversion_cost'),
    no_conversion: missing('no_conversion'),
    loss: missing('loss'),
  };
}
