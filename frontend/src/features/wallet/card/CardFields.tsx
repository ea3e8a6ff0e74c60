import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { BankCard } from '@/api/types';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { type CardField, fieldsOf, type Method, maskedNumber } from './bank-card.schema';

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

/** The attributes that tell browsers and keyboards about a field. */
const inputs: Partial<Record<CardField, Partial<ComponentProps<typeof TextField>>>> = {
  user_name: { autoComplete: 'name', autoCapitalize: 'words' },
  mobile: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  bank_account: { autoCapitalize: 'characters' },
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
  const hints: Partial<Record<CardField, string>> = {
    card_name: t('wallet.cardNameHint'),
    bank_account: again ?? t('wallet.accountHint'),
    branch_name: t('wallet.branchHint'),
  };
  return fieldsOf.bank_card.map((name) => (
    <TextField
      key={name}
      autoComplete="off"
      {...inputs[name]}
      {...field(name)}
      label={t(`wallet.field.${name}`)}
      hint={hints[name]}
    />
  ));
}
