import { configure, getConfig } from '@testing-library/react';

/** Set by Testing Library while it looks for something that may come later. */
type Looking = { _disableExpensiveErrorDiagnostics?: boolean };

/**
 * A query that finds nothing writes the whole page into its error, also at each look of those that wait, where nobody
 * reads it. When they give up, they write the page themselves.
 */
export function quickFailures() {
  const { getElementError } = getConfig();
  configure({
    getElementError: (message, container) => {
      const looking = (getConfig() as Looking)._disableExpensiveErrorDiagnostics;
      if (!looking) return getElementError(message, container);
      return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
    },
  });
}
