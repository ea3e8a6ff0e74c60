import { expect, it, vi } from 'vitest';

it('asks for room for the whole ad, its border included', async () => {
  document.body.innerHTML = '<main data-viewable="/seen" data-label="Ad"></main>';
  const ad = document.querySelector('main') as HTMLElement;
  vi.spyOn(ad, 'scrollHeight', 'get').mockReturnValue(118);
  vi.spyOn(ad, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 120.4));
  const told = vi.fn();
  vi.spyOn(window, 'parent', 'get').mockReturnValue({ postMessage: told } as unknown as Window);
  await import('./frame');
  const message = { placard: { kind: 'shown', label: 'Ad', height: 121 } };
  expect(told).toHaveBeenCalledWith(message, '*');
});
