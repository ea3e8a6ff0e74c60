import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError, NetworkError } from '@/api/errors';
import type { AcceptorDetail, AcceptorType } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { TextField } from '@/ui/form/TextField';
import { AcceptorList } from './AcceptorList';
import { codeProblem } from './code-problem';
import styles from './ExchangeForm.module.css';
import { useAcceptor } from './mutations';

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
