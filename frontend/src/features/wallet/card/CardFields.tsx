import { useTranslation } from 'react-i18next';
import type { BankCard } from '@/api/types';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { type CardField, type Method, maskedNumber } from './bank-card.schema';

type FieldProps = {
  name: string;
  value: string;
  error?: string | null;
  onChange: (value: string) => void;
};

type Props = {
  method: Method;
  card: BankCard | null;
  networks: readonly string[];
  field: (name: CardField) => FieldProps;
};

/** The inputs of one method. */
export function CardFields({ method, card, networks, field }: Props) {
  const { t } = useTranslation();
  const again =
    card?.method === method ? t('wallet.enterAgain', { number: maskedNumber(card) }) : undefined;
  if (method === 'wallet_address') {
    return (
      <>
        <SelectField
          {...field('network')}
          label={t('wallet.field.network')}
          placeholder={t('wallet.chooseNetwork')}
          options={networks.map((value) => ({ value, label: value }))}
        />
        <TextField
          {...field('address')}
          label={t('wallet.field.address')}
          hint={again ?? t('wallet.addressHint')}
          autoComplete="off"
          autoCapitalize="none"
        />
      </>
    );
  }
  return (
    <>
      <TextField
        {...field('card_name')}
        label={t('wallet.field.card_name')}
        hint={t('wallet.cardNameHint')}
        autoComplete="off"
      />
      <TextField
        {...field('user_name')}
        label={t('wallet.field.user_name')}
        autoComplete="name"
        autoCapitalize="words"
      />
      <TextField
        {...field('mobile')}
        label={t('wallet.field.mobile')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <TextField {...field('bank_name')} label={t('wallet.field.bank_name')} autoComplete="off" />
      <TextField
        {...field('bank_account')}
        label={t('wallet.field.bank_account')}
        hint={again ?? t('wallet.accountHint')}
        autoComplete="off"
        autoCapitalize="characters"
      />
      <TextField
        {...field('branch_name')}
        label={t('wallet.field.branch_name')}
        hint={t('wallet.branchHint')}
        autoComplete="off"
      />
      <TextField
        {...field('beneficiary_name')}
        label={t('wallet.field.beneficiary_name')}
        autoComplete="off"
      />
      <TextField
        {...field('bank_address')}
        label={t('wallet.field.bank_address')}
        autoComplete="off"
      />
    </>
  );
}
