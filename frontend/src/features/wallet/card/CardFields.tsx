import { useTranslation } from 'react-i18next';
import type { BankCard } from '@/api/types';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { type CardField, type Method, maskedNumber } from './bank-card.schema';

type FieldProps = {
  name: string;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
};

type Props = {
  method: Method;
  card: BankCard | null;
  networks: readonly string[];
  fieldProps: (name: CardField) => FieldProps;
};

/** The inputs of one method. */
export function CardFields({ method, card, networks, fieldProps }: Props) {
  const { t } = useTranslation();
  const again =
    card?.method === method ? t('wallet.enterAgain', { number: maskedNumber(card) }) : undefined;
  if (method === 'wallet_address') {
    return (
      <>
        <SelectField
          {...fieldProps('network')}
          label={t('wallet.field.network')}
          placeholder={t('wallet.chooseNetwork')}
          options={networks.map((value) => ({ value, label: value }))}
        />
        <TextField
          {...fieldProps('address')}
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
        {...fieldProps('card_name')}
        label={t('wallet.field.card_name')}
        hint={t('wallet.cardNameHint')}
        autoComplete="off"
      />
      <TextField
        {...fieldProps('user_name')}
        label={t('wallet.field.user_name')}
        autoComplete="name"
        autoCapitalize="words"
      />
      <TextField
        {...fieldProps('mobile')}
        label={t('wallet.field.mobile')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <TextField
        {...fieldProps('bank_name')}
        label={t('wallet.field.bank_name')}
        autoComplete="off"
      />
      <TextField
        {...fieldProps('bank_account')}
        label={t('wallet.field.bank_account')}
        hint={again ?? t('wallet.accountHint')}
        autoComplete="off"
        autoCapitalize="characters"
      />
      <TextField
        {...fieldProps('branch_name')}
        label={t('wallet.field.branch_name')}
        hint={t('wallet.branchHint')}
        autoComplete="off"
      />
      <TextField
        {...fieldProps('beneficiary_name')}
        label={t('wallet.field.beneficiary_name')}
        autoComplete="off"
      />
      <TextField
        {...fieldProps('bank_address')}
        label={t('wallet.field.bank_address')}
        autoComplete="off"
      />
    </>
  );
}
