import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import styles from './PasswordRules.module.css';
import { passwordRules } from './password-rules';

type Props = { password: string; username: string };

/** The rules for a password, each ticked off while it is typed. */
export function PasswordRules({ password, username }: Props) {
  const { t } = useTranslation();
  return (
    <ul className={styles.rules}>
      {passwordRules(password, username).map(({ rule, kept }) => (
        <li key={rule} data-kept={kept}>
          <Icon name={kept ? 'check' : 'info'} size={16} />
          {t(`auth.rule.${rule}`)}
          {kept && <span className="visually-hidden"> {t('auth.rule.kept')}</span>}
        </li>
      ))}
      <li>
        <Icon name="info" size={16} />
        {t('auth.rule.common')}
      </li>
    </ul>
  );
}
