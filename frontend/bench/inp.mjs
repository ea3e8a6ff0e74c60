/*
 * How long a phone takes to answer a touch: from the event to the next paint, on a processor slowed
 * down four times, the median of several repetitions. Needs a running demonstration: `just run`,
 * then `npm run bench:inp`.
 */
import { devices } from '@playwright/test';
import { base, launch, median, storage } from './browser.mjs';

const times = Number(process.env.RUNS ?? 7);
const mark = 100;
const slowdown = 4;

const browser = await launch(devices['Pixel 7']);
const page = await browser.newPage();
await page.addInitScript(
  (given) => {
    for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
    // As browsers do for Interaction to Next Paint: the longest event of each interaction.
    const longest = new Map();
    Object.assign(window, { interactions: longest });
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) {
        if (!interactionId) continue;
        longest.set(interactionId, Math.max(longest.get(interactionId) ?? 0, duration));
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  },
  await storage(true),
);

/** Reloads: a change of the hash alone would not. */
async function open(path) {
  await page.goto('about:blank');
  await page.goto(`${base}/#${path}`);
}

const button = (name) => page.getByRole('button', { name });

/**
 * Touches as a finger does. A click of Playwright's asks for each of its events what is at that place,
 * which is part of what is measured, and takes as long as the page in a long list.
 */
async function tap(at) {
  // It may still be rising.
  await at.tap({ trial: true });
  await at.tap({ force: true });
}

async function put(amount) {
  await open('/ad-center');
  const { items } = await page.evaluate(async () => {
    const headers = { 'X-CT': localStorage.getItem('fb_token') };
    const answer = await fetch('/api/products', { headers });
    return (await answer.json()).data;
  });
  await open(`/plan/goods-detail?id=${items[0].id}`);
  await button('Put amount').first().click();
  await page.getByRole('dialog').getByLabel('Amount', { exact: true }).fill(amount);
}

const tab = (name) => page.getByRole('link', { name, exact: true });
const languages = [
  { name: 'Deutsch', use: 'Use this language' },
  { name: 'English', use: 'Diese Sprache verwenden' },
];

async function chooseLanguage({ name, use }, touch) {
  await button(/^(Language|Sprache)$/).click();
  // The wheel is drawn over the real radio button.
  await page.getByRole('radio', { name }).evaluate((radio) => radio.click());
  await touch(() => tap(button(use)));
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

const tabs = [
  ['Wallet', 'Available funds'],
  ['Ad center', 'Impressions'],
];

const plans = 1000;

/** The list of who has as many plans: those of the demonstration, again and again. */
async function openPlans() {
  await page.route('**/api/plan/order/list?*', async (route) => {
    const response = await route.fetch();
    const { data, ...envelope } = await response.json();
    const items = Array.from({ length: plans }, (_, at) => {
      return { ...data.items[at % data.items.length], id: String(at + 1) };
    });
    const json = { ...envelope, data: { ...data, items, next_cursor: null } };
    await route.fulfill({ response, json });
  });
  await open('/plan');
  await page
    .getByRole('list', { name: 'Plans' })
    .getByRole('listitem')
    .nth(plans - 1)
    .waitFor();
}

/** Each is prepared once, and then touched repeatedly; `at` counts. */
const interactions = {
  'change the tab': {
    ready: async () => {
      await open('/ad-center');
      for (const [name, text] of tabs) {
        await tab(name).click();
        await page.getByText(text).first().waitFor();
      }
    },
    again: (touch, at) => touch(() => tap(tab(tabs[at % 2][0]))),
  },
  'open the password sheet': {
    ready: () => put('60.00'),
    again: async (touch) => {
      await touch(() => tap(page.getByRole('dialog').getByRole('button', { name: 'Put amount' })));
      await page.getByLabel('Enter your 6 digits').waitFor();
      await page.keyboard.press('Escape');
    },
  },
  'type a digit': {
    ready: async () => {
      await put('60.00');
      await page.getByRole('dialog').getByRole('button', { name: 'Put amount' }).click();
      await page.getByLabel('Enter your 6 digits').waitFor();
    },
    again: async (touch) => {
      // Exactly, because amounts behind the sheet begin with it too.
      await touch(() => tap(page.getByRole('button', { name: '5', exact: true })));
      await page.getByRole('button', { name: 'Delete last digit' }).click();
    },
  },
  'open the filters of 1,000 plans': {
    ready: openPlans,
    again: async (touch) => {
      await touch(() => tap(button(/^Filters/)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    },
  },
  'type in their search': {
    ready: async () => {
      await openPlans();
      await page.getByRole('searchbox').focus();
    },
    again: (touch, at) => touch(() => page.keyboard.type('aurora'[at % 6])),
  },
  'choose a loaded language': {
    ready: async () => {
      await open('/wallet');
      for (const language of languages) await chooseLanguage(language, (press) => press());
    },
    again: (touch, at) => chooseLanguage(languages[at % 2], touch),
  },
};

const session = await page.context().newCDPSession(page);
const slow = (rate) => session.send('Emulation.setCPUThrottlingRate', { rate });

async function measure({ ready, again }) {
  await ready();
  const durations = [];
  for (let at = 0; at < times; at += 1) {
    await page.waitForTimeout(500);
    await again(async (press) => {
      await page.evaluate(() => window.interactions.clear());
      await slow(slowdown);
      await press();
      await page.waitForTimeout(700);
      await slow(1);
      // Events below 16 ms are not reported.
      const told = await page.evaluate(() => [...window.interactions.values()]);
      durations.push(Math.max(16, ...told));
    }, at);
  }
  return durations;
}

let late = false;
console.log(`${'ms until the next paint, of 100'.padEnd(34)} median  worst`);
for (const [name, interaction] of Object.entries(interactions)) {
  const durations = await measure(interaction);
  const worst = Math.max(...durations);
  const usual = median(durations);
  if (usual > mark) late = true;
  console.log(`${name.padEnd(34)} ${String(usual).padStart(6)} ${String(worst).padStart(6)}`);
}
await browser.close();
if (late) process.exitCode = 1;
