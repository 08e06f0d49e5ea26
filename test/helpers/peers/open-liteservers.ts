import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import type { ServerAddress } from "../../../server/chain/adnl/client.js";
import { Liteservers, type LiteserversOptions } from "../../../server/chain/liteservers/liteservers.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { TrustChain } from "../../../shared/ton/proofs/verify/trust/trust-chain.js";
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
export async function openLiteservers(
  api: LiteApi,
  servers: readonly ServerAddress[],
  options: Partial<LiteserversOptions> = {},
): Promise<Liteservers> {
  const { init } = await api.getMasterchainInfo();
  const zeroState = { ...init, shard: wholeShard, seqno: 0 };
  const pool = new Liteservers({
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
export async function openLiteserversForTest(
  ...args: Parameters<typeof openLiteservers>
): Promise<Liteservers> {
  const pool = await openLiteservers(...args);
  onTestFinished(() => pool.close());
  return pool;
}
