import type { ZeroStateIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";
import type { Queries } from "../../store/database.js";
import { insertMeta, readMeta } from "../../store/queries/upkeep/index-meta.js";

/** Identifies a chain. */
export type Identity = { network: string; zeroState: ZeroStateIdExt };

/** The database holds the index of another chain. */
class OtherChainError extends SetupError {
  override readonly name = "OtherChainError";
}

/**
 * Stores the identity of the chain in an empty index. Throws `OtherChainError` if it is the index of another chain, and
 * `SetupError` if a part of it was imported alone.
 */
export async function claimIdentity(
  queries: Queries,
  identity: Identity,
  { isImport = false } = {},
): Promise<void> {
  if (!isImport && (await readMeta(queries, ["import"])).length > 0)
    throw new SetupError(
      "an import of the index has not ended: run tonwire import-index again, or remove its part with tonwire empty-index",
    );
  for (const key of identityKeys) await insertMeta(queries, key, notesOf(identity)[key]);
  await confirmIdentity(queries, identity);
}

/** Throws `OtherChainError` for the index of another chain. Returns false for an index without an identity. */
export async function confirmIdentity(queries: Queries, identity: Identity): Promise<boolean> {
  const own = notesOf(identity);
  const notes = await readMeta(queries, identityKeys);
  for (const { key, value } of notes)
    if (value !== own[key])
      throw new OtherChainError(
        `the database is an index of another chain: its ${key} is ${value}, not ${own[key]}`,
      );
  return notes.length > 0;
}

const identityKeys = ["network", "zero_state"] as const;

function notesOf({ network, zeroState }: Identity) {
  return { network, zero_state: bytesToHex(zeroState.rootHash) };
}
