import { Address as CoreAddress } from "@ton/core";
import { Executor as BareExecutor } from "@ton/sandbox/dist/executor/Executor.js";
import { Executor } from "../../server/chain/executor/executor.js";
import { ExecutorThreads } from "../../server/chain/executor/threads/executor-threads.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { ConfigParams } from "../../shared/ton/tlb/config-params.js";
import { toCore } from "../helpers/chain/core-cell.js";
import { account, testConfig } from "../helpers/chain/sample-chain.js";
import { testData } from "../helpers/test-data.js";
import { patchRows } from "./executor/patches.js";
import { method, seed, transaction } from "./executor/requests.js";
import type { Row, Suite } from "./harness.js";

let pool: ExecutorThreads | undefined;

export const suite: Suite = {
  title: "Executor (baseline: the emulator's own wrapper in @ton/sandbox, cells ready)",
  async rows() {
    const bare = await BareExecutor.create();
    const executor = await Executor.create();
    const started = new ExecutorThreads({ threads: 1 });
    pool = started;
    const bareMethod = bareMethodCall(bare);
    return [
      {
        title: "transaction of a wallet",
        ours: () => void executor.runTransaction(transaction),
        baseline: bareTransactionCall(bare),
      },
      {
        title: "get-method, in the caller's thread",
        ours: () => void executor.runMethod(method),
        baseline: bareMethod,
      },
      {
        title: "get-method, through the pool (1 thread)",
        ours: async () => {
          await Promise.all(Array.from({ length: inFlight }, () => started.runMethod(method)));
          return inFlight;
        },
        baseline: bareMethod,
        goal: { floor: 0.6, aim: 0.8 },
      },
      ...realConfigRows(executor, bare),
      ...(await patchRows({ transaction, method })),
    ];
  },
  close: () => pool?.close(),
};

/** With the configuration of mainnet, which is sixty times as long as a devnet's. */
function realConfigRows(executor: Executor, bare: BareExecutor): Row[] {
  const [entry] = testData().chain?.where({ kind: "config_dictionary", network: "mainnet" }) ?? [];
  if (!entry) return [];
  const config = decode(ConfigParams, parseBocRoot(entry.read())).config.cell;
  let number = 0;
  const data = () => beginCell().storeUint(number++, 64).storeBytes(seed).storeBit(false).endCell();
  return [
    {
      title: "get-method of another contract each time, mainnet's configuration",
      ours: () => void executor.runMethod({ ...method, config, data: data() }),
      baseline: bareMethodCall(bare, config),
    },
  ];
}

/** Concurrent calls, like those of many simultaneous requests. */
const inFlight = 16;

const textOf = (cell: Cell) => toCore(cell).toBoc().toString("base64");

function bareTransactionCall(executor: BareExecutor): () => Promise<undefined> {
  const args = {
    config: textOf(testConfig),
    libs: null,
    verbosity: "short",
    shardAccount: toCore(transaction.shardAccount).toBoc().toString("base64"),
    message: toCore(transaction.message),
    now: transaction.now,
    lt: transaction.lt,
    randomSeed: Buffer.from(seed),
    ignoreChksig: false,
    debugEnabled: false,
  } as const;
  return async () => void (await executor.runTransaction(args));
}

function bareMethodCall(executor: BareExecutor, config = testConfig): () => Promise<undefined> {
  const args = {
    code: toCore(method.code),
    data: toCore(method.data),
    methodId: method.methodId,
    stack: [],
    config: textOf(config),
    verbosity: "short" as const,
    address: CoreAddress.parseRaw(account.toRaw()),
    unixTime: method.now,
    balance: method.balance,
    randomSeed: Buffer.from(seed),
    gasLimit: 1_000_000n,
    debugEnabled: false,
  };
  return async () => void (await executor.runGetMethod(args));
}
