import { useEffect } from 'react';
import VantActionSheet from 'react-vant/es/action-sheet/ActionSheet.js';
import styles from './Layer.module.css';
import { LayerTitle } from './LayerTitle';
import { shared, useLayer } from './layer';

type Props<V extends string> = {
  open: boolean;
  onClose: () => void;
  title: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChoose: (value: V) => void;
};

/** A choice of one of a few options; one press chooses and closes. */
export function ChoiceSheet<V extends string>(props: Props<V>) {
  return props.open ? <OpenChoice {...props} /> : null;
}

function OpenChoice<V extends string>({ onClose, title, options, value, onChoose }: Props<V>) {
  const { titleId, body } = useLayer(onClose);
  useEffect(() => {
    // Which of them is chosen now react-vant has no word for.
    const rows = body.current?.closest('.rv-popup')?.querySelectorAll('.rv-action-sheet__item');
    rows?.[options.findIndex((option) => option.value === value)]?.setAttribute(
      'aria-current',
      'true',
    );
  }, [body, options, value]);
  return (
    <VantActionSheet
      {...shared}
      className={styles.choices}
      overlayClass={styles.backdrop}
      closeable={false}
      title={
        <div ref={body}>
          <LayerTitle id={titleId} title={title} onClose={onClose} />
        </div>
      }
      actions={options.map(({ value: key, label: name }) => ({
        name,
        callback: () => onChoose(key),
      }))}
      closeOnClickAction
      onClose={onClose}
    />
  );
}
