import { type BackRule, routes } from '@/app/routes';
import type { Place } from '@/pages';
import { currentPlace } from '@/shared/navigation/navigation';

type World = {
  /** Returns whether there was one. */
  closeLayer(): boolean;
  custom: (() => void) | null;
  rule: BackRule;
  hasPrevious: boolean;
  closeNative: (() => void) | null;
  goTo(place: Place): void;
  goBack(): void;
};

/**
 * Closes what lies over the page first. Then the order is the specification's; the last case is a
 * page opened by its address.
 */
export function followBack(world: World) {
  const { closeLayer, custom, rule, hasPrevious, closeNative, goTo, goBack } = world;
  if (closeLayer()) return;
  if (custom) return custom();
  if (closeNative && (!hasPrevious || rule === 'native')) return closeNative();
  if (typeof rule === 'object') return goTo(rule.to);
  if (hasPrevious) return goBack();
  goTo('/ad-center');
}

/** The rule of the addressed page: until its code is loaded, React draws the previous one. */
export function addressedRule(): BackRule {
  const { pathname } = currentPlace();
  return routes.find(({ path }) => path === pathname)?.back ?? 'history';
}
