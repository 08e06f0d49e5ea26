import type { Fallback } from "../../observe/fallback.js";
import type { SentEvent } from "../subscriptions/sent-event.js";

/** Reads the bag of cells of a transaction from the chain, in base64. `account` is a raw address, `hash` in base64. */
export type ReadRaw = (
  transaction: { account: string; lt: bigint; hash: string },
  signal: AbortSignal,
) => Promise<string>;

/** `readRaw` is absent if transactions cannot be read from the chain. */
export type RawSource = { readRaw?: ReadRaw | undefined; fallback: Fallback };

/**
 * Adds the bag of cells, which the index does not store, to a transaction's text; `null` if the chain cannot provide
 * it.
 */
export async function withRaw(
  { json, key, id }: SentEvent,
  { readRaw, fallback }: RawSource,
  signal: AbortSignal,
): Promise<string> {
  if (id === undefined || key === undefined) throw new TypeError("a transaction has a key and an id");
  const hash = id.slice(id.indexOf(".") + 1);
  const raw = await readRaw?.({ account: key.id, lt: key.lt, hash }, signal).catch((error) => {
    // An aborted signal means that the event has no reader.
    if (!signal.aborted) fallback("raw-transaction", error);
    return undefined;
  });
  return `${json.slice(0, -1)},"raw":${JSON.stringify(raw ?? null)}}`;
}
