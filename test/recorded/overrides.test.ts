import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExecutorThreads } from "../../server/chain/executor/threads/executor-threads.js";
import { FeeEstimator } from "../../server/chain/run/fee-estimate.js";
import { gasFee } from "../../server/chain/run/fees.js";
import { MethodRunner } from "../../server/chain/run/method-runner.js";
import type { Devnet } from "../../server/devnet/devnet.js";
import { feeHandlers } from "../../server/methods/v2/fees.js";
import { chainErrorOf } from "../../server/methods/v2/lite-errors.js";
import { runMethodHandlers } from "../../server/methods/v2/run-method.js";
import { implement } from "../../server/rpc/bind.js";
import { feeMethods } from "../../shared/methods/v2/fees.js";
import { runMethodMethods } from "../../shared/methods/v2/run-method.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { ChainHead } from "../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../shared/ton/run/code-libraries.js";
import { transactionsOf } from "../../shared/ton/tlb/account-block.js";
import { Block } from "../../shared/ton/tlb/block.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam } from "../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import { ShardAccount } from "../../shared/ton/tlb/shard-account.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { emulated, tracePath } from "../helpers/chain/emulated.js";
import { bocText, codeOf } from "../helpers/contracts/contracts.js";
import { startApp, type TestApp } from "../helpers/http/app.js";
import { firstBlocks } from "../helpers/http/chain-app.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { type StoryApp, startStoryApp } from "../helpers/stories/story-app.js";
import { describeWithChain } from "../helpers/test-data.js";

type Fixture = {
  previous_accounts: { account: string; shard_account_boc_base64: string }[];
  config: { config_root_boc_base64: string };
};

type Compute = { kind: string; gasUsed: bigint; gasFees: bigint };

const hasLibrary = (cell: Cell): boolean => cell.type === "library" || cell.refs.some(hasLibrary);
const cellOf = (base64: string): Cell => parseBocRoot(Buffer.from(base64, "base64"));
/** Parameters that transactions read. */
const read = [5, 8, 18, 20, 21, 24, 25, 31, 43, 44, 45];

describeWithChain("overrides with recorded data of mainnet", (chain) => {
  const entry = chain.one({ kind: "replay_fixture" });
  const { network, workchain, shard, seqno } = entry;
  const recorded = chain.one({ kind: "block", network, workchain, shard, seqno });
  let devnet: Devnet;
  let app: StoryApp;
  beforeAll(async () => {
    devnet = await sharedStory();
    app = await startStoryApp(devnet, undefined);
  });
  afterAll(async () => {
    await app.close();
    await devnet.close();
  });

  it("make a devnet run mainnet's contracts as mainnet did", async () => {
    const fixture = JSON.parse(Buffer.from(entry.read()).toString()) as Fixture;
    const params = decode(ConfigDictionary, cellOf(fixture.config.config_root_boc_base64));
    const config = read.flatMap((param) => {
      const value = params.get(param);
      return value ? [{ param, boc: bocText(value) }] : [];
    });
    const states = new Map(
      fixture.previous_accounts.map((row) => [
        row.account,
        decode(ShardAccount, cellOf(row.shard_account_boc_base64)).account.value,
      ]),
    );
    const seen = new Set<string>();
    let compared = 0;
    const { accountBlocks } = decode(Block, parseBocRoot(recorded.read())).extra.value;
    for (const { value } of transactionsOf(accountBlocks.value)) {
      const address = `${workchain}:${bytesToHex(value.accountAddr)}`;
      const storage = states.get(address)?.storage;
      const message = value.messages.value.inMsg;
      const { computePh } = value.description.value as { computePh: Compute };
      const isFirst = !seen.has(address);
      seen.add(address);
      if (!isFirst || !message || computePh.kind !== "vm" || storage?.state.kind !== "active") continue;
      const { code, data } = storage.state.init;
      // The devnet has no libraries of mainnet.
      if (hasLibrary(code!) || hasLibrary(data!)) continue;
      const balance = String(storage.balance.coins);
      const account = { address, balance, code: bocText(code!), data: bocText(data!) };
      const overrides = { accounts: [account], now: value.now, config };
      const answer = await emulated(app, tracePath, { boc: bocText(message.cell), overrides });
      const first = answer.transactions[answer.trace.tx_hash!]!;
      expect(first.now).toBe(value.now);
      expect(first.description.compute_ph).toMatchObject({
        gas_used: String(computePh.gasUsed),
        gas_fees: String(computePh.gasFees),
      });
      expect(first.out_msgs).toHaveLength(value.outMsgCount);
      compared++;
    }
    expect(compared).toBeGreaterThan(15);
  });
});

