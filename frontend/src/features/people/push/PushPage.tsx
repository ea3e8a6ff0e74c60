import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import type { PushDevice } from '@/api/types';
import { support } from '@/shared/push/browser';
import { pushDevicesQuery } from '@/shared/push/devices';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { NoticesPicture } from '@/ui/illustrations/NoticesPicture';
import { ListSkeleton } from '@/ui/lists/ListSkeleton';
import styles from '../me/MePage.module.css';
import { InstallSteps } from './InstallSteps';
import { OtherDevices } from './OtherDevices';
import { ThisDevice } from './ThisDevice';

/** Which notices reach this device while the app is not open, and which other devices get them. */
export function PushPage() {
  const { t } = useTranslation();
  const devices = useQuery(pushDevicesQuery);
  const list = (
    <Card flush>
      <ListSkeleton rows={2} />
    </Card>
  );
  return (
    <div className={styles.page}>
      {devices.data ? (
        <>
          <p className={styles.intro}>{t('me.push.intro')}</p>
          <Devices devices={devices.data} />
        </>
      ) : (
        <Unanswered of={devices} meanwhile={list} />
      )}
    </div>
  );
}

function Devices({ devices }: { devices: PushDevice[] }) {
  const others = devices.filter(({ current }) => !current);
  return (
    <>
      <Here device={devices.find(({ current }) => current)} />
      {others.length > 0 && <OtherDevices devices={others} />}
    </>
  );
}

/** What can be done on this device. */
function Here({ device }: { device: PushDevice | undefined }) {
  const { t } = useTranslation();
  const config = useCachedConfig();
  if (!config?.push_key) {
    return <EmptyState picture={<NoticesPicture />} title={t('me.push.notOffered')} />;
  }
  const can = support();
  if (can === 'install') return <InstallSteps />;
  if (can === 'none') return <Notice>{t('me.push.unsupported')}</Notice>;
  return <ThisDevice device={device} publicKey={config.push_key} />;
}
