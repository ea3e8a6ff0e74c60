import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import type { BankCard, WithdrawMethod } from '@/api/types';
import { useKnownConfig } from '@/shared/config/known-config';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { Button } from '@/ui/controls/Button';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { showToast } from '@/ui/feedback/toast-store';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { useBindCard } from '../mutations';
import styles from './BindCardPage.module.css';
import {
  type CardField,
  type CardForm,
  cardOf,
  type FieldProblems,
  formOf,
  hasChanged,
  type Method,
  maskedNumber,
  placeOf,
  problemsOf,
} from './bank-card.schema';
import { CardFields } from './CardFields';

type Props = { card: BankCard | null; methods: WithdrawMethod[]; hasPassword: boolean };

/** The question whether to replace a card, or the transaction password, if one is set. */
type Step = 'replace' | 'password' | null;

export function BindCardForm({ card, methods, hasPassword }: Props) {
  const { t } = useTranslation();
  const [method, setMethod] = useState<Method>(card?.method ?? 'bank_card');
  const [form, setForm] = useState(() => formOf(card));
  const [problems, setProblems] = useState<FieldProblems>({});
  const [step, setStep] = useState<Step>(null);
  const bind = useBindCard();
  const simulated = useKnownConfig()?.data_source === 'simulated';
  const typed = cardOf(method, form);

  const errorOf = (name: CardField) => {
    const problem = problems[name];
    return problem ? t(problem) : serverError(bind.error, name);
  };
  const fieldProps = (name: CardField) => ({
    name,
    value: form[name],
    error: errorOf(name),
    onChange: (value: string) => {
      setForm((before: CardForm) => ({ ...before, [name]: value }));
      setProblems((before) => ({ ...before, [name]: undefined }));
    },
  });
  const save = async (password?: string) => {
    try {
      await bind.mutateAsync({ ...typed, ...(password && { password }) });
      // By now a new form has replaced this one.
      showToast(t('wallet.bound'), 'success');
    } catch {
      // The form shows the refusal and keeps what was typed.
      setStep(null);
    }
  };
  const confirm = () => {
    if (hasPassword) setStep('password');
    else void save();
  };
  const submit = () => {
    const found = problemsOf(method, form);
    setProblems(found);
    if (Object.keys(found).length) return;
    if (card) setStep('replace');
    else confirm();
  };
  return (
    <Card>
      <Tabs
        label={t('wallet.methodLabel')}
        tabs={methods.map(({ method: key, label }) => ({ key, label }))}
        value={method}
        onChange={(next) => {
          setMethod(next);
          setProblems({});
        }}
      >
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <CardFields
            method={method}
            card={card}
            networks={methods.find((one) => one.method === 'wallet_address')?.networks ?? []}
            fieldProps={fieldProps}
          />
          <RefusalNotice error={bind.error} />
          <Button type="submit" disabled={!hasChanged(method, form, card)} loading={bind.isPending}>
            {t(card ? 'wallet.rebind' : 'wallet.bind')}
          </Button>
        </form>
      </Tabs>
      <ConfirmDialog
        open={step === 'replace'}
        title={t('wallet.rebindTitle')}
        confirmLabel={t('wallet.rebind')}
        busy={bind.isPending}
        onConfirm={confirm}
        onClose={() => setStep(null)}
      >
        <p>{card && t('wallet.rebindText', { number: maskedNumber(card) })}</p>
        {/* A simulated installation has no waiting period. */}
        {!simulated && <p>{t('wallet.rebindHold')}</p>}
      </ConfirmDialog>
      <TransactionPasswordDialog
        open={step === 'password'}
        onClose={() => setStep(null)}
        onConfirm={save}
      >
        <Facts
          facts={[{ label: t('wallet.paidTo'), value: maskedNumber(typed), hint: placeOf(typed) }]}
        />
      </TransactionPasswordDialog>
    </Card>
  );
}

/** The server's code for a field, such as `invalid_phone`, in the reader's language. */
function serverError(error: Error | null, name: string): string | null {
  const code = error instanceof ApiError ? error.fields[name] : undefined;
  if (!code) return null;
  const known = [`wallet.payee.${code}`, `fields.${code}`].find((key) => i18next.exists(key));
  return i18next.t((known ?? 'fields.invalid') as 'fields.invalid');
}
