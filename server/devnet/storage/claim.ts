import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";
import type { ZeroState } from "../blocks/block-pair.js";
import type { Genesis } from "../genesis/genesis.js";
import type { DataDirectory } from "./data-directory.js";

/** The chain of a directory. */
type Claim = {
  genesis: Genesis;
  /** Whether its log ever had records; true for directories of older versions, which do not store this. */
  hasRecords: boolean;
};

/**
 * Stores the newest chain's identity in a new directory, or determines which of the chains a used one contains. Throws
 * `SetupError` if it contains another one.
 */
export async function claimDirectory(
  directory: DataDirectory,
  newest: Genesis,
  others: Iterable<Genesis>,
): Promise<Claim> {
  const stored = await directory.readMeta();
  if (stored === undefined) {
    await directory.writeMeta(describe(newest, { has_records: false }));
    return { genesis: newest, hasRecords: false };
  }
  const claim = claimOf(newest, stored);
  if (claim) return claim;
  for (const genesis of others) {
    const other = claimOf(genesis, stored);
    if (other) return other;
  }
  throw new SetupError(explainOther(directory.path, stored, newest.seed));
}

function claimOf(genesis: Genesis, stored: string): Claim | undefined {
  if (stored === describe(genesis, { has_records: false })) return { genesis, hasRecords: false };
  const hasRecords = stored === describe(genesis, { has_records: true }) || stored === describe(genesis, {});
  return hasRecords ? { genesis, hasRecords } : undefined;
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

/** Explains which other chain a directory contains, and how to start it. */
function explainOther(path: string, meta: string, seed: string): string {
  const storedSeed = seedIn(meta);
  if (storedSeed === undefined)
    return `${path}/meta.json does not describe a devnet; choose another folder with --data`;
  if (storedSeed !== seed)
    return (
      `${path} holds a devnet with the seed "${storedSeed}", not "${seed}"; ` +
      "set --devnet-seed to continue it, or choose another folder with --data"
    );
  return (
    `${path} holds a devnet that began with other settings; set --devnet-rewards, --devnet-elections and ` +
    "--devnet-validators as then to continue it, or choose another folder with --data"
  );
}

function seedIn(meta: string): string | undefined {
  try {
    const { seed } = JSON.parse(meta) as { seed?: unknown };
    return typeof seed === "string" ? seed : undefined;
  } catch {
    // Not a meta.json of a devnet.
    return undefined;
  }
}
