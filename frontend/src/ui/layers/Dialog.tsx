import { Layer, type LayerProps } from './Layer';

/** A box in the middle of the screen that wants an answer. */
export function Dialog(props: LayerProps) {
  return <Layer shape="dialog" {...props} />;
}
