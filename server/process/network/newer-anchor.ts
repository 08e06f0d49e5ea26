import { writeFile } from "node:fs/promises";
import { verifyingLiteApi } from "../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { type BlockIdExt, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { systemTimers } from "../../../shared/values/timers.js";
import { type GlobalConfig, parseGlobalConfig, trustedStart } from "../../chain/liteservers/global-config.js";
import { Liteservers } from "../../chain/liteservers/liteservers.js";
import { openTrust } from "../../chain/networks/open-trust.js";
import type { Log } from "../../observe/log.js";
import { randomSource } from "../../os/random-bytes.js";

// For `.ci/anchor.mjs`, which is run before a release: users of it then prove less.

type AnchorOptions = {
  network: string;
  log: Pick<Log, "info" | "warn">;
  /** ms. */
  now: () => number;
  /** How long the proof may take. */
  withinMs: number;
};

/** The newest key block of a network, proven from the newest block that its configuration vouches for. */
async function newestKeyBlock(
  config: GlobalConfig,
  { network, log, now, withinMs }: AnchorOptions,
): Promise<BlockIdExt> {
  const { servers, zeroState } = config;
  const start = trustedStart(config);
  const seconds = () => Math.floor(now() / 1000);
  const trust = await openTrust({ network, zeroState, start, log, now: seconds });
  const verify = (api: Parameters<typeof verifyingLiteApi>[0]) =>
    verifyingLiteApi(api, trust, { proveTransactionBlocks: false });
  const pool = new Liteservers({
    ...{ servers, zeroState, log, verify, randomBytes: randomSource() },
    timers: systemTimers,
    random: Math.random,
  });
  try {
    if (!(await pool.ready(withinMs)))
      throw new Error(`no liteserver of ${network} proved its newest block from block ${start.seqno}`);
    return trust.keyBlock;
  } finally {
    pool.close();
  }
}

/** The text of a global configuration with another init block; the rest is unchanged. */
export function withInitBlock(text: string, block: BlockIdExt): string {
  const { seqno, rootHash, fileHash } = block;
  const replaced = text.replace(/("init_block"\s*:\s*)\{[^{}]*\}/, (_, name: string) => {
    const place = `"workchain": -1, "shard": -9223372036854775808, "seqno": ${seqno}`;
    return `${name}{ ${place}, "root_hash": "${bytesToBase64(rootHash)}", "file_hash": "${bytesToBase64(fileHash)}" }`;
  });
  const { initBlock } = parseGlobalConfig(replaced);
  if (initBlock === undefined || !sameBlock(initBlock, block))
    throw new Error("the configuration has no init block that could be replaced");
  return replaced;
}

/** Makes the newest key block the init block of a configuration; returns its seqno, or undefined if it was that before. */
export async function renewAnchor(
  path: URL | string,
  text: string,
  servers: GlobalConfig["servers"],
  options: AnchorOptions,
): Promise<number | undefined> {
  const config = parseGlobalConfig(text);
  const newest = await newestKeyBlock({ ...config, servers }, options);
  if (newest.seqno <= trustedStart(config).seqno) return undefined;
  await writeFile(path, withInitBlock(text, newest));
  return newest.seqno;
}
