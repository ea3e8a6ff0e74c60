import { Layer, type LayerProps } from './Layer';

/** Rises from the bottom edge; on a wide screen it is a box in the middle. */
export function Sheet(props: LayerProps) {
  return <Layer shape="sheet" {...props} />;
}
