import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import type { LiteApi } from "../chain/lite-api.js";
import { type GlobalConfig, parseGlobalConfig } from "../chain/pool/global-config.js";
import { LitePool } from "../chain/pool/pool.js";
import type { ServerStatus } from "../chain/pool/server-stats.js";
import { ChainHead } from "../chain/read/head.js";
import { systemTimers } from "../chain/timers.js";
import type { TrustProgress } from "../chain/verify/sync-progress.js";
import { TrustChain } from "../chain/verify/trust-chain.js";
import { verifyingLiteApi } from "../chain/verify/verifying-lite-api.js";
import { type Config, ConfigError, type Network } from "../config/settings.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import type { Context } from "./context.js";

/** A network that is read through liteservers. */
export type Liteservers = {
  api: LiteApi;
  /** The zero state until the first server has been heard. */
  head: ChainHead;
  status(): { servers: ServerStatus[]; trust: TrustStatus | undefined };
  /** Why nothing can be read, as nothing is known of the network yet. */
  unavailableReason(): string | undefined;
  /** Why hardly anything can be read, while no server is there. */
  degradedReason(): string | undefined;
};

/** Seqnos of the newest key block and the newest block that are proven, and how far the first proof has come. */
export type TrustStatus = { keyBlock: number; head: number | undefined; progress: TrustProgress | undefined };

/** Root hashes of the zero states that have a name. */
const knownNetworks: Readonly<Record<string, Network>> = {
  "F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=": "mainnet",
  "gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=": "testnet",
};
const startMs = 10_000;
const noServer = "No liteserver can be used";

/** Connects to the servers of the global configuration, and waits a while for the first of them to be proven. */
export async function openLiteservers({ config, closers, log, now }: Context): Promise<Liteservers> {
  const { servers, zeroState, ...anchors } = await readGlobalConfig(config);
  confirmNetwork(config.network, zeroState);
  const trust = config.verifyProofs
    ? await TrustChain.open({
        network: config.network,
        zeroState,
        start: newest([zeroState, ...anchors.hardforks, ...(anchors.initBlock ? [anchors.initBlock] : [])]),
        directory: config.data,
        log,
        now: () => Math.floor(now() / 1000),
      })
    : undefined;
  const options = { servers, zeroState, timers: systemTimers, random: Math.random, randomBytes, log };
  // Which blocks transactions are in is seen by nobody but clients of our own liteserver.
  const proveTransactionBlocks = config.liteserverPort !== undefined;
  const verify = trust && ((api: LiteApi) => verifyingLiteApi(api, trust, { proveTransactionBlocks }));
  const pool = closers.add(new LitePool({ ...options, ...(verify && { verify }) }), (each) => each.close());
  const head = new ChainHead({ last: zeroState, init: zeroState }, now);
  pool.onHead((last) => head.move(last));
  const isReady = await pool.ready(startMs);
  if (pool.isForeign)
    throw new ConfigError([
      "all liteservers of the global configuration are of another network than it says",
    ]);
  if (!isReady) log.warn({ servers: servers.length }, "no liteserver can be used yet");
  return {
    api: pool.api,
    head,
    status: () => ({ servers: pool.status(), trust: trust && trustStatus(trust) }),
    unavailableReason: () => (pool.head ? undefined : unavailableReason(trust?.progress)),
    degradedReason: () => (pool.isUsable ? undefined : noServer),
  };
}

/** Nothing is fetched: whoever starts the service says whom it shall ask. */
export async function readGlobalConfig({ network, globalConfig: path }: Config): Promise<GlobalConfig> {
  if (path === undefined)
    throw new ConfigError([
      `${network} is read from liteservers: name the file that lists them with --global-config or TONWIRE_GLOBAL_CONFIG`,
    ]);
  try {
    return parseGlobalConfig(await readFile(path, "utf8"));
  } catch (cause) {
    throw new ConfigError([`${path} cannot be used: ${(cause as Error).message}`]);
  }
}

/** A file of mainnet is not taken for testnet; networks without a name may be called either. */
function confirmNetwork(network: Network, { rootHash }: BlockIdExt): void {
  const known = knownNetworks[bytesToBase64(rootHash)];
  if (known !== undefined && known !== network)
    throw new ConfigError([`the global configuration is that of ${known}, not of ${network}`]);
}

function newest(blocks: readonly BlockIdExt[]): BlockIdExt {
  return blocks.reduce((best, block) => (block.seqno > best.seqno ? block : best));
}

function trustStatus({ keyBlock, head, progress }: TrustChain): TrustStatus {
  return { keyBlock: keyBlock.seqno, head: head?.seqno, progress };
}

function unavailableReason(proof: TrustProgress | undefined): string {
  if (!proof) return noServer;
  return `The chain is being proven: key block ${proof.proven} of about ${proof.about}`;
}
