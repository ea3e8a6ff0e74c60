import { expect, type Locator, type Page } from '@playwright/test';

/** More controls than this before the next one that is needed would be a page nobody can use. */
const farthest = 60;

/** Tabs to a control, whose focus must be seen. */
export async function reach(page: Page, control: Locator) {
  await control.waitFor();
  for (let step = 0; step < farthest; step += 1) {
    const there = await control.evaluate((element) => element === document.activeElement);
    if (there) return seen(control);
    await page.keyboard.press('Tab');
  }
  throw new Error(`${control} is not reached by ${farthest} tabs`);
}

/**
 * The ring may be the control's own, that of the box around it, or of a box beside it. A box that is
 * laid out only in view has it a frame later.
 */
async function seen(control: Locator) {
  const ring = () =>
    control.evaluate((element) => {
      const around = [element, element.parentElement, element.parentElement?.parentElement];
      const beside = [...(element.parentElement?.querySelectorAll('*') ?? [])];
      const drawn = [...around, ...beside].flatMap((box) =>
        box ? [getComputedStyle(box), getComputedStyle(box, '::after')] : [],
      );
      return drawn.some(
        ({ outlineStyle, outlineWidth, boxShadow }) =>
          (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow.includes('inset'),
      );
    });
  await expect.poll(ring, `${control} shows that it has the focus`).toBe(true);
}

export async function type(page: Page, field: Locator, text: string) {
  await reach(page, field);
  await page.keyboard.type(text);
}

export async function press(page: Page, button: Locator) {
  await reach(page, button);
  await page.keyboard.press('Enter');
}

/** On the page that follows, the focus is somewhere that Tab goes on from. */
export async function follow(page: Page, link: Locator, address: RegExp) {
  await press(page, link);
  await expect(page).toHaveURL(address);
}

export async function confirm(page: Page, digits: string) {
  const dialog = page.getByRole('dialog', { name: 'Transaction password' });
  await expect(dialog).toBeVisible();
  await type(page, dialog.getByLabel('Enter your 6 digits'), digits);
  await press(page, dialog.getByRole('button', { name: 'Confirm', exact: true }));
}
