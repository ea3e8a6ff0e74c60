import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  document.head.innerHTML = '';
  vi.restoreAllMocks();
  vi.resetModules();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The place of a tag with these attributes, once its frame has said that nothing fits. */
async function passedBack(attributes: string): Promise<HTMLElement> {
  document.body.innerHTML = `<script data-slot="KEY" src="https://ads.example/tag.js" ${attributes}></script>`;
  await import('./tag');
  const asked = document.querySelector('iframe') as HTMLIFrameElement;
  const data = { placard: { kind: 'nothing' } };
  window.dispatchEvent(new MessageEvent('message', { source: asked.contentWindow, data }));
  return document.querySelector('script + div') as HTMLElement;
}

it.each([
  ['in sight, though its page does not say how high it is', '', '250px'],
  ['as high as the publisher says', 'data-height="90"', '90px'],
  ['as high, with the unit', 'data-height="90px"', '90px'],
  ['in sight, as a share of nothing is no height', 'data-height="100%"', '250px'],
])('shows the page that a place goes back to %s', async (_how, more, height) => {
  const place = await passedBack(`data-passback="https://example.com/own" ${more}`);
  expect(place.style.height).toBe(height);
  expect(place.querySelector('iframe')).toHaveAttribute('src', 'https://example.com/own');
});

it('shows the ad in a frame that has nothing but the tag, which is in its head then', async () => {
  vi.spyOn(window, 'parent', 'get').mockReturnValue({} as Window);
  document.head.innerHTML =
    '<script data-slot="KEY" src="https://ads.example/tag.js?v=2" data-passback="#own"></script>';
  document.body.innerHTML = '<img alt=""><template id="own"><p>Ours</p></template>';
  await import('./tag');
  const asked = document.querySelector('body > div:first-child > iframe') as HTMLIFrameElement;
  expect(asked).toHaveAttribute('src', 'https://ads.example/ads/frame/KEY?fit=content');
  const data = { placard: { kind: 'nothing' } };
  window.dispatchEvent(new MessageEvent('message', { source: asked.contentWindow, data }));
  expect(document.querySelector('body > p:first-child')).toHaveTextContent('Ours');
});

it('shows the ad in a component, and passes back what stands there', async () => {
  document.body.innerHTML = '<div><b></b></div><p id="own" hidden>Of the page</p>';
  const outer = (document.querySelector('div') as HTMLElement).attachShadow({ mode: 'open' });
  outer.innerHTML = '<section></section>';
  const inner = (outer.querySelector('section') as HTMLElement).attachShadow({ mode: 'open' });
  inner.innerHTML =
    '<script data-slot=" KEY " src="https://ads.example/tag.js" data-passback="#own"></script><p id="own" hidden>Ours</p>';
  await import('./tag');
  const asked = inner.querySelector('script + div > iframe') as HTMLIFrameElement;
  expect(asked).toHaveAttribute('src', 'https://ads.example/ads/frame/KEY?fit=content');
  const data = { placard: { kind: 'nothing' } };
  window.dispatchEvent(new MessageEvent('message', { source: asked.contentWindow, data }));
  expect(inner.querySelector<HTMLElement>('#own')?.hidden).toBe(false);
  expect(document.getElementById('own')?.hidden).toBe(true);
});

it('leaves alone what stands on the page to which an app has gone on', async () => {
  vi.useFakeTimers();
  const own = '<p id="own" hidden>Ours</p>';
  const tag =
    '<script data-slot="KEY" src="https://ads.example/tag.js" data-passback="#own"></script>';
  document.body.innerHTML = tag + own;
  await import('./tag');
  vi.advanceTimersByTime(4_000);
  document.body.innerHTML = own;
  vi.advanceTimersByTime(8_000);
  expect(document.getElementById('own')).not.toBeVisible();
});

it('gives the ad its room once the window has it', async () => {
  document.body.innerHTML = '<script data-slot="KEY" src="https://ads.example/tag.js"></script>';
  vi.stubGlobal('innerHeight', 100);
  await import('./tag');
  const place = document.querySelector('script + div') as HTMLElement;
  const source = (place.firstElementChild as HTMLIFrameElement).contentWindow;
  const resize = (innerHeight: number) => {
    vi.stubGlobal('innerHeight', innerHeight);
    window.dispatchEvent(new Event('resize'));
    return place.style.height;
  };
  expect(resize(90), 'nothing was said yet').toBe('1px');
  const data = { placard: { kind: 'shown', label: 'Ad', height: 290 } };
  window.dispatchEvent(new MessageEvent('message', { source, data }));
  expect(place.style.height).toBe('90px');
  expect([250, 600, 200].map(resize)).toEqual(['250px', '290px', '290px']);
});
