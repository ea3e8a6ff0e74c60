/**
 * Sets attributes that a react-vant component does not pass to its element, and removes undefined
 * ones.
 */
export function setAttributes(
  element: Element | null | undefined,
  attributes: Record<string, string | true | undefined>,
) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element?.removeAttribute(name);
    else element?.setAttribute(name, String(value));
  }
}
