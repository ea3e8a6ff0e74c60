import { useTranslation } from 'react-i18next';
import { formatCount, formatDateTime } from '@/i18n/format';
import type { Renewal } from '@/proof/renewal';

type Props = {
  renewal: Renewal;
  /** When this device last saw the old log. */
  at: number;
};

/** Why a log began anew, as the operator says, and what this device found out about the old one's end. */
export function RenewalText({ renewal: { why, ended, saw, seen }, at }: Props) {
  const { t } = useTranslation();
  const [end, last] = [Number(ended), Number(saw)];
  const date = formatDateTime(at);
  const missing = [end + 1, last].map(formatCount);
  const range = missing[0] === missing[1] ? missing[0] : missing.join('–');
  return (
    <>
      <strong>{t('wallet.check.renewal.title')}</strong>
      <p>{t(`wallet.check.renewal.why.${why === 'lost' ? 'lost' : 'changed'}`)}</p>
      <p>
        {t(`wallet.check.renewal.${seen}`, { date, entries: formatCount(end), missing: range })}
      </p>
    </>
  );
}
