import { useTranslation } from 'react-i18next';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { Notice } from '@/ui/feedback/Notice';
import { AmountText } from '@/ui/money/AmountText';
import styles from './ClosePage.module.css';
import type { remainingOf } from './remaining';

/** What must be settled first, each with the page for it. */
export function Remaining({ left }: { left: ReturnType<typeof remainingOf> }) {
  const { t } = useTranslation();
  if (left.length === 0) return null;
  return (
    <Card title={t('me.close.remaining')}>
      <Notice tone="warning">{t('me.close.remainingText')}</Notice>
      <ul className={styles.left}>
        {left.map(({ key, label, to, amount }) => (
          <li key={key}>
            <Link to={to}>
              <span className={styles.name}>{t(label)}</span>
              <strong>
                <AmountText amount={amount} />
              </strong>
              <Icon name="chevron" size={18} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
