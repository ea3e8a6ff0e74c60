import { type ComponentType, lazy } from 'react';

/** A component whose code is loaded when needed, or earlier on request. */
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
    /** Always the same component once shown, because another one would remount. */
    shown: () => {
      shown ??= loaded ?? Lazy;
      return shown;
    },
  };
}
