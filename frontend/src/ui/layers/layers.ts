/** What lies over the page, the topmost last: Esc, Tab and every way back belong to that one alone. */
const layers: { close(): void }[] = [];

/** Returns how to take the layer away again. */
export function addLayer(close: () => void) {
  const layer = { close };
  layers.push(layer);
  return {
    isTop: () => layers.at(-1) === layer,
    /** Whether it was the last one. */
    remove: () => {
      layers.splice(layers.indexOf(layer), 1);
      return layers.length === 0;
    },
  };
}

/** Says whether there was one. */
export function closeTopLayer(): boolean {
  const top = layers.at(-1);
  top?.close();
  return top !== undefined;
}
