import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError, NetworkError } from '@/api/errors';
import type { AcceptorDetail, AcceptorType } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { IconDisc } from '@/ui/display/IconDisc';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { TextField } from '@/ui/form/TextField';
import { TeamPicture } from '@/ui/illustrations/TeamPicture';
import { codeProblem } from './code-problem';
import styles from './ExchangeForm.module.css';
import { useAcceptor } from './mutations';
import { acceptorsQuery } from './queries';

export type Entry = { type: AcceptorType; code: string };

type Props = {
  entry: Entry;
  onChange: (entry: Entry) => void;
  onFound: (acceptor: AcceptorDetail) => void;
};

const types = ['personal', 'enterprise'] as const;

/** The type of acceptor, and the code given by one of them. */
export function AcceptorForm({ entry, onChange, onFound }: Props) {
  const { t } = useTranslation();
  const acceptor = useAcceptor();
  const code = entry.code.trim();
  const form = useForm({
    state: [entry, onChange],
    problems: { code: code ? null : 'exchange.problem.required' },
    send: async () => onFound(await acceptor.mutateAsync({ type: entry.type, code })),
    refusedAt: (failure) => ({ code: codeError(failure, t) }),
  });
  return (
    <Card title={t('exchange.choose')}>
      <Tabs
        label={t('exchange.choose')}
        tabs={types.map((key) => ({ key, label: t(`exchange.type.${key}`) }))}
        value={entry.type}
        onChange={(type: AcceptorType) => {
          form.clear();
          onChange({ ...entry, type });
        }}
      >
        <div className={styles.form}>
          <AcceptorList type={entry.type} />
          <Form {...form.props} className={styles.form} submit={t('exchange.showRates')}>
            <TextField
              label={t('exchange.code')}
              hint={t('exchange.codeHint')}
              {...form.field('code')}
              name="acceptance_code"
              autoComplete="off"
              autoCapitalize="none"
            />
          </Form>
        </div>
      </Tabs>
    </Card>
  );
}

/** The code field's error; others are reported where they happen. */
function codeError(error: unknown, t: TFunction): string {
  const known = error instanceof NetworkError || error instanceof ApiError;
  return (known && codeProblem(error, t)) || '';
}

/** The acceptors, their currencies and limits: each gives out its own code. */
function AcceptorList({ type }: { type: AcceptorType }) {
  const { t } = useTranslation();
  const acceptors = useQuery(acceptorsQuery(type));
  if (!acceptors.data) return <Unanswered of={acceptors} meanwhile={<CardSkeleton lines={2} />} />;
  if (!acceptors.data.length) {
    return (
      <EmptyState
        picture={<TeamPicture />}
        title={t('exchange.nobody')}
        description={t('exchange.nobodyHint')}
      />
    );
  }
  return (
    <ul className={styles.list} aria-label={t(`exchange.type.${type}`)}>
      {acceptors.data.map(({ id, name, limit, currencies }) => (
        <li key={id} className={styles.row}>
          <IconDisc name={type === 'personal' ? 'user' : 'bank'} />
          <span className={styles.text}>
            <span className={styles.acceptorListName}>{name}</span>
            <span className={styles.acceptorListDetail}>
              {t('exchange.upTo', { amount: formatMoney(limit) })}
            </span>
            <span className={styles.acceptorListDetail}>{currencies.join(' · ')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
