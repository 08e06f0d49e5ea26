import type { IncomingMessage } from "node:http";
import type { CallOptions } from "../../shared/methods/define.js";
import { noOptions } from "../rpc/dispatch.js";
import { header } from "./answers/headers.js";
import { lastOf, parseQuery } from "./requests/query.js";

const maxTimeoutMs = 3000;

/** Reads the request options of v3 from headers, or from query parameters with case-sensitive names. */
export function readOptions(request: IncomingMessage, search: string): CallOptions {
  const query = search === "" ? [] : parseQuery(search);
  const find = (name: string) => header(request, name) ?? lastOf(query, name.replaceAll("-", "_"));
  const timeoutMs = timeoutOf(find("x-timeout"));
  const noAddressBook = isTrue(find("x-no-address-book"));
  const noMetadata = isTrue(find("x-no-metadata"));
  const actionsVersion = header(request, "x-actions-version");
  if (!timeoutMs && !noAddressBook && !noMetadata && !actionsVersion) return noOptions;
  return {
    ...(timeoutMs && { timeoutMs }),
    ...(noAddressBook && { noAddressBook }),
    ...(noMetadata && { noMetadata }),
    ...(actionsVersion && { actionsVersion }),
  };
}

/** Values other than positive integers are ignored. */
function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  return Math.min(Number(text), maxTimeoutMs) || undefined;
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(?:1|t|true|on)$/i.test(text);
}
