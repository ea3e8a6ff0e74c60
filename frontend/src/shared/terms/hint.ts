import { createSeenFlag } from '@/shared/account/seen-flag';

const hint = createSeenFlag('hint');

/**
 * Whether the question marks still need to be pointed out to this user on this device. If it could
 * not be stored as seen, a hint that keeps coming back would be annoying.
 */
export function useHint(): boolean {
  return hint.use() === false;
}

/** The hint was read, or a question mark was pressed. */
export const dismissHint = hint.note;
