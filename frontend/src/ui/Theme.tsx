import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import ConfigProvider from 'react-vant/es/config-provider/ConfigProvider.js';
import './theme.css';

const around = { display: 'contents' };

/** The settings that all react-vant components share: the theme, and the few texts of their own. */
export function Theme({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const locale = useMemo(
    () => ({ loading: t('ui.loading'), confirm: t('ui.confirm'), cancel: t('ui.cancel') }),
    [t],
  );
  return (
    <ConfigProvider locale={locale} style={around}>
      {children}
    </ConfigProvider>
  );
}
