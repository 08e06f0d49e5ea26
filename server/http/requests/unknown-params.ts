import type { IncomingMessage } from "node:http";
import { header } from "../answers/headers.js";

/**
 * Whether calls of a request at `/jsonRPC` may only have parameters that their methods have. TonClient of @ton/ton,
 * which sends its version, passes on members that its callers gave.
 */
export function refusesUnknown(request: IncomingMessage, setting: UnknownParams): boolean {
  return setting === "refuse" && header(request, "x-ton-client-version") === undefined;
}

export type UnknownParams = "refuse" | "ignore";

/** Query parameters that are no parameter of a method: the key, and options of requests. */
const options: ReadonlySet<string> = new Set(["api_key", "x_timeout", "x_no_address_book", "x_no_metadata"]);
/** The form of parameter names in the registry. Only names of this form are echoed. */
const nameForm = /^[A-Za-z][A-Za-z0-9_]*$/;

/** The header that names parameters which had no effect. */
export function ignoredHeader(names: readonly string[]): Readonly<Record<string, string>> | undefined {
  const shown = names.filter((name) => nameForm.test(name) && !options.has(name));
  return shown.length > 0 ? { "X-Ignored-Params": [...new Set(shown)].join(", ") } : undefined;
}
