import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { ConfigView } from "../../../shared/ton/proofs/read/config.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { TransactionRequest } from "../../../shared/ton/run/account-request.js";
import {
  factsOf,
  loggedWithin,
  type MethodDebugRun,
  type RefusedRun,
  readLog,
  type TransactionRun,
} from "../../../shared/ton/run/debug-run.js";
import type { ContractState, MethodRun } from "../../../shared/ton/run/run-get-method.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { externalReceiver, Message } from "../../../shared/ton/tlb/message.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { defaultGasLimit } from "../executor/calls.js";
import { paidTurns } from "../paid-turns.js";
import { gasBought, gasParam } from "../run/fees.js";
import type { MethodRunner } from "../run/method-runner.js";
import type { SupposedChain } from "../run/supposed-chain.js";
import type { ExpectedTrace, ExpectedTransaction, TraceEmulator } from "../run/trace-emulator.js";
import { type DebugCall, isTooDear, longRun } from "./debug-runs.js";

/** A message to run, on the state after a masterchain block. */
type MessageRun = {
  message: Cell;
  ignoreSignatures: boolean;
  master: BlockIdExt;
  /** Undefined: the chain that is read. The chain with changes follows the trace. */
  chain: SupposedChain | undefined;
  /** How many transactions are run; 1: only that of the message. */
  maxTransactions: number;
  /** Names of the runs, by their number in the trace. */
  idOf: (number: number) => string;
};

export type MessageRuns = {
  runs: (TransactionRun | RefusedRun)[];
  trace: ExpectedTrace;
};

type Parts = {
  reader: Pick<ChainReader, "config">;
  emulator: Pick<TraceEmulator, "emulate" | "on">;
};

/** CPU time of the transactions of a message together. */
const maxCpuMs = 2 * longRun.maxCpuMs;

/** Runs a message that was not sent, with the log of each run. Without runs the trace has the reason. */
export async function runMessage(
  { message, ignoreSignatures, master, chain, maxTransactions, idOf }: MessageRun,
  { withStacks }: { withStacks: boolean },
  { reader, emulator }: Parts,
  call: DebugCall,
): Promise<MessageRuns> {
  const emulation = {
    ...{ block: master, end: chain?.end, ignoreSignatures, maxTransactions, maxCpuMs },
    ...(maxTransactions === 1 && { maxDepth: 1 }),
  };
  const own = chain ? emulator.on(chain) : emulator;
  const { result: trace, isLost } = await loggedWithin({ withStacks, isTooDear }, (log) =>
    own.emulate(message, { ...emulation, log }, { ...call, ...longRun }),
  );
  const config = await (chain ?? reader).config(master);
  chain?.follow(trace);
  const runs: MessageRuns["runs"] = [];
  const about = (number: number) => ({ id: idOf(number), master, config });
  for (const [number, expected] of trace.transactions.entries())
    runs.push(await transactionRun(expected, about(number), isLost, call));
  if (trace.refused) runs.push(await refusedRun(trace.refused, about(0), isLost, call));
  return { runs, trace };
}

type About = { id: string; master: BlockIdExt; config: ConfigView };

async function transactionRun(
  { address, transaction: { cell, value: transaction }, run }: ExpectedTransaction,
  about: About,
  isLost: boolean,
  call: DebugCall,
): Promise<TransactionRun> {
  const { request, result } = run!;
  return {
    kind: "transaction",
    ...{ ...about, address, environment: request, block: undefined, givenLt: request.lt },
    own: {
      found: { address, cell, transaction },
      level: "none",
      result,
      before: request.shardAccount,
    },
    log: await readLog(result.vmLog, { ...factsOf(transaction), isLost }, paidTurns(call)),
  };
}

async function refusedRun(
  { request, result }: NonNullable<ExpectedTrace["refused"]>,
  about: About,
  isLost: boolean,
  call: DebugCall,
): Promise<RefusedRun> {
  const address = externalReceiver(decode(Message, request.message))!;
  const gasCredit = gasCreditOf(address, request, about.config);
  return {
    kind: "refused",
    ...{ ...about, address, environment: request, before: request.shardAccount, gasCredit },
    givenLt: request.lt,
    ...{ message: request.message, exitCode: result.exitCode },
    log: await readLog(
      result.vmLog,
      { steps: 0, gas: gasCredit, gasUsed: undefined, isLost },
      paidTurns(call),
    ),
  };
}

/** Gas that an account may use before it accepts an external message. */
function gasCreditOf(address: Address, { shardAccount }: TransactionRequest, { params }: ConfigView): number {
  const prices = configParam(params, gasParam(address.workchain));
  if (!prices) return 0;
  const balance = decode(ShardAccount, shardAccount).account.value?.storage.balance.coins ?? 0n;
  const bought = gasBought(prices, balance);
  return Number(bought < prices.gasCredit ? bought : prices.gasCredit);
}

type MethodParts = { reader: Pick<ChainReader, "config">; runner: Pick<MethodRunner, "runLogged" | "on"> };

/** Runs a get-method with the log of its run. */
export async function runMethod(
  account: ContractState,
  {
    id,
    master,
    chain,
    ...method
  }: Omit<MethodRun, "at"> & Pick<About, "id" | "master"> & { chain: SupposedChain | undefined },
  { withStacks }: { withStacks: boolean },
  { reader, runner }: MethodParts,
  call: DebugCall,
): Promise<MethodDebugRun> {
  const own = chain ? runner.on(chain) : runner;
  const {
    result: { outcome, logged },
    isLost,
  } = await loggedWithin({ withStacks, isTooDear }, (log) =>
    own.runLogged(account, { ...method, at: master, log }, { ...call, ...longRun }),
  );
  const config = await (chain ?? reader).config(master);
  const { gasUsed } = outcome;
  const gasLimit = logged?.request.gasLimit ?? defaultGasLimit;
  const environment = logged?.request ?? {
    ...{ config: config.root, now: account.syncUtime, randSeed: new Uint8Array(32) },
  };
  return {
    kind: "method",
    ...{ id, address: account.address, master, config, environment, account, gasLimit, outcome },
    methodId: method.methodId,
    log: await readLog(logged?.vmLog ?? "", { steps: 0, gas: gasLimit, gasUsed, isLost }, paidTurns(call)),
  };
}
