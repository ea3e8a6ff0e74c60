let customHandler: (() => void) | null = null;

export function customBack(): (() => void) | null {
  return customHandler;
}

/** A page's own way back, such as one step of its form. Returns how to give it up. */
export function takeOverBack(handler: () => void): () => void {
  customHandler = handler;
  return () => {
    if (customHandler === handler) customHandler = null;
  };
}

/** React Router numbers the entries it made: the first page of the app is 0. */
export function hasPreviousPage(): boolean {
  return (window.history.state?.idx ?? 0) > 0;
}
