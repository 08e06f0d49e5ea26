import { ArtifactStore } from "../../../server/artifacts/store.js";
import type { MethodRunner } from "../../../server/chain/run/method-runner.js";
import { chainRules } from "../../../server/methods/chain-rules.js";
import { accountHandlers } from "../../../server/methods/v2/accounts.js";
import { blockHandlers } from "../../../server/methods/v2/blocks.js";
import { configHandlers } from "../../../server/methods/v2/config.js";
import { runMethodHandlers } from "../../../server/methods/v2/run-method.js";
import { transactionHandlers } from "../../../server/methods/v2/transactions.js";
import { v4Implementations } from "../../../server/methods/v4-methods.js";
import { implement } from "../../../server/rpc/bind.js";
import { accountMethods } from "../../../shared/methods/v2/accounts.js";
import { blockMethods } from "../../../shared/methods/v2/blocks.js";
import { configMethods } from "../../../shared/methods/v2/config.js";
import { runMethodMethods } from "../../../shared/methods/v2/run-method.js";
import { transactionMethods } from "../../../shared/methods/v2/transactions.js";
import { v4AccountMethods } from "../../../shared/methods/v4/accounts.js";
import { v4BlockMethods } from "../../../shared/methods/v4/blocks.js";
import { v4TransactionMethods } from "../../../shared/methods/v4/transactions.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { openReplay } from "../chain/replay/replay.js";
import { noFallback } from "../no-fallback.js";
import type { ChainData } from "../test-data.js";
import { startApp, type TestApp } from "./app.js";

/** The methods that need a chain and nothing else. */
const readRegistry = {
  ...accountMethods,
  ...blockMethods,
  ...transactionMethods,
  ...configMethods,
  ...runMethodMethods,
  v4: { ...v4BlockMethods, ...v4AccountMethods, ...v4TransactionMethods },
};

/** A runner for tests that run no get-methods. */
export const noRunner = { run: () => Promise.reject(new Error("nothing is run here")) };

/** The first blocks of mainnet as a LiteApi. */
export function firstBlocks({ folder }: ChainData): LiteApi {
  return openReplay([folder], {
    methods: {
      runMethod: () => Promise.reject(new Error("nothing is run here")),
      randomBytes: (count) => new Uint8Array(count),
    },
    now: () => 0,
  });
}

export type ChainApp = TestApp & {
  readonly head: ChainHead;
  readonly reader: ChainReader;
  /** The result of a GET; fails the test when it is an error. */
  result<T = unknown>(pathAndQuery: string): Promise<T>;
};

/** The HTTP interface over a LiteApi, for a network whose answers proxies may keep. */
export async function startChainApp(
  lite: LiteApi,
  now = () => 1_700_000_000_000,
  runnerOn?: (reader: ChainReader) => MethodRunner,
): Promise<ChainApp> {
  const head = new ChainHead(await lite.getMasterchainInfo(), now);
  const reader = new ChainReader({ lite, head });
  const runner = runnerOn?.(reader) ?? (noRunner as unknown as MethodRunner);
  const chain = { chainUnavailableReason: () => undefined };
  const rules = chainRules(chain);
  const implementations = {
    ...implement(accountHandlers, { reader, runner }, rules),
    ...implement(blockHandlers, { reader }, rules),
    ...implement(transactionHandlers, { reader }, rules),
    ...implement(configHandlers, { reader }, rules),
    ...implement(runMethodHandlers, { reader, runner }, rules),
    v4: v4Implementations({
      reader,
      runner,
      lite,
      fallback: noFallback,
      artifacts: new ArtifactStore(),
      ...chain,
    }),
  };
  const app = await startApp({ registry: readRegistry, implementations, chain: head, now, isKept: true });
  return {
    ...app,
    head,
    reader,
    async result<T>(path: string): Promise<T> {
      const { status, text, json } = await app.ask(`/api/v2/${path}`);
      if (status !== 200) throw new Error(`${path} is answered with ${text}`);
      return (json as { result: T }).result;
    },
  };
}
