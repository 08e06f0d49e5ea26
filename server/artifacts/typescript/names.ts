import { claimedText } from "../../../shared/values/claimed-text.js";

const maxIdentifier = 80;
const maxComment = 300;

/** Words that cannot name a type or a constant, and globals that a program would miss. */
const reserved: ReadonlySet<string> = new Set(
  (
    "any arguments as async await bigint boolean break case catch class const continue debugger declare default delete do else " +
    "enum eval export extends false finally for function get if implements import in infer instanceof interface intrinsic is " +
    "keyof let module namespace never new null number object of package private protected public readonly require return set " +
    "static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield " +
    "Promise Record Array Object Symbol Infinity NaN globalThis"
  ).split(" "),
);

/** Names of one program, each of which is given once. */
export class Names {
  readonly #taken = new Set(reserved);

  /** An identifier like this text, whatever the text has. */
  take(text: string): string {
    const word = text
      .normalize("NFKC")
      .split(/[^A-Za-z0-9]+/)
      .filter((part) => part !== "")
      .join("_")
      .slice(0, maxIdentifier);
    const base = /^[A-Za-z]/.test(word) ? word : `_${word}`;
    let name = base;
    for (let number = 2; this.#taken.has(name); number++) name = `${base}${number}`;
    this.#taken.add(name);
    return name;
  }
}

/** The key of a member: quoted unless it is a plain word. */
export function keyText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && name !== "__proto__" ? name : quoted(name);
}

/** A text as a literal, in which only printable ASCII is as it is: other characters may change how the line reads. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Text of somebody else in a comment, which it cannot end. */
export function commentText(text: string): string {
  return claimedText(text, maxComment).replaceAll("*/", "* /");
}

/** A comment before a declaration or member; nothing without a text. */
export function docLines(text: string, indent = ""): string[] {
  const shown = commentText(text);
  return shown === "" ? [] : [`${indent}/** ${shown} */`];
}

/** Data as a literal of TypeScript. Members that are undefined are left out. */
export function literal(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return value < 0n ? `${value}n` : `0x${value.toString(16)}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return "{}";
  return `{ ${members.map(([name, member]) => `${keyText(name)}: ${literal(member)}`).join(", ")} }`;
}
