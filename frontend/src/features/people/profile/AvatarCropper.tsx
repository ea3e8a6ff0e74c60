import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import { uploadImage } from '@/api/upload';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { type CropArea, ImageCropper } from '@/ui/images/ImageCropper';
import { useObjectUrl } from '@/ui/images/Picture';
import { useSaveProfile } from '../me/mutations';
import styles from './AvatarCard.module.css';
import { cropImage } from './crop-image';

type Props = { file: File; onDone: () => void; onUnreadable: () => void };

/**
 * Crops the picture and uploads it. After a failure it stays as it is, and can be uploaded again.
 */
export function AvatarCropper({ file, onDone, onUnreadable }: Props) {
  const { t } = useTranslation();
  const address = useObjectUrl(file);
  const [area, setArea] = useState<CropArea | null>(null);
  const [problem, setProblem] = useState('');
  const { busy, once } = useSingleFlight((error) => setProblem(reasonOf(error, t)));
  const save = useSaveProfile('network');
  // If only saving failed, the uploaded picture is not uploaded again.
  const sent = useRef<{ area: CropArea; id: string } | null>(null);
  const request = useRef<AbortController | null>(null);
  // A user who gives up or leaves keeps the previous picture.
  useEffect(() => () => request.current?.abort(), []);
  const send = async () => {
    if (!area) return;
    setProblem('');
    request.current = new AbortController();
    const { signal } = request.current;
    if (sent.current?.area !== area) {
      const { id } = await uploadImage(await cropImage(file, area), { signal });
      sent.current = { area, id };
    }
    if (signal.aborted) return;
    await save({ avatar: sent.current.id });
    showToast(t('me.avatar.saved'), 'success');
    onDone();
  };
  return (
    <>
      {address && (
        <ImageCropper
          image={address}
          onUnreadable={onUnreadable}
          onArea={(chosen) => {
            setArea(chosen);
            setProblem('');
          }}
        />
      )}
      {problem && (
        <Notice tone="negative" urgent>
          {problem}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button loading={busy} disabled={!area} onClick={() => void once(send)}>
          {t('me.avatar.use')}
        </Button>
        <Button variant="secondary" onClick={onDone}>
          {t('ui.cancel')}
        </Button>
      </div>
    </>
  );
}

function reasonOf(error: unknown, t: TFunction): string {
  if (error instanceof NetworkError) return networkText(error, t, 'ui.image.lost');
  return (error instanceof ApiError && error.msg) || t('ui.image.refused');
}
