import { useTranslation } from 'react-i18next';
import { SwitchField } from '@/ui/form/SwitchField';
import { Sheet } from '@/ui/layers/Sheet';
import styles from './KeysSheet.module.css';
import { keysOn } from './keys-on';
import type { Key } from './pressed-key';

/** Shows what each key does, and switches the keys on or off. */
export function KeysSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const keys: [Key, string][] = [
    ['/', t('app.keys.search')],
    ['n', t('plans.start')],
    ['?', t('app.keys.help')],
  ];
  return (
    <Sheet open onClose={onClose} title={t('app.keys.title')}>
      <dl className={styles.keys}>
        {keys.map(([key, text]) => (
          <div key={key} className={styles.row}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <SwitchField
        label={t('app.keys.use')}
        hint={t('app.keys.note')}
        checked={keysOn.use()}
        onChange={keysOn.set}
      />
    </Sheet>
  );
}
