import { useTranslation } from 'react-i18next';
import type { PushDevice } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { useTurnOff } from '@/shared/push/devices';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { showToast } from '@/ui/feedback/toast-store';
import { deviceName } from '../sessions/device-name';

/** Where else this user is sent notices, also where they are logged in no more. */
export function OtherDevices({ devices }: { devices: PushDevice[] }) {
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
