import { setTimeout as sleep } from "node:timers/promises";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { bocText } from "../../helpers/contracts/contracts.js";
import { sized } from "../../helpers/effort.js";
import { dearKinds, spawner } from "../../helpers/index/dear-tokens.js";
import { someAddress } from "../../helpers/index/detection.js";
import { startProxiedService } from "../../helpers/services/proxied-service.js";
import type { Row, Spent } from "../harness.js";
import { Lag } from "./lag.js";

const accounts = sized(20, 1000);
const perSecond = 100;
const seconds = sized(2, 40);
const blockMs = 400;
const sender = someAddress(0x5e).toRaw();
/** Each of the five get-methods takes 119,000 gas. */
const dearChecks = 33;

type Run = Awaited<ReturnType<typeof startProxiedService>>["run"];

/**
 * The largest lag of an index behind its chain, beside messages to contracts whose recognition is expensive. The
 * baseline's are cheap.
 */
export function behindRow(codes: number): Row {
  return {
    title: `index behind its chain at most, ${perSecond} messages per second to ${codes} dear codes (baseline: cheap ones)`,
    isDoneOnce: true,
    ours: () => mostBehind(codes, dearChecks),
    baseline: () => mostBehind(codes, 0),
  };
}

async function mostBehind(codes: number, checks: number): Promise<Spent> {
  const { service, url, run } = await startProxiedService();
  try {
    const impersonate = async (order: object) => {
      const { result } = await run("devnet.impersonate", order);
      if (!result) throw new Error("the devnet has refused a message");
    };
    const orders = await ordersOf(run, codes, checks);
    await run("devnet.setMining", { mode: "interval", interval_ms: blockMs });
    const lag = await Lag.watch(url);
    for (let second = 0; second < seconds; second++)
      await Promise.all([sleep(1000), impersonate(orders[second % orders.length]!)]);
    return { units: 1, micros: 1000 * (await lag.most()) };
  } finally {
    service.send("SIGKILL");
    await service.ended;
  }
}

/** Messages to contracts that deploy a hundred others each. */
async function ordersOf(run: Run, codes: number, checks: number): Promise<object[]> {
  const spawning = await spawner();
  const orders: object[] = [];
  for (let number = 0; number < accounts; number += perSecond) {
    const to = someAddress(0x60 + number / perSecond).toRaw();
    const code = await dearKinds(number, checks);
    const parts = { code: bocText(spawning), data: bocText(code), balance: "1000000000000000" };
    await run("devnet.setAccount", { address: to, ...parts });
    const body = beginCell()
      .storeUint(number, 32)
      .storeUint(perSecond, 32)
      .storeBit(codes === accounts)
      .endCell();
    orders.push({ from: sender, to, value: "20000000000", body: bocText(body) });
  }
  return orders;
}
