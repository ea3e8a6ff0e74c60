import { expect, test } from '@playwright/test';
import { layoutFaults } from './layout.ts';

test.use({ trace: 'off' });

// The layout check itself has to find faults.
const page = (body: string) => `<!doctype html><html lang="en"><style>
  body { margin: 0; font: 16px/1.4 sans-serif }
  .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden }
</style><body>${body}</body></html>`;

const broken: Record<string, string> = {
  'page wider than the screen': '<div style="width: 400px; height: 9px"></div>',
  'beyond the screen':
    '<p style="position: relative; left: 250px; width: 200px">Some words here</p>',
  cut: '<p style="width: 90px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">A text that ends in dots</p>',
  'out of its box':
    '<button style="width: 60px; white-space: nowrap; background: teal; border: 0; padding: 0">Donaudampfschifffahrt</button>',
  'broken word': '<p style="width: 60px; overflow-wrap: anywhere">Donaudampfschifffahrt</p>',
  covered: '<p>First line</p><p style="margin-top: -35px">Second line</p>',
};

test('every rule finds a page that breaks it', async ({ page: tab }) => {
  await tab.setViewportSize({ width: 320, height: 568 });
  for (const [rule, body] of Object.entries(broken)) {
    await tab.setContent(page(body));
    expect((await layoutFaults(tab)).map((fault) => fault.rule)).toContain(rule);
  }
});

test('nothing is found where nothing is wrong', async ({ page: tab }) => {
  await tab.setViewportSize({ width: 320, height: 568 });
  await tab.setContent(
    page(`<h1>Plans</h1><p>A text of several lines that goes on as far as it has to, and ends.</p>
      <p style="width: 90px; overflow: hidden; white-space: nowrap" data-may-be-cut="an address">https://example.com/long</p>
      <div style="overflow-x: auto"><p style="width: 600px">What can be scrolled to is not lost, wherever it is</p></div>
      <span class="visually-hidden">Only for screen readers, on one pixel</span>
      <button style="background: teal; border: 0">Save</button>
      <footer style="position: fixed; bottom: 0">Below</footer>`),
  );
  expect(await layoutFaults(tab)).toEqual([]);
});
