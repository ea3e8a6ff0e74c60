import { useTranslation } from 'react-i18next';
import type { PushDevice } from '@/api/types';
import { isBlocked } from '@/shared/push/browser';
import { type PushKinds, useChooseKinds, useTurnOff, useTurnOn } from '@/shared/push/devices';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { SwitchField } from '@/ui/form/SwitchField';

const kinds = [
  'money',
  'rules',
  'sign_in',
  'service',
] as const satisfies readonly (keyof PushKinds)[];
const words = {
  money: ['me.push.money', 'me.push.moneyHint'],
  rules: ['me.push.rules', 'me.push.rulesHint'],
  sign_in: ['me.push.signIn', 'me.push.signInHint'],
  service: ['me.push.service', 'me.push.serviceHint'],
} as const;

type Props = { device: PushDevice | undefined; publicKey: string };

/**
 * Switches push messages on or off, by kind. The browser asks for permission only after a press.
 */
export function ThisDevice({ device, publicKey }: Props) {
  const { t } = useTranslation();
  const on = useTurnOn();
  const failed = () => showToast(t('me.push.failed'), 'failure');
  const turnOn = () =>
    on.mutate(publicKey, {
      onSuccess: (done) => done && showToast(t('me.push.turnedOn'), 'success'),
      onError: failed,
    });
  return (
    <>
      {isBlocked() && <Notice tone="warning">{t('me.push.denied')}</Notice>}
      {device ? (
        <Kinds device={device} onFailed={failed} />
      ) : (
        <Button loading={on.isPending} onClick={turnOn}>
          {t('me.push.turnOn')}
        </Button>
      )}
    </>
  );
}

function Kinds({ device, onFailed }: { device: PushDevice; onFailed: () => void }) {
  const { t } = useTranslation();
  const choose = useChooseKinds();
  const off = useTurnOff();
  const { money, rules, sign_in, service } = device;
  // Until the server has answered, the pressed choice is shown.
  const shown: PushKinds = choose.isPending ? choose.variables : { money, rules, sign_in, service };
  const turnOff = () =>
    off.mutate(device, {
      onSuccess: () => showToast(t('me.push.turnedOff'), 'success'),
      onError: onFailed,
    });
  return (
    <>
      <Card title={t('me.push.kinds')}>
        {kinds.map((kind) => (
          <SwitchField
            key={kind}
            label={t(words[kind][0])}
            hint={t(words[kind][1])}
            checked={shown[kind]}
            onChange={(checked) =>
              choose.mutate({ ...shown, [kind]: checked }, { onError: onFailed })
            }
          />
        ))}
      </Card>
      <Button variant="secondary" loading={off.isPending} onClick={turnOff}>
        {t('me.push.turnOff')}
      </Button>
    </>
  );
}
