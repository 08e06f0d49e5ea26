import { createHash } from "node:crypto";
import type { Call } from "../../shared/methods/define.js";
import { JsonText } from "../../shared/methods/json-text.js";
import { cacheKey } from "../../shared/rpc/cache-key.js";
import {
  hasSeal,
  type KeyValue,
  keyBytes,
  ListCursor,
  textOfCursor,
} from "../../shared/values/list-cursor.js";
import { ServiceError } from "../errors.js";
import { enclosed } from "./json/enclosed-json.js";

type Params = Readonly<Record<string, unknown>>;
type Run = (params: Params, call: Call) => unknown;

/** Part of every digest. It changes with the keys of lists, so that older cursors are refused. */
const version = "1";

type ListCall = { name: string; params: Params; call: Call; run: Run };

/** The page of a list that begins behind a cursor, with the next cursor. Throws unless the cursor belongs to the list. */
export async function pageFrom(given: ListCursor, { name, params, call, run }: ListCall): Promise<unknown> {
  const digestOf = digestsOf(name, params);
  if (Number(params["offset"] ?? 0) > 0) throw refusal("use either cursor or offset, not both");
  if (given.after && !hasSeal(given, digestOf(given.after)))
    throw refusal(
      "cursor belongs to another list, or to other filters: keep those of the call that gave it, or begin with cursor=start",
    );
  // Parsed parameters are shared by equal calls.
  const cursor = new ListCursor(given.after);
  const result = await run({ ...params, cursor }, call);
  const next = cursor.next ? textOfCursor(cursor.next, digestOf(cursor.next)) : null;
  if (!Array.isArray(result)) return withMember(result, next);
  // Arrays have no room for it, and neither has the cache.
  call.nextCursor = next;
  call.provisional = true;
  return result;
}

function refusal(text: string): ServiceError {
  return new ServiceError("invalid-params", text, { data: { param: "cursor" } });
}

/** Digests of keys in a list with these filters. Pages may have different lengths. */
function digestsOf(name: string, { limit, offset, cursor, ...filters }: Params) {
  const list = `${version} ${cacheKey(name, filters)}\n`;
  return (key: readonly KeyValue[]): Uint8Array =>
    createHash("sha256").update(list).update(keyBytes(key)).digest();
}

function withMember(result: unknown, next: string | null): unknown {
  if (!(result instanceof JsonText)) return { ...(result as object), cursor: next };
  return new JsonText(enclosed("", result.json, `,"cursor":${JSON.stringify(next)}}`, "}".length));
}
