import type { NetworkSlice } from "../../server/chain/pool/slices.js";
import { until } from "../helpers/until.js";
import { FakeLiteServer } from "./fake-chain.js";
import { openPoolForTest } from "./open-pool.js";

/** Servers with these heads and a pool that knows all of them; `slices` is what each of them is said to hold. */
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
  const pool = await openPoolForTest(FakeLiteServer.info, addresses);
  await until("every server's history", () => pool.status().every(({ oldest }) => oldest !== undefined));
  return { pool, servers, counts: () => servers.map(({ questions }) => questions.length) };
}
