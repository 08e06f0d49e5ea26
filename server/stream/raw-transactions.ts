import type { Sent } from "./sent.js";

/** Reads the bag of cells of a transaction from the chain, in base64. `account` is a raw address, `hash` in base64. */
export type ReadRaw = (
  transaction: { account: string; lt: bigint; hash: string },
  signal: AbortSignal,
) => Promise<string>;

/**
 * Adds the bag of cells, which the index does not store, to a transaction's text; `null` if the chain cannot provide
 * it.
 */
export async function withRaw(
  { json, key, id }: Sent,
  readRaw: ReadRaw | undefined,
  signal: AbortSignal,
): Promise<string> {
  const hash = id!.slice(id!.indexOf(".") + 1);
  const raw = await readRaw?.({ account: key!.id, lt: key!.lt, hash }, signal).catch(() => undefined);
  return `${json.slice(0, -1)},"raw":${JSON.stringify(raw ?? null)}}`;
}
