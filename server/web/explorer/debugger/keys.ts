import type { Tab } from "./place.js";
import { tabs } from "./place.js";

/** What the keyboard and the buttons of the page do. */
export type Command =
  | "forth"
  | "back"
  | "down"
  | "up"
  | "out"
  | "outBack"
  | "first"
  | "last"
  | "failure"
  | "breakpoint"
  | "on"
  | "onBack"
  | "goTo"
  | "find"
  | "help"
  | Tab;

/** Keys in the order of the help, with what they do. */
export const keyHelp: readonly (readonly [keys: string, meaning: string])[] = [
  ["→ ←", "one step on, one back"],
  ["↓ ↑", "next line, line before"],
  ["Shift → ↓", "out of the function"],
  ["Shift ← ↑", "back to its call"],
  ["Home End", "first step, last step"],
  ["f", "the failure"],
  ["b", "breakpoint here, on or off"],
  ["c C", "on, or back, to a breakpoint"],
  ["g", "go to a step"],
  ["/", "find"],
  ["1 to 5", "stack, locals, storage, actions, message"],
  ["?", "these keys"],
];

const plain: Readonly<Record<string, Command>> = {
  ArrowRight: "forth",
  ArrowLeft: "back",
  ArrowDown: "down",
  ArrowUp: "up",
  Home: "first",
  End: "last",
  f: "failure",
  b: "breakpoint",
  c: "on",
  C: "onBack",
  g: "goTo",
  "/": "find",
  "?": "help",
  ...Object.fromEntries(tabs.map((tab, index) => [String(index + 1), tab])),
};

const shifted: Readonly<Record<string, Command>> = {
  ArrowRight: "out",
  ArrowDown: "out",
  ArrowLeft: "outBack",
  ArrowUp: "outBack",
};

type Press = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** The command of a key; `undefined` for the keys of the browser and of others. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Press): Command | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const commands = shiftKey && Object.hasOwn(shifted, key) ? shifted : plain;
  return Object.hasOwn(commands, key) ? commands[key] : undefined;
}
