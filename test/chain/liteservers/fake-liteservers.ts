import type { NetworkSlice } from "../../../server/chain/liteservers/network-slices.js";
import { FakeLiteServer } from "../../helpers/chain/fake-chain.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { openLiteserversForTest } from "../../helpers/peers/open-liteservers.js";
import { until } from "../../helpers/until.js";

/**
 * Servers with these heads, and a pool of all of them; `slices` are the slices listed for each server. Time passes for the
 * pool only when a test makes it, so no server is too slow.
 */
export async function setUp(
  heads: readonly number[],
  prepare?: (servers: FakeLiteServer[]) => void,
  slices: readonly (readonly NetworkSlice[])[] = [],
) {
  const servers = await Promise.all(heads.map((head) => FakeLiteServer.start(head)));
  prepare?.(servers);
  const addresses = servers.map(({ address }, index) => ({
    ...address,
    ...(slices[index] && { slices: slices[index] }),
  }));
  const timers = new ManualTimers();
  const pool = await openLiteserversForTest(FakeLiteServer.info, addresses, { timers });
  await until("every server's history", () => pool.status().every(({ oldest }) => oldest !== undefined));
  return { pool, timers, servers, counts: () => servers.map(({ questions }) => questions.length) };
}

/** Passes the pauses of a call, in order, each once the call waits for exactly that long. */
export async function passPauses(timers: ManualTimers, ...pauses: number[]): Promise<void> {
  // The first probe is due immediately.
  timers.pass(0);
  for (const ms of pauses) {
    await until(`a pause of ${ms} ms`, () => timers.next === ms);
    timers.pass(ms);
  }
}
