import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.resetModules();
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
])('shows the page that a place goes back to %s', async (_how, more, height) => {
  const place = await passedBack(`data-passback="https://example.com/own" ${more}`);
  expect(place.style.height).toBe(height);
  expect(place.querySelector('iframe')).toHaveAttribute('src', 'https://example.com/own');
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
