import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";
import type { ZeroState } from "../block-pair.js";
import type { Genesis } from "../genesis.js";
import type { DataDirectory } from "./data-directory.js";

/** Writes down which chain a new directory holds, or refuses one that holds another. */
export async function claimDirectory(directory: DataDirectory, genesis: Genesis): Promise<void> {
  const text = describe(genesis);
  const stored = await directory.readMeta();
  if (stored === undefined) return directory.writeMeta(text);
  if (stored !== text)
    throw new SetupError(`the data directory holds another chain: ${stored.replace(/\s+/g, " ")}`);
}

/** What meta.json says. */
function describe({ seed, masterchain, basechain }: Genesis): string {
  const zeroState = { masterchain: hashesOf(masterchain), basechain: hashesOf(basechain) };
  return `${JSON.stringify({ format: 1, seed, zero_state: zeroState }, undefined, 2)}\n`;
}

function hashesOf({ id }: ZeroState) {
  return { root_hash: bytesToBase64(id.rootHash), file_hash: bytesToBase64(id.fileHash) };
}
