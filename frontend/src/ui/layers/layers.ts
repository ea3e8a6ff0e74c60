/** What lies over the page, the topmost last: Esc, Tab and every way back belong to that one alone. */
const layers: { close(): void }[] = [];

/** Returns how to take the layer away again. */
export function addLayer(close: () => void) {
  const layer = { close };
  layers.push(layer);
  return {
    isTop: () => layers.at(-1) === layer,
    remove: () => void layers.splice(layers.indexOf(layer), 1),
  };
}

/** Says whether there was one. */
export function closeTopLayer(): boolean {
  const top = layers.at(-1);
  top?.close();
  return top !== undefined;
}
