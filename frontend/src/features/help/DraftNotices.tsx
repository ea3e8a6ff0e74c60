import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import { Notice } from '@/ui/feedback/Notice';

type Props = {
  /** The problem of the pictures. */
  pictures: string | null | undefined;
  /** That is for now alone, while one is being sent. */
  waiting: boolean;
  failure: Error | undefined;
  /** The text for a lost connection. */
  lost: ParseKeys;
};

/** Why a draft with pictures was not sent. */
export function DraftNotices({ pictures, waiting, failure, lost }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {pictures && (
        <Notice tone={waiting ? 'warning' : 'negative'} urgent>
          {pictures}
        </Notice>
      )}
      {failure instanceof NetworkError && (
        <Notice tone="warning" urgent>
          {networkText(failure, t, lost)}
        </Notice>
      )}
    </>
  );
}
