import { type ComponentType, lazy } from 'react';

/** A component whose code comes when it is wanted, and may be asked for before it is drawn. */
export function lazily<P>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  let shown: ComponentType<P> | undefined;
  const get = async () => {
    loaded ??= await load();
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await get() }));
  return {
    get,
    /** Ever the same, once shown: another one would begin anew. */
    shown: () => {
      shown ??= loaded ?? Lazy;
      return shown;
    },
  };
}
