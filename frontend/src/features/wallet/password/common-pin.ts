import common from '../../../../../crates/auth/src/common-pins.json';

const pins = new Set(common);

/** Digits that are easy to guess; the server refuses the same. */
export function isCommonPin(digits: string): boolean {
  return pins.has(digits);
}
