import VantDialog from 'react-vant/es/dialog/Dialog.js';
import { classNames } from '@/ui/class-names';
import { DIALOG_WIDTH } from '@/ui/constants';
import styles from './Layer.module.css';
import { LayerTitle } from './LayerTitle';
import { type LayerProps, shared, useLayer, useOpen } from './layer';

type Props = LayerProps & {
  /**
   * Whether the dialog is as wide in the app's column as on a phone. Otherwise, a desktop's dialog
   * is no wider than a phone.
   */
  wide?: boolean;
};

/** A box in the middle of the screen that wants an answer. */
export function Dialog(props: Props) {
  return useOpen(props.open) ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ onClose, title, children, actions, wide = false }: Props) {
  const { titleId, body } = useLayer(onClose);
  return (
    <VantDialog
      {...shared}
      className={classNames(styles.panel, styles.dialog, wide && styles.wide)}
      overlayClass={styles.backdrop}
      width={DIALOG_WIDTH}
      title={<LayerTitle id={titleId} title={title} onClose={onClose} />}
      footer={actions && <div className={styles.actions}>{actions}</div>}
      showConfirmButton={false}
      // The app's own history closes what lies on top: layers.ts.
      closeOnPopstate={false}
      onClose={onClose}
    >
      <div ref={body} className={styles.body}>
        {children}
      </div>
    </VantDialog>
  );
}
