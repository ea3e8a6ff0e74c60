import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NetworkError } from '@/api/errors';
import type { AcceptorDetail, AcceptorType, Currency } from '@/api/types';
import { Button } from '@/ui/controls/Button';
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
  currency: Currency;
};

const types = ['personal', 'enterprise'] as const;

/** The type of acceptor, and the code given by one of them. */
export function AcceptorForm({ entry, onChange, onFound, currency }: Props) {
  const { t } = useTranslation();
  const acceptor = useAcceptor();
  const [empty, setEmpty] = useState(false);
  const code = entry.code.trim();
  const change = (next: Entry) => {
    setEmpty(false);
    acceptor.reset();
    onChange(next);
  };
  const submit = () => {
    if (acceptor.isPending) return;
    setEmpty(!code);
    if (code) acceptor.mutate({ type: entry.type, code }, { onSuccess: onFound });
  };
  const error = empty ? t('exchange.problem.required') : codeError(acceptor.error, t);
  return (
    <Card title={t('exchange.choose')}>
      <Tabs
        label={t('exchange.choose')}
        tabs={types.map((key) => ({ key, label: t(`exchange.type.${key}`) }))}
        value={entry.type}
        onChange={(type: AcceptorType) => change({ ...entry, type })}
      >
        <div className={styles.form}>
          <AcceptorList type={entry.type} currency={currency} />
          <form
            className={styles.form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <TextField
              label={t('exchange.code')}
              hint={t('exchange.codeHint')}
              error={error}
              value={entry.code}
              onChange={(typed) => change({ ...entry, code: typed })}
              name="acceptance_code"
              autoComplete="off"
              autoCapitalize="none"
              maxLength={64}
            />
            <Button type="submit" loading={acceptor.isPending}>
              {t('exchange.showRates')}
            </Button>
          </form>
        </div>
      </Tabs>
    </Card>
  );
}

/** The code field's error; others are reported where they happen. */
function codeError(error: Error | null, t: Parameters<typeof codeProblem>[1]): string | null {
  if (error instanceof NetworkError || error instanceof ApiError) return codeProblem(error, t);
  return null;
}
