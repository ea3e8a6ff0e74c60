import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask, commonHeaders, unwrap } from '@/api/call';
import type { Answer, Body, Path } from '@/api/contract/endpoints';
import { ApiError, isRefusal } from '@/api/errors';
import type { ClaimedKey } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { LinkGone } from '@/shared/link/LinkGone';
import { LinkPage } from '@/shared/link/LinkPage';
import styles from '@/shared/link/LinkPage.module.css';
import { Button } from '@/ui/controls/Button';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Card } from '@/ui/display/Card';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Notice } from '@/ui/feedback/Notice';
import { Unanswered } from '@/ui/feedback/Unanswered';

/**
 * The page on which an advertiser, exchange or publisher gets its key, by a link from staff, who
 * never see the key. The key is created only on request, so that a program that only loads the page
 * does not use the link up.
 */
export function ClaimPage() {
  return <LinkPage page={Page} />;
}

const messageOf = (error: unknown) => (error instanceof ApiError ? error.message : undefined);

function Page({ link }: { link: string }) {
  const { t } = useTranslation();
  const seen = useQuery({
    queryKey: ['claim', link],
    queryFn: () => askAboutKey('/claim/look', link),
  });
  // The key is shown once, so only this page keeps it, and the cache does not.
  const opening = useMutation({
    mutationFn: () => askAboutKey('/claim/open', link),
    onError: () => void seen.refetch(),
    gcTime: 0,
  });
  if (opening.data) return <KeyCard claimed={opening.data} />;
  if (isRefusal(seen.error, 'not_found')) return <LinkGone />;
  if (seen.error && !seen.data) {
    return <Unanswered of={seen} message={messageOf(seen.error)} />;
  }
  if (!seen.data) return <CardSkeletons className={styles.page} lines={[4]} />;
  const { name, kind, state, until, claimed_at: claimedAt } = seen.data;
  return (
    <div className={styles.page}>
      <Card>
        <div className={styles.stack}>
          <h2 className={styles.name}>{name}</h2>
          <p>{t(`claim.${kind}`)}</p>
          {state === 'used' ? (
            <Notice tone="warning">
              <strong>{t('claim.used')}</strong>
              {claimedAt && <p>{t('claim.usedText', { date: formatDateTime(claimedAt) })}</p>}
            </Notice>
          ) : (
            <>
              <p>{t('claim.text')}</p>
              <Button loading={opening.isPending} onClick={() => opening.mutate()}>
                {t('claim.open')}
              </Button>
              {opening.error && (
                <Notice tone="negative" urgent>
                  {messageOf(opening.error) ?? t('ui.requestFailed')}
                </Notice>
              )}
              <p className={styles.muted}>
                {t('publisher.until', { date: formatDateTime(until) })}
              </p>
            </>
          )}
        </div>
      </Card>
    </div>
  );
}

/** The key, which is not shown again, and what its holder reads to us. */
function KeyCard({ claimed }: { claimed: ClaimedKey }) {
  const { t } = useTranslation();
  const { name, kind, key, fingerprint, advertiser_id: advertiser } = claimed;
  const bids = kind === 'ssp_key' ? `${window.location.origin}/openrtb2/bid/${key}` : null;
  const rows = [
    { label: t('claim.key'), text: key },
    ...(advertiser ? [{ label: t('claim.advertiserId'), text: advertiser }] : []),
    ...(bids ? [{ label: t('claim.address'), text: bids }] : []),
  ];
  return (
    <div className={styles.page}>
      <Card>
        <div className={styles.stack}>
          <h2 className={styles.name}>{name}</h2>
          <p>{t(`claim.${kind}`)}</p>
          <Notice tone="warning">{t('claim.keyHint')}</Notice>
          {rows.map(({ label, text }) => (
            <CopyRow
              key={label}
              label={label}
              text={text}
              copies={t('plans.tracking.copy', { link: label })}
            />
          ))}
        </div>
      </Card>
      <Card title={t('claim.fingerprint')}>
        <div className={styles.stack}>
          <code className={styles.name}>{fingerprint}</code>
          <p>{t('claim.fingerprintHint')}</p>
        </div>
      </Card>
    </div>
  );
}

/** Calls for a counterparty without an account: the token of a signed-in session is not sent. */
async function askAboutKey<P extends Path<'POST'> & `/claim/${string}`>(
  path: P,
  link: string,
): Promise<Answer<'POST', P>> {
  const headers = commonHeaders(null);
  headers.set('Content-Type', 'application/json');
  const body = JSON.stringify({ link } satisfies Body<'/claim/look' | '/claim/open'>);
  const init = { method: 'POST', headers, body };
  return unwrap(await ask<Answer<'POST', P>>(`/api${path}`, init));
}
