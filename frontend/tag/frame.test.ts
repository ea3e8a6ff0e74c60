import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.resetModules();
  vi.unstubAllGlobals();
});

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

it('fills a place that is lower than the ad needs, until there is room again', async () => {
  const { dataset } = document.documentElement;
  dataset.fit = 'content';
  document.body.innerHTML = '<main data-viewable="/seen"></main>';
  const ad = document.querySelector('main') as HTMLElement;
  vi.spyOn(ad, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 0, 300, dataset.fit ? 290 : window.innerHeight),
  );
  const told = vi.fn();
  vi.spyOn(window, 'parent', 'get').mockReturnValue({ postMessage: told } as unknown as Window);
  await import('./frame');
  for (const [room, fits] of [
    [250, false],
    [290, true],
    [90, false],
  ] as const) {
    vi.stubGlobal('innerHeight', room);
    window.dispatchEvent(new Event('resize'));
    expect('fit' in dataset).toBe(fits);
    expect(told.mock.lastCall).toEqual([
      { placard: { kind: 'shown', label: '', height: 290 } },
      '*',
    ]);
  }
  delete dataset.fit;
});

/** Plays the frame’s video: where it is, each time that the browser says so. */
async function played(places: number[]) {
  document.body.innerHTML =
    '<main data-viewable="/seen" data-played="/played/"><video></video></main><img data-view src="/view">';
  const view = document.querySelector('img[data-view]') as HTMLImageElement;
  vi.spyOn(view, 'complete', 'get').mockReturnValue(true);
  vi.spyOn(view, 'naturalWidth', 'get').mockReturnValue(1);
  const reported: string[] = [];
  const report = (address: string) => reported.push(address);
  vi.stubGlobal(
    'Image',
    class {
      set src(address: string) {
        report(address);
      }
    },
  );
  const video = document.querySelector('video') as HTMLVideoElement;
  vi.spyOn(video, 'duration', 'get').mockReturnValue(20);
  const at = vi.spyOn(video, 'currentTime', 'get').mockReturnValue(0);
  const listens = vi.spyOn(video, 'addEventListener');
  await import('./frame');
  await vi.waitFor(() => expect(listens).toHaveBeenCalledWith('timeupdate', expect.any(Function)));
  for (const place of places) {
    at.mockReturnValue(place);
    video.dispatchEvent(new Event('timeupdate'));
  }
  return reported.map((address) => address.replace(/^\/played\/(.*)\.gif$/, '$1'));
}

const all = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

it.each([
  ['each step once, in order', [0, 0.2, 4.9, 5, 5.2, 10, 15, 19.9, 0.1, 5, 19], all],
  ['the steps that were passed over between two looks', [0.3, 11], all.slice(0, 3)],
  ['the end of a short video that has begun anew', [0.3, 12, 0.1], all],
  ['the end of one that stops there', [1, 20], all],
  ['nothing of one that was not begun', [0, 0], []],
])('reports of a video %s', async (_, places, expected) => {
  expect(await played(places)).toEqual(expected);
});
