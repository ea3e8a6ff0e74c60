import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@/api/types';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { OnDemand } from '@/shared/page/OnDemand';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { showToast } from '@/ui/feedback/toast-store';
import { Avatar } from '@/ui/images/Avatar';
import { imageProblem, imageTypes } from '@/ui/images/image-problem';
import { useSaveProfile } from '../me/mutations';
import styles from './AvatarCard.module.css';

const loadCropper = async () => (await import('./AvatarCropper')).AvatarCropper;

/** The picture beside the name: choosing, cropping, uploading or removing it. */
export function AvatarCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<ReturnType<typeof imageProblem>>(null);
  const save = useSaveProfile();
  const { busy, once } = useSingleFlight();
  const remove = async () => {
    await save({ avatar: '' });
    showToast(t('me.avatar.removed'), 'success');
  };
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    // Choosing the same file again must count as a change.
    event.target.value = '';
    if (!chosen) return;
    const found = imageProblem(chosen);
    setProblem(found);
    setFile(found ? null : chosen);
  };
  const had = useRef(false);
  useEffect(() => {
    // The cropper is gone, and with it the button that had the focus.
    if (had.current && !file) input.current?.focus();
    had.current = file !== null;
  }, [file]);

  if (file) {
    return (
      <Card title={t('me.avatar.cropTitle')}>
        <OnDemand
          load={loadCropper}
          onMissing={() => setFile(null)}
          fallback={<Skeleton height="320px" />}
          props={{
            file,
            onDone: () => setFile(null),
            onUnreadable: () => {
              // Such as a HEIC, which phones take, and few browsers show.
              const called = file.type.startsWith('image/');
              setProblem(called ? 'ui.image.unreadable' : 'ui.image.notAnImage');
              setFile(null);
            },
          }}
        />
      </Card>
    );
  }
  return (
    <Card title={t('me.avatar.title')}>
      <div className={styles.row}>
        <Avatar name={user.nickname || user.username} picture={user.avatar} size={88} />
        <div className={styles.actions}>
          <label className={styles.choose}>
            <input
              ref={input}
              type="file"
              accept={imageTypes}
              className="visually-hidden"
              onChange={choose}
            />
            {t('me.avatar.choose')}
          </label>
          {user.avatar && (
            <Button variant="quiet" size="small" loading={busy} onClick={() => void once(remove)}>
              {t('me.avatar.remove')}
            </Button>
          )}
        </div>
      </div>
      {problem ? (
        <Notice tone="negative" urgent>
          {t(problem)}
        </Notice>
      ) : (
        <p className={styles.hint}>{t('me.avatar.hint')}</p>
      )}
    </Card>
  );
}
