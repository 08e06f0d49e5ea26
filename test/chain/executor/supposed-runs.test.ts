import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CallOptions,
  ExecutorThreads,
} from "../../../server/chain/executor/threads/executor-threads.js";
import { ShortMethods } from "../../../server/chain/executor/threads/short-methods.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { withParam } from "../../helpers/chain/august-configs.js";
import {
  account,
  activeAccount,
  bytesCell,
  externalMessage,
  testConfig,
  testTime,
} from "../../helpers/chain/sample-chain.js";
import { sized } from "../../helpers/effort.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { until } from "../../helpers/until.js";

const randSeed = new Uint8Array(32).fill(3);
// ACCEPT
const shardAccount = activeAccount({ code: bytesCell("F800"), data: Cell.empty });
const message = externalMessage(account, Cell.empty);
const prices = configParam(decode(ConfigDictionary, testConfig), 21)!;
/** The executor's emulator breaks on it: more credit than gas. */
const breaking = withParam(
  testConfig,
  21,
  encodeConfigParam(21, { ...prices, gasCredit: prices.gasLimit + 1n }),
);

let pool: ExecutorThreads;
beforeAll(() => {
  pool = new ExecutorThreads({ threads: 1, deadlineMs: 100_000 });
});
afterAll(() => pool.close());

const transfer = (config: Cell, isSupposed: boolean) =>
  pool.runTransaction({ config, shardAccount, message, now: testTime, randSeed, lt: 1_000_000n, isSupposed });

describe("supposed runs", () => {
  it("have the results of other runs", async () => {
    const [plain, supposed] = [await transfer(testConfig, false), await transfer(testConfig, true)];
    if (plain.outcome !== "done" || supposed.outcome !== "done") throw new Error("it is not done");
    expect(supposed.transaction.hashHex()).toBe(plain.transaction.hashHex());
  });

  it("that break their emulator hold up no other run", async () => {
    for (let round = 0; round < sized(1, 3); round++) {
      // A thread runs one after the other, so each plain run follows upon breaks that are not repaired yet.
      const runs = [
        transfer(breaking, true),
        transfer(testConfig, false),
        transfer(breaking, true),
        transfer(breaking, true),
        transfer(testConfig, false),
      ].map((run) => run.catch((error) => error));
      const [broke, first, again, third, last] = await Promise.all(runs);
      expect(broke).toMatchObject({ code: expect.stringMatching(/^(crashed|unavailable)$/) });
      for (const each of [again, third]) expect(["crashed", "unavailable"]).toContain(each.code);
      for (const each of [first, last]) expect(each).toMatchObject({ outcome: "done" });
    }
  });

  it("do not make the same get-method wait as an expensive one", async () => {
    const inThreads: boolean[] = [];
    const counted = {
      source: () => pool.source(),
      runMethod: (request: MethodRequest, options?: CallOptions) => {
        inThreads.push(request.isSupposed ?? false);
        return pool.runMethod(request, options);
      },
    };
    const methods = new ShortMethods(counted, noFallback, () => 0);
    // DROP 0, then adds 1 as often as the data say.
    const code = bytesCell("3070ED44D0D31F3091A4E4");
    const run = async (count: number, isSupposed: boolean) => {
      const data = bytesCell(count.toString(16).padStart(8, "0"));
      const { stack } = await methods.runMethod({
        ...{ config: testConfig, code, data, address: account, methodId: 1, stack: [], isSupposed },
        ...{ now: testTime, randSeed, balance: 0n },
      });
      expect(stack).toEqual([{ type: "int", value: BigInt(count) }]);
    };
    await until("a run in this thread", async () => {
      const before = inThreads.length;
      await run(1, false);
      return inThreads.length === before;
    });
    inThreads.length = 0;
    for (let n = 0; n < 2; n++) await run(20_000, true);
    for (let n = 0; n < 2; n++) await run(1, false);
    expect(inThreads).toEqual([true, true]);
  });
});
