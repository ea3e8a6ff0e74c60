import { useTranslation } from 'react-i18next';
import type { Term } from './terms';

/** What the figure is called where it stands. */
export function useTermName(term: Term): string {
  const { t } = useTranslation();
  return term === 'consumed' ? t('adCenter.figures.consumed') : t(`wallet.${term}`);
}
