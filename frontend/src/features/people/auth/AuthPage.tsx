import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './AuthPage.module.css';

type Props = { title: string; text: string; children: ReactNode };

/** The parts that login and registration share: the logo, a greeting, a form. */
export function AuthPage({ title, text, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.page}>
      <div className={styles.brand}>
        <img src="/favicon.svg" alt="" width="44" height="44" />
        <span>{t('app.name')}</span>
      </div>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}
