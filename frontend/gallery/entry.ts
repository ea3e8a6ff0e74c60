import type { ComponentType } from 'react';

/** A component of src/ui with its states. Each state is a component, so that it works when used. */
export type Entry = {
  component: string;
  states: Record<string, ComponentType>;
  /** Other components of src/ui that these states show. */
  and?: readonly string[];
  /** It covers the page, so each state gets its own frame. */
  covers?: boolean;
};

export type Family = { name: string; entries: readonly Entry[] };
