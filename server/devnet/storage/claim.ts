import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { ifJson } from "../../../shared/values/json.js";
import { SetupError } from "../../errors.js";
import type { ZeroState } from "../collate/block/block-pair.js";
import type { Genesis } from "../genesis/genesis.js";
import type { DataDirectory } from "./data-directory.js";

/** The chain of a directory. */
type Claim = {
  genesis: Genesis;
  /** Whether its log ever had records. */
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
    await directory.writeMeta(describe(newest, false));
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
  const hasRecords = [false, true].find((each) => stored === describe(genesis, each));
  return hasRecords === undefined ? undefined : { genesis, hasRecords };
}

/** Records that the log is not empty, so that an emptied log is detected later. */
export function noteRecords(directory: DataDirectory, genesis: Genesis): Promise<void> {
  return directory.writeMeta(describe(genesis, true));
}

/** The text of meta.json. */
function describe({ seed, masterchain, basechain }: Genesis, hasRecords: boolean): string {
  const zeroState = { masterchain: hashesOf(masterchain), basechain: hashesOf(basechain) };
  const meta = { format: 1, seed, zero_state: zeroState, has_records: hasRecords };
  return `${JSON.stringify(meta, undefined, 2)}\n`;
}

function hashesOf({ id }: ZeroState) {
  return { root_hash: bytesToBase64(id.rootHash), file_hash: bytesToBase64(id.fileHash) };
}

/** Explains which other chain a directory contains, and how to start it. */
function explainOther(path: string, meta: string, seed: string): string {
  const { seed: storedSeed, has_records: hasRecords } = readIdentity(meta);
  if (typeof storedSeed !== "string")
    return `${path}/meta.json does not describe a devnet; choose another folder with --data`;
  if (hasRecords === undefined)
    return `${path} holds a devnet of an unreleased version, which cannot be continued. ${beginAnew(path)}`;
  if (storedSeed !== seed)
    return (
      `${path} holds a devnet with the seed "${storedSeed}", not "${seed}"; ` +
      "set --devnet-seed to continue it, or choose another folder with --data"
    );
  return (
    `${path} holds a devnet that began with other settings; set --devnet-rewards, --devnet-elections and ` +
    "--devnet-validators as then to continue it, or choose another folder with --data. A devnet of an unreleased version " +
    `cannot be continued. ${beginAnew(path)}`
  );
}

/** How a folder is emptied of its devnet. Keys and webhooks stay. */
function beginAnew(path: string): string {
  const files = ["chain.log", "meta.json", "elections.json", "names.json", "state-*.boc"];
  const remove = `rm -f ${files.map((file) => `${path}/${file}`).join(" ")}`;
  return `Begin a new one: ${remove} && tonwire empty-index --data ${path}, then start again`;
}

function readIdentity(meta: string): { seed?: unknown; has_records?: unknown } {
  return ifJson(meta) ?? {};
}
