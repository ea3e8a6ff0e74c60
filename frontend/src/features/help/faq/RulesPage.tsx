import { useTranslation } from 'react-i18next';
import { formatPercent } from '@/i18n/format';
import { useBasicConfig } from '@/shared/config/basic-config';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Notice } from '@/ui/feedback/Notice';
import { AskServiceCard } from './AskServiceCard';
import styles from './RulesPage.module.css';

/** The chapters in the order in which users meet them; the texts are in the locales. */
const chapters = [
  { key: 'plans', rules: ['put', 'match', 'control', 'offer'] },
  { key: 'billing', rules: ['price', 'valid', 'budget'] },
  { key: 'settlement', rules: ['pending', 'window'] },
  { key: 'fees', rules: ['planFee', 'withdrawalFee'] },
  { key: 'recharge', rules: ['service', 'recharged'] },
  { key: 'withdraw', rules: ['amount', 'paid', 'startup'] },
  { key: 'credit', rules: ['spend'] },
  { key: 'password', rules: ['lock', 'ask'] },
] as const satisfies readonly { key: string; rules: readonly string[] }[];

export function RulesPage() {
  const { t } = useTranslation();
  return (
    <div className={styles.page}>
      <p className="intro">{t('rules.intro')}</p>
      {chapters.map(({ key, rules }) => (
        <Card key={key} title={t(`rules.title.${key}`)}>
          <ul className={styles.rules}>
            {rules.map((rule) => (
              <li key={rule}>{t(`rules.rule.${rule}`)}</li>
            ))}
          </ul>
          {key === 'settlement' && <Notice>{t('rules.noPromise')}</Notice>}
          {key === 'fees' && <WithdrawalFees />}
        </Card>
      ))}
      <AskServiceCard />
    </div>
  );
}

/** The current rates, as the server charges them. */
function WithdrawalFees() {
  const methods = useBasicConfig().data?.withdraw_method_config;
  if (!methods) return null;
  return (
    <Facts
      facts={methods.map(({ label, fee_rate }) => ({ label, value: formatPercent(fee_rate) }))}
    />
  );
}
