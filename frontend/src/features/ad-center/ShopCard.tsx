import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@/api/types';
import { formatCount, formatDate, formatMoney } from '@/i18n/format';
import { vipUntil } from '@/shared/account/vip';
import { classNames } from '@/ui/class-names';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { Picture } from '@/ui/images/Picture';
import { ExplainButton } from './ExplainButton';
import styles from './ShopCard.module.css';

/** Level, score and deposit: what stands behind the figures, and comes after them. */
export function ShopCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const [explained, setExplained] = useState(false);
  const facts = [
    [t('adCenter.level'), formatCount(user.level)],
    [t('adCenter.credit'), formatCount(user.credit_score)],
    [t('adCenter.deposit'), formatMoney(user.deposit)],
  ];
  const vip = vipUntil(user);
  return (
    <Card
      title={t('adCenter.account')}
      className={styles.card}
      aside={
        <div className={styles.head}>
          {user.avatar && <Picture className={styles.avatar} src={user.avatar} />}
          <p className={classNames('verbatim', styles.name)}>{user.nickname || user.username}</p>
          {vip && <p className={styles.vip}>{t('adCenter.vipUntil', { date: formatDate(vip) })}</p>}
          <ExplainButton explained={explained} onChange={setExplained} />
        </div>
      }
    >
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {explained && <p className={styles.about}>{t('adCenter.accountAbout')}</p>}
      <Link className={styles.more} to="/ad-center/level">
        {t('adCenter.levelPage')}
        <Icon name="chevron" size={18} />
      </Link>
    </Card>
  );
}
