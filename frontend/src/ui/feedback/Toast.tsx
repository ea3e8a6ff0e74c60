import VantToast from 'react-vant/es/toast/Toast.js';
import { classNames } from '@/ui/class-names';
import { Icon } from '@/ui/display/Icon';
import styles from './ToastProvider.module.css';
import type { ToastMessage } from './toast-store';
import { WithAction } from './WithAction';

const icons = { success: 'check', failure: 'warning', plain: null } as const;

/** Drawn where it is announced, and as long as the store says. */
export function Toast({ text, kind, action }: ToastMessage) {
  const icon = icons[kind];
  // Typed as a string, and drawn as it is.
  const content = action ? <WithAction text={text} action={action} /> : text;
  return (
    <VantToast
      visible
      teleport={undefined}
      type="info"
      icon={icon ? <Sign name={icon} /> : undefined}
      message={content as string}
      className={classNames(styles.toast, styles[kind])}
    />
  );
}

/** The toast hands a class of its own to its icon. */
function Sign({ name }: { name: 'check' | 'warning' }) {
  return <Icon name={name} size={20} />;
}
