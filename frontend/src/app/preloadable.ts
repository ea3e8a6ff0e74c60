import { type ComponentType, lazy } from 'react';

/** The code of a page is not on this device, and could not be fetched. */
export class MissingCode extends Error {
  constructor(
    cause: unknown,
    /** Fetches it again; what is drawn next then has it. */
    readonly retry: () => Promise<unknown>,
  ) {
    super('code could not be loaded', { cause });
    this.name = 'MissingCode';
  }
}

/** A component whose code is loaded when needed, or earlier on request. */
export function preloadable<P>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  let shown: ComponentType<P> | undefined;
  let failed = false;
  const preload = async () => {
    // React's keeps its failure for ever, so that the next try gets another one.
    if (failed) shown = undefined;
    failed = false;
    loaded ??= await load();
    return loaded;
  };
  const lazyOne = () =>
    lazy(async () => {
      try {
        return { default: await preload() };
      } catch (cause) {
        failed = true;
        throw new MissingCode(cause, preload);
      }
    });
  return {
    preload,
    /** Always the same component once shown, because another one would remount. */
    component: () => {
      shown ??= loaded ?? lazyOne();
      return shown;
    },
  };
}