/** The instruction and the implicit return. */
const gasOfAccept = 31n;

describeWithChain("overrides at recorded blocks of mainnet", (chain) => {
  const registry = { ...runMethodMethods, ...feeMethods };
  const elector = `-1:${"3".repeat(64)}`;
  let app: TestApp;
  let executor: ExecutorThreads;
  let reader: ChainReader;
  beforeAll(async () => {
    const lite = firstBlocks(chain);
    const head = new ChainHead(await lite.getMasterchainInfo(), () => 0);
    reader = new ChainReader({ lite, head });
    executor = new ExecutorThreads({ threads: 1, deadlineMs: 120_000 });
    const shared = { reader, executor, libraries: new CodeLibraries(reader) };
    const rules = { errorOf: chainErrorOf };
    app = await startApp({
      registry,
      implementations: {
        ...implement(runMethodHandlers, { reader, runner: new MethodRunner(shared) }, rules),
        ...implement(feeHandlers, { reader, estimator: new FeeEstimator(shared) }, rules),
      },
      chain: head,
      callTimeoutMs: 120_000,
    });
  });
  afterAll(async () => {
    await app.close();
    await executor.close();
  });

  async function result<T>(method: string, params: object): Promise<T> {
    const { text, json } = await app.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method, params });
    if ((json as { result?: T }).result === undefined) throw new Error(text);
    return (json as { result: T }).result;
  }
  type Run = { exit_code: number; stack: unknown[]; block_id: { seqno: number } };

  describe("runGetMethod", () => {
    it.each([1, 99])("sees the state of block %i, but for what the call gives", async (seqno) => {
      const question = { address: elector, method: "active_election_id", stack: [], seqno };
      const plain = await result<Run>("runGetMethod", question);
      expect(plain).toMatchObject({ exit_code: 0, block_id: { seqno } });
      // NOW, and the elector's data unchanged
      const code = bocText(codeOf("F823"));
      const overrides = { accounts: [{ address: elector, code }], now: 1_600_000_000 };
      const supposed = await result<Run>("runGetMethod", { ...question, overrides });
      expect(supposed).toMatchObject({ exit_code: 0, block_id: { seqno } });
      expect(supposed.stack.at(-1)).toEqual(["num", `0x${(1_600_000_000).toString(16)}`]);
      expect(await result<Run>("runGetMethod", question)).toEqual(plain);
    });
  });

  describe("estimateFee", () => {
    it("takes the prices of its block for an account that the call gives", async () => {
      const address = `0:${"7".repeat(64)}`;
      // ACCEPT
      const account = { address, balance: "10000000000", code: bocText(codeOf("F800")) };
      const body = bocText(Cell.empty);
      for (const seqno of [20, 99]) {
        const { params: config } = await reader.config(await reader.blockAt(seqno));
        const prices = configParam(config, 21)!;
        const fees = async (more: object = {}) => {
          const params = { address, body, seqno, overrides: { accounts: [account], ...more } };
          return (await result<{ source_fees: { gas_fee: number } }>("estimateFee", params)).source_fees
            .gas_fee;
        };
        expect(await fees()).toBe(Number(gasFee(prices, gasOfAccept)));
        const dear = { ...prices, gasPrice: 7n * prices.gasPrice, flat: undefined };
        const param = { param: 21, boc: bocText(encodeConfigParam(21, dear)) };
        expect(await fees({ config: [param] })).toBe(Number(gasFee(dear, gasOfAccept)));
      }
    });
  });
});
