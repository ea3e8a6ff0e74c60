/**
 * The layers over the page, the topmost last. Esc, Tab and every way back apply only to the
 * topmost.
 */
const layers: { close(): void }[] = [];

type Listener = (open: boolean) => void;
const listeners = new Set<Listener>();

const tell = () => {
  for (const listener of listeners) listener(layers.length > 0);
};

/** Hears of each layer that is opened or closed, and whether one is open then. */
export function onLayers(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns how to take the layer away again. */
export function addLayer(close: () => void) {
  const layer = { close };
  layers.push(layer);
  tell();
  return {
    isTop: () => layers.at(-1) === layer,
    remove: () => {
      layers.splice(layers.indexOf(layer), 1);
      tell();
    },
  };
}

export function hasLayer(): boolean {
  return layers.length > 0;
}

/** Says whether there was one. */
export function closeTopLayer(): boolean {
  const top = layers.at(-1);
  top?.close();
  return top !== undefined;
}
