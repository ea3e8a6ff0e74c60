import userEvent from '@testing-library/user-event';

/** Pastes, which draws the page once. Typing draws it for each character: for tests of what happens meanwhile. */
export async function fillIn(field: HTMLElement, text: string) {
  await userEvent.click(field);
  await userEvent.paste(text);
}
