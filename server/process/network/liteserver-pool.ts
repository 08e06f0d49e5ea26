import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { TrustProgress } from "../../../shared/ton/proofs/verify/trust/sync-progress.js";
import type { TrustChain } from "../../../shared/ton/proofs/verify/trust/trust-chain.js";
import { verifyingLiteApi } from "../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { systemTimers } from "../../../shared/values/timers.js";
import { trustedStart } from "../../chain/liteservers/global-config.js";
import { Liteservers } from "../../chain/liteservers/liteservers.js";
import type { ServerStatus } from "../../chain/liteservers/server-stats.js";
import { openTrust } from "../../chain/networks/open-trust.js";
import { ConfigError } from "../../config/settings.js";
import type { Context } from "../context/context.js";
import { type ListSource, openGlobalConfig } from "./global-config.js";
import { HeadAge } from "./head-age.js";

/** A network read through a pool of liteservers. */
export type LiteserverPool = {
  api: LiteApi;
  /** The zero state until the first server has answered. */
  head: ChainHead;
  status(): LiteserversStatus;
  /** Why nothing can be read: no block of the network is known yet. `undefined` otherwise. */
  unavailableReason(): string | undefined;
  /** The progress of the first proof; `undefined` once a block is known. */
  startupReason(): string | undefined;
  /** Why most reads fail or are outdated: no server is usable, or the newest block is too old. `undefined` otherwise. */
  degradedReason(): string | undefined;
};

/** Newest masterchain block of all servers. `ageSec`: seconds since it was made. */
type HeadStatus = { seqno: number; ageSec: number };

export type LiteserversStatus = {
  source: ListSource;
  head: HeadStatus | undefined;
  servers: ServerStatus[];
  trust: TrustStatus | undefined;
};

/** Seqnos of the newest proven key block and of the newest proven block, and the progress of the first proof. */
type TrustStatus = { keyBlock: number; head: number | undefined; progress: TrustProgress | undefined };

const noServer = "No liteserver can be used";

/**
 * Connects to the liteservers of the network, and waits for the first proven head. Throws
 * `ConfigError` if the configuration is invalid or of another network.
 */
export async function openLiteserverPool(context: Context): Promise<LiteserverPool> {
  const { config, closers, log, now, randomBytes, chainWaitMs } = context;
  const known = await openGlobalConfig(context);
  const { servers, zeroState, source } = known;
  const trust = config.verifyProofs
    ? await openTrust({
        network: config.network,
        zeroState,
        start: trustedStart(known),
        directory: config.data,
        isReader: context.siblings !== undefined && context.siblings.number > 1,
        log,
        now: () => Math.floor(now() / 1000),
      })
    : undefined;
  const options = { servers, zeroState, timers: systemTimers, random: Math.random, randomBytes, log };
  // Only clients of our own liteserver see the block ids of transactions.
  const proveTransactionBlocks = config.liteserverPort !== undefined;
  const verify = trust && ((api: LiteApi) => verifyingLiteApi(api, trust, { proveTransactionBlocks }));
  const pool = closers.add(new Liteservers({ ...options, ...(verify && { verify }) }), (each) =>
    each.close(),
  );
  const head = new ChainHead({ last: zeroState, init: zeroState }, now);
  pool.onHead((last) => head.move(last));
  const maxSec = config.healthMaxHeadAge;
  const age = new HeadAge({ genUtime: () => pool.headUtime, maxSec, now, timers: systemTimers, log });
  closers.add(age, (each) => each.close());
  const isReady = await pool.ready(chainWaitMs);
  if (pool.isForeign)
    throw new ConfigError([
      "all liteservers of the global configuration serve another network than its zero state",
    ]);
  if (!isReady) log.warn({ servers: servers.length }, "no liteserver can be used yet");
  return {
    api: pool.api,
    head,
    status: () => ({
      source,
      head: pool.head && { seqno: pool.head.seqno, ageSec: age.sec! },
      servers: pool.status(),
      trust: trust && trustStatus(trust),
    }),
    unavailableReason: () => (pool.head ? undefined : (proofReason(trust?.progress) ?? noServer)),
    startupReason: () => (pool.head ? undefined : proofReason(trust?.progress)),
    degradedReason: () => (pool.isUsable ? age.staleReason() : noServer),
  };
}

function trustStatus({ keyBlock, head, progress }: TrustChain): TrustStatus {
  return { keyBlock: keyBlock.seqno, head: head?.seqno, progress };
}

function proofReason(proof: TrustProgress | undefined): string | undefined {
  return proof && `The chain is being proven: key block ${proof.proven} of about ${proof.about}`;
}
