import { expect, type Page } from '@playwright/test';

/** What the server's background jobs do in several rounds, each of which takes long on a busy machine. */
export const rounds = { timeout: 240_000 };

/**
 * Loads the page again until it shows what the server learns only after a while. Each time it may take longer, so that
 * no machine is too slow.
 */
export async function reloadUntil(page: Page, shows: (timeout: number) => Promise<void>) {
  let timeout = 2_000;
  await expect(async () => {
    await page.reload();
    timeout *= 1.5;
    await shows(timeout);
  }).toPass();
}

/**
 * A text that is shown only for a moment. Begin to wait before what brings it, which may take longer than that moment:
 * `Promise.all([told(page, 'Saved'), button.click()])`.
 */
export function told(page: Page, text: string) {
  return page.getByText(text).first().waitFor();
}
