import type { ParamsOf } from "../../../methods/define.js";
import type { debugStateMethods } from "../../../methods/v3/debug-state.js";
import { NamedError } from "../../../values/named-error.js";
import type { Search } from "../../debug/find-steps.js";

type Searches = "line" | "at" | "instruction" | "function" | "writes" | "throws" | "action" | "equals";
/** What steps are searched for, as callers write it: one of the members. */
export type StepSearchParams = {
  readonly [Name in Searches]?: ParamsOf<typeof debugStateMethods.find>[Name] | undefined;
};

/** A search that cannot be read. */
export class SearchFault extends NamedError {
  static override readonly name = "SearchFault";
  readonly param: string;

  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

/** `globals`: names of global variables, from number 1. Throws a SearchFault. */
export function searchOf(
  { line, at, instruction, function: name, writes, throws, action, equals }: StepSearchParams,
  globals: readonly string[],
): Search {
  if (line !== undefined) return lineSearch(line);
  if (at !== undefined) return { at: at.toLowerCase() };
  if (instruction !== undefined) return { instruction };
  if (name !== undefined) return { function: name };
  if (writes !== undefined) return writesOf(writes, globals);
  if (throws !== undefined) return { throws: throws === "any" ? "any" : integerIn("throws", throws) };
  if (action !== undefined) return { action };
  return { equals: equals ?? "" };
}

function lineSearch(text: string): Search {
  const colon = text.lastIndexOf(":");
  const line = integerIn("line", text.slice(colon + 1));
  return { line, file: colon < 0 ? undefined : text.slice(0, colon) };
}

function integerIn(name: string, text: string): number {
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new SearchFault(name, `${name} needs a number`);
}

/** A register, or a global variable by its number or its name in the source map. */
function writesOf(text: string, globals: readonly string[]): Extract<Search, { writes: unknown }> {
  if (text === "c4" || text === "c5" || text === "c7") return { writes: text };
  const named = globals.indexOf(text);
  return { writes: named >= 0 ? named + 1 : integerIn("writes", text) };
}
