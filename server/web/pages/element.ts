/** The element of a selector that the markup below `root` has. */
export function elementOf<E extends Element = HTMLElement>(root: ParentNode, selector: string): E {
  const element = root.querySelector<E>(selector);
  if (!element) throw new TypeError(`the page has no ${selector}`);
  return element;
}
