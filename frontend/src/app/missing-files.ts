/** Whether the server can be reached. */
export async function isAnswering(): Promise<boolean> {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.ok ?? false;
}

/** A style sheet that could not be loaded is never asked for again, with whatever page needs it. */
export async function loadStylesAgain(): Promise<boolean> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  const missing = [...links].filter((link) => link.sheet === null);
  const loaded = await Promise.all(missing.map(loadAgain));
  return loaded.every(Boolean);
}

function loadAgain(link: HTMLLinkElement): Promise<boolean> {
  return new Promise((done) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = () => done(true);
    again.onerror = () => done(false);
    link.replaceWith(again);
  });
}
