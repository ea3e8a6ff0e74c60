import { type ComponentType, lazy } from 'react';

/** The code of a page is not on this device, and could not be fetched. */
export class MissingCode extends Error {
  /** Fetches it again; what is drawn next then has it. */
  readonly again: () => Promise<unknown>;

  constructor(cause: unknown, again: () => Promise<unknown>) {
    super('code could not be loaded', { cause });
    this.name = 'MissingCode';
    this.again = again;
  }
}

/** A component whose code is loaded when needed, or earlier on request. */
export function lazily<P>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  let shown: ComponentType<P> | undefined;
  let failed = false;
  const get = async () => {
    // React's keeps its failure for ever, so that the next try gets another one.
    if (failed) shown = undefined;
    failed = false;
    loaded ??= await load();
    return loaded;
  };
  const lazyOne = () =>
    lazy(async () => {
      try {
        return { default: await get() };
      } catch (cause) {
        failed = true;
        throw new MissingCode(cause, get);
      }
    });
  return {
    get,
    /** Always the same component once shown, because another one would remount. */
    shown: () => {
      shown ??= loaded ?? lazyOne();
      return shown;
    },
  };
}
