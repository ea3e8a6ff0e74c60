export type Key = '/' | 'n' | '?';

const typing =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';

/** Which of our keys it is; null while somebody types, or presses it for something else. */
export function pressedKey(event: KeyboardEvent): Key | null {
  const { key, code, target, ctrlKey, metaKey, altKey } = event;
  if (event.defaultPrevented || event.repeat || event.isComposing) return null;
  if (ctrlKey || metaKey || altKey) return null;
  if (target instanceof Element && target.closest(typing)) return null;
  if (key === '/' || key === '?') return key;
  // On keyboards without Latin letters, the key is the one in the same position.
  const isN = key.toLowerCase() === 'n' || (code === 'KeyN' && key > '\u007f');
  return isN ? 'n' : null;
}
