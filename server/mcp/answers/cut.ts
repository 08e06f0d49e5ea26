import { visibleText } from "./safe-text.js";

/** How much of a value an answer shows. */
type Limits = {
  /** Characters of a text. */
  readonly text: number;
  /** Items of a list, and members of an object. */
  readonly items: number;
  readonly depth: number;
};

/** From the widest limits to those that make any value short. */
export const cutLevels: readonly Limits[] = [
  { text: 4000, items: 300, depth: 16 },
  { text: 1000, items: 100, depth: 12 },
  { text: 300, items: 40, depth: 10 },
  { text: 100, items: 15, depth: 8 },
  { text: 40, items: 6, depth: 4 },
];

/** A copy of a JSON value within the limits; `isCut` says whether something is missing. */
export function cutTo(value: unknown, limits: Limits): { value: unknown; isCut: boolean } {
  let isCut = false;
  const shorten = (each: unknown, depth: number): unknown => {
    if (typeof each === "string") {
      if (each.length <= limits.text) return visibleText(each);
      isCut = true;
      return `${visibleText(each.slice(0, limits.text))}… [cut: ${each.length} characters]`;
    }
    if (typeof each !== "object" || each === null) return each;
    const count = Array.isArray(each) ? each.length : Object.keys(each).length;
    if (count === 0) return each;
    if (depth === 0) {
      isCut = true;
      return "… [cut: too deep]";
    }
    if (count > limits.items) isCut = true;
    const left = count - limits.items;
    if (Array.isArray(each)) {
      const shown = each.slice(0, limits.items).map((item) => shorten(item, depth - 1));
      return left > 0 ? [...shown, `… [cut: ${left} more]`] : shown;
    }
    const members = Object.entries(each)
      .slice(0, limits.items)
      .map(([name, member]) => [visibleText(name.slice(0, maxName)), shorten(member, depth - 1)]);
    if (left > 0) members.push(["…", `[cut: ${left} more]`]);
    return Object.fromEntries(members);
  };
  return { value: shorten(value, limits.depth), isCut };
}

/** Longer than any address or hash. */
const maxName = 200;
