import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import type { ServerAddress } from "../../../server/chain/adnl/client.js";
import { LitePool, type PoolOptions } from "../../../server/chain/pool/pool.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { TrustChain } from "../../../shared/ton/proofs/verify/trust-chain.js";
import { verifyingLiteApi } from "../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { TimeOfTurns } from "../event-loop-time.js";

export const silent = { info() {}, warn() {} };

/** Checks answers against the zero state of the chain that the api is of. */
export async function verifierFor(api: LiteApi): Promise<(lite: LiteApi) => LiteApi> {
  const { init } = await api.getMasterchainInfo();
  const zeroState = { ...init, shard: wholeShard, seqno: 0 };
  const now = () => Math.floor(Date.now() / 1000);
  const trust = await TrustChain.open({ network: "test", zeroState, start: zeroState, log: silent, now });
  return (lite) => verifyingLiteApi(lite, trust);
}

/** A pool of servers of the chain that the api is of, once the first of them can be used. */
export async function openPool(
  api: LiteApi,
  servers: readonly ServerAddress[],
  options: Partial<PoolOptions> = {},
): Promise<LitePool> {
  const { init } = await api.getMasterchainInfo();
  const zeroState = { ...init, shard: wholeShard, seqno: 0 };
  const pool = new LitePool({
    servers,
    zeroState,
    timers: new TimeOfTurns(),
    random: Math.random,
    randomBytes,
    log: silent,
    ...options,
  });
  if (!(await pool.ready(5000))) {
    pool.close();
    throw new Error(`no server became usable: ${JSON.stringify(pool.status())}`);
  }
  return pool;
}

/** Closed when the test is over. */
export async function openPoolForTest(...args: Parameters<typeof openPool>): Promise<LitePool> {
  const pool = await openPool(...args);
  onTestFinished(() => pool.close());
  return pool;
}
