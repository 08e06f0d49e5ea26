import { createHash } from "node:crypto";
import { CallFailure } from "../session.js";

/** A place in a list. */
export type Place = {
  /** Rows before it. */
  readonly offset: number;
  /** Keeps rows out that appeared after the first page; in the unit of the list's filter. */
  readonly until?: string | undefined;
};

/** Longer texts are no cursors. */
export const maxCursorLength = 200;
const form = /^(\d{1,9})\.(\d{0,20})\.([0-9a-f]{16})$/;

/** The cursor of a place, for the next call of a tool with equal arguments. */
export function writeCursor({ offset, until = "" }: Place, tool: string, args: object): string {
  return `${offset}.${until}.${digestOf(tool, args)}`;
}

/** Throws if a text is no cursor of this tool with these arguments. */
export function readCursor(text: string, tool: string, args: object): Place {
  const [, offset, until, digest] = form.exec(text) ?? [];
  if (digest === undefined)
    throw new CallFailure(
      "invalid-params",
      "cursor is none of this service: pass the cursor of an earlier answer",
    );
  if (digest !== digestOf(tool, args))
    throw new CallFailure(
      "invalid-params",
      "cursor belongs to another call: repeat the call that gave it with equal arguments and the cursor",
    );
  return { offset: Number(offset), ...(until && { until }) };
}

function digestOf(tool: string, args: object): string {
  const sorted = Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([tool, sorted]))
    .digest("hex")
    .slice(0, 16);
}
