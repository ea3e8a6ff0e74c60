import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, isRefusal } from '@/api/errors';
import { formatDateTime } from '@/i18n/format';
import { LinkGone } from '@/shared/link/LinkGone';
import { LinkPage } from '@/shared/link/LinkPage';
import styles from '@/shared/link/LinkPage.module.css';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Notice } from '@/ui/feedback/Notice';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { KeyCard } from './KeyCard';
import { askAboutKey } from './key-claim';

/**
 * Where an advertiser, exchange or publisher gets its key, by a link of staff, who never see it.
 * The key is made when it is asked for, so that nothing that only loads the page uses the link up.
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
  // What is shown once is kept by nothing but this page.
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
