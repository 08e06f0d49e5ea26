import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";
import type { ZeroState } from "../blocks/block-pair.js";
import type { Genesis } from "../genesis/genesis.js";
import type { DataDirectory } from "./data-directory.js";

/** The chain of a directory. */
export type Claim = {
  genesis: Genesis;
  /** Whether its log has ever had records; true for directories of older versions, which do not state it. */
  hasRecords: boolean;
};

/**
 * Stores the identity of the first chain in a new directory, and finds out which of the chains a used one holds. Throws
 * `SetupError` if it holds another one.
 */
export async function claimDirectory(
  directory: DataDirectory,
  chains: readonly [Genesis, ...Genesis[]],
): Promise<Claim> {
  const stored = await directory.readMeta();
  if (stored === undefined) {
    const [genesis] = chains;
    await directory.writeMeta(describe(genesis, { has_records: false }));
    return { genesis, hasRecords: false };
  }
  for (const genesis of chains) {
    if (stored === describe(genesis, { has_records: false })) return { genesis, hasRecords: false };
    if (stored === describe(genesis, { has_records: true }) || stored === describe(genesis, {}))
      return { genesis, hasRecords: true };
  }
  throw new SetupError(`the data directory holds another chain: ${stored.replace(/\s+/g, " ")}`);
}

/** Records that the log is not empty, so that an emptied log is detected later. */
export function noteRecords(directory: DataDirectory, genesis: Genesis): Promise<void> {
  return directory.writeMeta(describe(genesis, { has_records: true }));
}

/** The text of meta.json. */
function describe({ seed, masterchain, basechain }: Genesis, flags: { has_records?: boolean }): string {
  const zeroState = { masterchain: hashesOf(masterchain), basechain: hashesOf(basechain) };
  return `${JSON.stringify({ format: 1, seed, zero_state: zeroState, ...flags }, undefined, 2)}\n`;
}

function hashesOf({ id }: ZeroState) {
  return { root_hash: bytesToBase64(id.rootHash), file_hash: bytesToBase64(id.fileHash) };
}
