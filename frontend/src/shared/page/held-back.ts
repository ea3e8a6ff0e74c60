import type { TFunction } from 'i18next';
import { isServerReachable } from '@/api/reachable';
import { sentences } from '@/i18n/sentences';

/** The text for a part of the app that could not be loaded, though the server can be reached. */
export function heldBackText(t: TFunction): string {
  return sentences(t('app.failed.heldBack'), t('app.error.adBlocker'));
}

/** Why a part of the page could not be loaded. */
export async function missingText(t: TFunction): Promise<string> {
  return (await isServerReachable()) ? heldBackText(t) : t('app.error.offline');
}
