import { useTranslation } from 'react-i18next';
import type { FlowKind } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { sentences } from '@/i18n/sentences';
import type { Comparison, Difference } from '@/proof/screen';
import { type Fact, Facts } from '@/ui/display/Facts';
import { flowKindNames } from '../statement/flow-kinds';

/** `-1230` as `-12.30`. */
function decimal(minor: string): string {
  const digits = minor.replace('-', '').padStart(3, '0');
  return `${minor.startsWith('-') ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const accounts: Record<
  number,
  'available' | 'withdrawing' | 'exchanging' | 'deposit' | 'promotional'
> = {
  101: 'available',
  103: 'withdrawing',
  104: 'exchanging',
  105: 'deposit',
  106: 'promotional',
};

/** The differences between what the app shows and the books. */
export function Differences({ onlyShown, onlyProved, balances }: Comparison) {
  const { t } = useTranslation();
  const fact =
    (side: 'shown' | 'proved') =>
    (line: Difference, at: number): Fact => {
      const known = flowKindNames.find((name: FlowKind) => name === line.kind);
      const balance = line.balance && formatMoney(decimal(line.balance));
      return {
        key: `${side} ${at}`,
        label: sentences(
          t(`wallet.check.only.${side}`),
          known ? t(`wallet.kind.${known}`) : line.kind,
        ),
        value: formatMoney(decimal(line.amount), { sign: true }),
        hint: [
          formatDateTime(line.time),
          ...(balance ? [t('wallet.balanceAfter', { amount: balance })] : []),
        ].join(' · '),
      };
    };
  return (
    <Facts
      facts={[
        ...onlyShown.map(fact('shown')),
        ...onlyProved.map(fact('proved')),
        ...balances.map(({ account, shown, proved }) => ({
          label: t(`wallet.${accounts[account] ?? 'available'}`),
          value: formatMoney(decimal(shown)),
          hint: t('wallet.check.inBooks', { amount: formatMoney(decimal(proved)) }),
        })),
      ]}
    />
  );
}
