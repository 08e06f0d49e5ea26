import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Liteservers, LiteserversOptions } from "../../../server/chain/liteservers/liteservers.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod, liteApiFrom } from "../../../shared/ton/lite/lite-methods.js";
import { liteMethods } from "../../../shared/ton/tl/lite-functions.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { busyChain } from "../../helpers/chain/busy-chain.js";
import { learn, type Sample, type Target } from "../../helpers/chain/contract/target.js";
import { isLong, sized, variants } from "../../helpers/effort.js";
import { type Fault, FaultyProxy } from "../../helpers/peers/faulty-proxy.js";
import { openGateway } from "../../helpers/peers/gateway-line.js";
import { openLiteserversForTest, verifierFor } from "../../helpers/peers/open-liteservers.js";
import { until } from "../../helpers/until.js";

let chain: Target;
let sample: Sample;

beforeAll(async () => {
  chain = await busyChain();
  sample = await learn(chain.api);
});
afterAll(() => chain.close?.());

async function gatewayOf(api: LiteApi) {
  const { gateway, address } = await openGateway(api, { onError: () => {} });
  onTestFinished(() => gateway.close());
  return address;
}

/** The chain's api with some answers changed. */
function changed(
  change: (method: LiteMethod, request: object, answer: () => Promise<unknown>) => unknown,
): LiteApi {
  return liteApiFrom(liteMethods, async (method, request, call) =>
    change(method, request, () => invokerOf(chain.api)(method, request, call)),
  );
}

/** Compares many kinds of answers with the chain's; each request is repeated, so that every server gets some. */
async function askMuch(pool: Liteservers): Promise<void> {
  const { last: id, recent, busy, zero } = sample;
  const { account, lt, hash } = recent;
  const questions: ((api: LiteApi) => Promise<unknown>)[] = [
    (api) => api.getMasterchainInfo(),
    (api) => api.getBlock({ id }),
    (api) => api.getAccountState({ id, account, proof: true }),
    (api) => api.getTransactions({ account, lt, hash, count: 5 }),
    (api) => api.listBlockTransactions({ id: busy, count: 50, account: true, lt: true }),
    (api) =>
      api.lookupBlock({ id: { workchain: -1, shard: wholeShard, seqno: id.seqno - 1 }, bySeqno: true }),
    (api) => api.getConfigAll({ id, proof: true }),
    (api) => api.getBlockProof({ knownBlock: zero, targetBlock: id }),
  ];
  const truth = await Promise.all(questions.map((ask) => ask(chain.api)));
  const rounds = Array.from({ length: sized(2, 8) }, () =>
    Promise.all(questions.map((ask) => ask(pool.api))),
  );
  for (const answers of await Promise.all(rounds)) expect(answers).toEqual(truth);
}

describe("no call fails with two bad servers of five", () => {
  for (const fault of variants<Fault>(["cut"], ["hang", "noise", "refuse"]))
    test(`with the fault "${fault}"`, async () => {
      const proxies = [];
      for (let i = 0; i < 5; i++) proxies.push(await FaultyProxy.before(await gatewayOf(chain.api)));
      const addresses = proxies.map(({ address }) => address);
      const pool = await openLiteserversForTest(chain.api, addresses);
      await until("all servers", () => pool.status().every(({ state }) => state === "alive"));
      await askMuch(pool);
      for (const proxy of proxies.slice(0, 2)) proxy.fault = fault;
      for (let round = 0; round < sized(1, 2); round++) await askMuch(pool);
      await until("the bad ones to be found", () =>
        pool
          .status()
          .slice(0, 2)
          .every(({ state }) => state !== "alive"),
      );
      await askMuch(pool);
      if (fault === "noise" || !isLong) return;
      for (const proxy of proxies) proxy.fault = "none";
      await until("their return", () => pool.status().every(({ state }) => state === "alive"));
    });

  test("that lie", async () => {
    const spoil = (bytes: Uint8Array) =>
      bytes.map((byte, index) => (index === bytes.length >> 1 ? byte ^ 1 : byte));
    const lies: Partial<Record<LiteMethod, string>> = {
      getBlock: "data",
      getAccountState: "state",
      getTransactions: "transactions",
      getConfigAll: "configProof",
    };
    const lying = changed(async (method, _, answer) => {
      const truth = (await answer()) as Record<string, Uint8Array>;
      const field = lies[method];
      return field === undefined ? truth : { ...truth, [field]: spoil(truth[field]!) };
    });
    const warnings: object[] = [];
    const log = { info() {}, warn: (facts: object) => void warnings.push(facts) };
    const addresses = await Promise.all([lying, lying, chain.api, chain.api, chain.api].map(gatewayOf));
    const verify = await verifierFor(chain.api);
    const pool = await openLiteserversForTest(chain.api, addresses, {
      verify,
      log: log as LiteserversOptions["log"],
    });
    await until("all servers", () => pool.status().every(({ head }) => head !== undefined));
    await until("the liars to be found", async () => {
      await askMuch(pool);
      return warnings.length === 2;
    });
    expect(pool.status().map(({ state }) => state)).toEqual(["banned", "banned", "alive", "alive", "alive"]);
    const [first, second] = pool.status();
    for (const { lastError } of [first!, second!])
      expect(lastError).toMatch(/^(getAccountState|getTransactions|getConfigAll): /);
    const keys = pool.status().map(({ key }) => key);
    expect(warnings).toEqual(
      expect.arrayContaining(
        keys.slice(0, 2).map((key) => expect.objectContaining({ key, hours: 1, reason: expect.any(String) })),
      ),
    );
  });
});
