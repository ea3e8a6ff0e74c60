import { useQueryClient } from '@tanstack/react-query';
import i18next, { type ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { ApiError } from '@/api/errors';
import { useCachedConfig } from '@/api/queries/cached-config';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { BankCard, WithdrawMethod } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { useForm } from '@/shared/forms/use-form';
import { moneyRefusals, RefusalNotice } from '@/shared/money/RefusalNotice';
import { Button } from '@/ui/controls/Button';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { showToast } from '@/ui/feedback/toast-store';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import {
  type CardForm,
  type CardToBind,
  cardOf,
  formOf,
  hasChanged,
  type Method,
  maskedNumber,
  placeOf,
  problemsOf,
} from './bank-card.schema';
import { CardFields } from './CardFields';

type Props = {
  card: BankCard | null;
  methods: WithdrawMethod[];
  hasPassword: boolean;
  onDone: () => void;
};

type Draft = CardForm & { method: Method | null };

/** The question whether to replace a card, or the transaction password, if one is set. */
type Step = 'replace' | 'password' | null;

export function BindCardForm({ card, methods, hasPassword, onDone }: Props) {
  const { t } = useTranslation();
  const [draft, keep, drop] = useDraft<Draft>('bind card', () => ({
    method: card?.method ?? null,
    ...formOf(card),
  }));
  // A method or network of the draft may be offered no more.
  const { method: chosen, ...kept } = draft;
  const offered = methods.find((one) => one.method === chosen) ?? methods[0];
  const method = offered?.method ?? 'bank_card';
  const networks = methods.find((one) => one.method === 'wallet_address')?.networks ?? [];
  const values = { ...kept, network: networks.includes(kept.network) ? kept.network : '' };
  const [step, setStep] = useState<Step>(null);
  const bind = useBindCard();
  const simulated = useCachedConfig()?.data_source === 'simulated';
  const typed = cardOf(method, values);

  const save = async (password?: string) => {
    try {
      await bind.mutateAsync({ ...typed, ...(password && { password }) });
      drop();
      // By now a new form has replaced this one.
      showToast(t('wallet.bound'), 'success');
      onDone();
    } finally {
      setStep(null);
    }
  };
  const confirm = () => (hasPassword ? setStep('password') : save());
  const form = useForm({
    state: [values, (next) => keep({ ...next, method })],
    problems: problemsOf(method, values),
    send: () => (card ? setStep('replace') : confirm()),
    refusedAt: payeeTexts,
  });
  const fields = (
    <Form {...form.props}>
      <CardFields method={method} card={card} networks={networks} field={form.field} />
      <RefusalNotice error={form.failure} />
      <Button type="submit" disabled={!hasChanged(method, kept, card)} loading={form.busy}>
        {t(card ? 'wallet.rebind' : 'wallet.bind')}
      </Button>
    </Form>
  );
  // A single method is named, and is no choice.
  const only = methods.length === 1 ? methods[0]?.label : undefined;
  return (
    <Card title={only}>
      {only ? (
        fields
      ) : (
        <Tabs
          label={t('wallet.methodLabel')}
          tabs={methods.map(({ method: key, label }) => ({ key, label }))}
          value={method}
          onChange={(next) => {
            keep({ ...draft, method: next });
            form.clear();
          }}
        >
          {fields}
        </Tabs>
      )}
      <ConfirmDialog
        open={step === 'replace'}
        title={t('wallet.rebindTitle')}
        confirmLabel={t('wallet.rebind')}
        busy={form.busy}
        onConfirm={() => void form.run(confirm)}
        onClose={() => setStep(null)}
      >
        <p>{card && t('wallet.rebindText', { number: maskedNumber(card) })}</p>
        {/* A simulated installation has no waiting period. */}
        {!simulated && <p>{t('wallet.rebindHold')}</p>}
      </ConfirmDialog>
      <TransactionPasswordDialog
        open={step === 'password'}
        onClose={() => setStep(null)}
        onConfirm={(password) => form.run(() => save(password))}
      >
        <Facts
          facts={[{ label: t('wallet.paidTo'), value: maskedNumber(typed), hint: placeOf(typed) }]}
        />
      </TransactionPasswordDialog>
    </Card>
  );
}

/** The page's own texts for the problems that the server found with the number. */
function payeeTexts(failure: unknown): Record<string, string> {
  const codes = failure instanceof ApiError ? Object.entries(failure.fields) : [];
  return Object.fromEntries(
    codes
      .map(([name, code]) => [name, `wallet.payee.${code}`] as const)
      .filter(([, key]) => i18next.exists(key))
      .map(([name, key]) => [name, i18next.t(key as ParseKeys)]),
  );
}

export function useBindCard() {
  const client = useQueryClient();
  const bind = async (body: CardToBind) => {
    const card = await call('POST', '/bank_card/edit', {
      body,
      inline: [...moneyRefusals, 'fields'],
    });
    // Known at once; asked for again all the same.
    client.setQueryData(['bank-card'], card);
  };
  return useInvalidatingMutation('bindCard', bind, { onSuccessOnly: true });
}
