import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import type { PushDevice } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { support } from '@/shared/push/browser';
import { pushDevicesQuery, useTurnOff } from '@/shared/push/devices';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { NoticesPicture } from '@/ui/illustrations/NoticesPicture';
import { ListSkeleton } from '@/ui/lists/ListSkeleton';
import styles from '../me/MePage.module.css';
import { deviceName } from '../sessions/device-name';
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
          <p className="intro">{t('me.push.intro')}</p>
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

/** The settings that are possible on this device. */
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

/** iOS shows notices only of an app that stands on the Home Screen. */
function InstallSteps() {
  const { t } = useTranslation();
  return (
    <Card>
      <p>{t('me.push.install')}</p>
      <ol className={styles.page}>
        <li>{t('me.push.installShare')}</li>
        <li>{t('me.push.installAdd')}</li>
        <li>{t('me.push.installOpen')}</li>
      </ol>
    </Card>
  );
}

/**
 * The other devices to which this user's notices are sent, even if they are no longer logged in
 * there.
 */
function OtherDevices({ devices }: { devices: PushDevice[] }) {
  const { t } = useTranslation();
  const off = useTurnOff();
  const turnOff = (device: PushDevice) =>
    off.mutate(device, { onError: () => showToast(t('me.push.failed'), 'failure') });
  return (
    <Card title={t('me.push.others')} flush>
      {devices.map((device) => (
        <MenuRow
          key={device.id}
          icon="device"
          label={deviceName(device.device, t)}
          hint={t('me.push.since', { time: formatDateTime(device.created_at) })}
          value={t('me.push.end')}
          busy={off.isPending && off.variables.id === device.id}
          onClick={() => turnOff(device)}
        />
      ))}
    </Card>
  );
}
