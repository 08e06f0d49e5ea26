import { unseen } from "../../../shared/values/unseen.js";

/** They choose the form of the character before them, often of an emoji. */
const selector = /[\ufe00-\ufe0f]/;

/**
 * A text of the chain without unseen characters: variation selectors are removed, others are replaced. Line feeds and tabs
 * stay.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, (each) =>
    each === "\n" || each === "\t" ? each : selector.test(each) ? "" : "\ufffd",
  );
}
