import { md5 } from 'js-md5';

/** How the contract sends a transaction password: the lower-case hex MD5 of its digits. */
export function pinHash(digits: string): string {
  return md5(digits);
}
