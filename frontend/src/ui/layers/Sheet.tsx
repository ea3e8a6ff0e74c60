import VantPopup from 'react-vant/es/popup/Popup.js';
import { classNames } from '@/ui/class-names';
import styles from './Layer.module.css';
import { LayerTitle } from './LayerTitle';
import { type LayerProps, shared, useLayer, useOpen } from './layer';

/** Rises from the bottom edge; on a wide screen it is a box in the middle. */
export function Sheet(props: LayerProps) {
  return useOpen(props.open) ? <OpenSheet {...props} /> : null;
}

function OpenSheet({ onClose, title, children, actions }: LayerProps) {
  const { titleId, body } = useLayer(onClose);
  return (
    <VantPopup
      {...shared}
      position="bottom"
      safeAreaInsetBottom
      className={classNames(styles.panel, styles.sheet)}
      overlayClass={styles.backdrop}
      onClose={onClose}
    >
      <LayerTitle id={titleId} title={title} onClose={onClose} />
      <div ref={body} className={styles.body}>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </VantPopup>
  );
}
