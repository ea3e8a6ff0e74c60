import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import styles from './PasswordRules.module.css';

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

const SHORTEST = 8;

type PasswordRule = { rule: 'length' | 'own'; kept: boolean };

/**
 * The server's rules, as far as they can be checked here: whether a password is one of the most
 * common ones, only the server knows.
 */
function passwordRules(password: string, username: string): PasswordRule[] {
  const own = username.trim().toLowerCase();
  return [
    { rule: 'length', kept: [...password].length >= SHORTEST },
    { rule: 'own', kept: password !== '' && password.toLowerCase() !== own },
  ];
}
