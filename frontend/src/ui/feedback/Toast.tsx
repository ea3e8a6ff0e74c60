import VantToast from 'react-vant/es/toast/Toast.js';
import { classNames } from '@/ui/class-names';
import { Icon } from '@/ui/display/Icon';
import styles from './ToastProvider.module.css';
import type { ToastMessage } from './toast-store';

const icons = { success: 'check', failure: 'warning', plain: null } as const;

/** Drawn where it is announced, and as long as the store says. */
export function Toast({ text, kind }: ToastMessage) {
  const icon = icons[kind];
  return (
    <VantToast
      visible
      teleport={undefined}
      type="info"
      icon={icon ? <Sign name={icon} /> : undefined}
      message={text}
      className={classNames(styles.toast, styles[kind])}
    />
  );
}

/** The toast hands a class of its own to its icon. */
function Sign({ name }: { name: 'check' | 'warning' }) {
  return <Icon name={name} size={20} />;
}
