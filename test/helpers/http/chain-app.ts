import { openReplay } from "../../../server/chain/replay/replay.js";
import { accountHandlers } from "../../../server/methods/v2/accounts.js";
import { blockHandlers } from "../../../server/methods/v2/blocks.js";
import { configHandlers } from "../../../server/methods/v2/config.js";
import { transactionHandlers } from "../../../server/methods/v2/transactions.js";
import { implement } from "../../../server/rpc/bind.js";
import { accountMethods } from "../../../shared/methods/v2/accounts.js";
import { blockMethods } from "../../../shared/methods/v2/blocks.js";
import { configMethods } from "../../../shared/methods/v2/config.js";
import { transactionMethods } from "../../../shared/methods/v2/transactions.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { ChainData } from "../test-data.js";
import { startApp, type TestApp } from "./app.js";

/** The methods that need a chain and nothing else. */
const readRegistry = { ...accountMethods, ...blockMethods, ...transactionMethods, ...configMethods };

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

/** The HTTP interface over a LiteApi. */
export async function startChainApp(lite: LiteApi, now = () => 1_700_000_000_000): Promise<ChainApp> {
  const head = new ChainHead(await lite.getMasterchainInfo(), now);
  const reader = new ChainReader({ lite, head });
  const implementations = {
    ...implement(accountMethods, accountHandlers, { reader, runner: noRunner }),
    ...implement(blockMethods, blockHandlers, { reader }),
    ...implement(transactionMethods, transactionHandlers, { reader }),
    ...implement(configMethods, configHandlers, { reader }),
  };
  const app = await startApp({ registry: readRegistry, implementations, chain: head, now });
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
