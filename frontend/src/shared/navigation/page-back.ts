let customHandler: (() => void) | null = null;

export function customBack(): (() => void) | null {
  return customHandler;
}

/** Sets a page's own way back, such as one step of its form. Returns how to remove it. */
export function takeOverBack(handler: () => void): () => void {
  customHandler = handler;
  return () => {
    if (customHandler === handler) customHandler = null;
  };
}

/** React Router numbers its entries: the app's first page is 0. */
export function hasPreviousPage(): boolean {
  const { idx = 0, held = false } = window.history.state ?? {};
  // An entry that only holds what lies over the first page is the same page.
  return idx > (held ? 1 : 0);
}
