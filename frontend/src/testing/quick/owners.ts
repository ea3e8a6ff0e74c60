import * as React from 'react';

type Internals = { recentlyCreatedOwnerStacks: number };

/**
 * React takes a stack trace with every element, for warnings that say where it was written, up to ten thousand a second.
 * It offers no other way to be told that these are all taken. Warnings still name the components.
 */
export function quickOwners() {
  const name = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
  const internals = (React as unknown as Record<typeof name, Internals>)[name];
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.POSITIVE_INFINITY,
    set: () => {},
  });
}
