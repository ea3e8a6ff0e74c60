import type { ComponentType } from 'react';

/** A component of src/ui in its states; each state is a component, so that it can be used. */
export type Entry = {
  component: string;
  states: Record<string, ComponentType>;
  /** Other components of src/ui that its states show. */
  and?: readonly string[];
  /** It covers its page, so that each state stands in a frame of its own. */
  covers?: boolean;
};

export type Family = { name: string; entries: readonly Entry[] };
