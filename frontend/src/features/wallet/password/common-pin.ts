import common from '../../../../../crates/auth/src/common-pins.json';

const pins = new Set(common);

/** Digits that anybody would guess first; the server refuses the same. */
export function isCommonPin(digits: string): boolean {
  return pins.has(digits);
}
