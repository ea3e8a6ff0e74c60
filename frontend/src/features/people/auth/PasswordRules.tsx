import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import styles from './PasswordRules.module.css';
import { passwordRules } from './password-rules';

type Props = { password: string; username: string; error: string | null | undefined };

/**
 * The rules for a password, each ticked off while it is typed. What its field reports as the error
 * is not said twice.
 */
export function PasswordRules({ password, username, error }: Props) {
  const { t } = useTranslation();
  const rules = passwordRules(password, username).map(({ rule, kept }) => ({
    text: t(`auth.rule.${rule}`),
    kept,
  }));
  return (
    <ul className={styles.rules}>
      {rules
        .filter(({ text }) => text !== error)
        .map(({ text, kept }) => (
          <li key={text} data-kept={kept}>
            <Icon name={kept ? 'check' : 'info'} size={16} />
            {text}
            {kept && <span className="visually-hidden"> {t('auth.rule.kept')}</span>}
          </li>
        ))}
      {error !== t('fields.too_common') && (
        <li>
          <Icon name="info" size={16} />
          {t('auth.rule.common')}
        </li>
      )}
    </ul>
  );
}
