/** What a component of react-vant's drops on its way to the element; what is not given is taken away. */
export function setAttributes(
  element: Element | null | undefined,
  attributes: Record<string, string | true | undefined>,
) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element?.removeAttribute(name);
    else element?.setAttribute(name, String(value));
  }
}
