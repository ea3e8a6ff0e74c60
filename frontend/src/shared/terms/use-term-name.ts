import { useTranslation } from 'react-i18next';
import type { Term } from './terms';

/** The figure's name where it is shown. */
export function useTermName(term: Term): string {
  const { t } = useTranslation();
  return term === 'consumed' ? t('adCenter.figures.consumed') : t(`wallet.${term}`);
}
