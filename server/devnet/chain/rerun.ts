import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import type { ExtBlkRef } from "../../../shared/ton/tlb/block-ref.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Executor } from "../../chain/executor/executor.js";
import type { TransactionResult } from "../../chain/executor/requests.js";
import { noAccount } from "../collate/block/touched-accounts.js";
import { ChainSide } from "../collate/chain-side.js";
import { runEnvironment } from "../collate/step.js";
import { DevnetError } from "../devnet-error.js";
import type { ChainStorage } from "../storage/chain-storage.js";
import type { TransactionKey } from "./transaction-finder.js";

/** Result of rerunning a transaction. */
export type TransactionLog = {
  vmLog: string;
  /** Absent if the compute phase was skipped. */
  exitCode: number | undefined;
  /** The output actions as a bag of cells; absent if no code ran. */
  actions: Uint8Array | undefined;
  /** Milliseconds that the runs took. */
  runMs: number;
};

/**
 * Reruns a transaction to get its log: replays the account's transactions in the block, on the state before the block.
 * Throws `DevnetError`: "not-found" if there is no such transaction, "conflict" if the result differs.
 */
export async function rerunTransaction(
  key: TransactionKey,
  storage: ChainStorage,
  executor: Pick<Executor, "runTransaction" | "runTickTock">,
): Promise<TransactionLog> {
  const { block, before } = await blockWith(key, storage);
  const transactions = block.extra.value.accountBlocks.value.get(key.id)?.transactions;
  if (!transactions?.has(key.lt)) throw unknown();
  const environment = runEnvironment(before.master, {
    utime: block.info.value.genUtime,
    randSeed: block.extra.value.randSeed,
  });
  const first = decode(ShardStateUnsplit, before.own).accounts.value.get(key.id) ?? noAccount;
  let shardAccount = encode(ShardAccount, first);
  const began = performance.now();
  for (const [lt, transaction] of transactions.entries()) {
    const wanted = lt === key.lt;
    const request = { ...environment, shardAccount, lt, log: wanted ? ("stack" as const) : undefined };
    const result = repeat(transaction, request, executor);
    if (result === undefined)
      throw new DevnetError(
        "conflict",
        "the transaction cannot be repeated: its account was edited in the same block",
      );
    if (wanted) return { ...logOf(transaction, result), runMs: performance.now() - began };
    shardAccount = result.shardAccount;
  }
  throw unknown();
}

/** Runs a transaction again; undefined if the result differs. */
function repeat(
  { cell, value }: CellOf<Transaction>,
  request: Request,
  executor: Pick<Executor, "runTransaction" | "runTickTock">,
): (TransactionResult & { outcome: "done" }) | undefined {
  const inMsg = value.messages.value.inMsg;
  const isExternal = inMsg?.value.info.kind === "externalIn";
  // The chain does not tell whether a message was sent with its signatures ignored.
  for (const ignoreSignatures of isExternal ? [undefined, true] : [undefined]) {
    const result = run(value, { ...request, ignoreSignatures }, executor);
    if (result.outcome === "done" && result.transaction.equals(cell)) return result;
  }
  return undefined;
}

type Request = Omit<Parameters<Executor["runTickTock"]>[0], "which">;

function run(
  { messages, description }: Transaction,
  request: Request & { ignoreSignatures: boolean | undefined },
  executor: Pick<Executor, "runTransaction" | "runTickTock">,
): TransactionResult {
  const kind = description.value;
  if (kind.kind === "tickTock")
    return executor.runTickTock({ ...request, which: kind.isTock ? "tock" : "tick" });
  return executor.runTransaction({ ...request, message: messages.value.inMsg!.cell });
}

function logOf(
  transaction: CellOf<Transaction>,
  { vmLog, actions }: TransactionResult & { outcome: "done" },
): Omit<TransactionLog, "runMs"> {
  const description = transaction.value.description.value;
  const compute = "computePh" in description ? description.computePh : undefined;
  return {
    vmLog,
    exitCode: compute?.kind === "vm" ? compute.exitCode : undefined,
    actions: actions && serializeBoc(actions),
  };
}

async function blockWith({ workchain, lt }: TransactionKey, storage: ChainStorage) {
  const seqno = workchain === masterchain || workchain === 0 ? storage.stepAt(workchain, lt) : undefined;
  const roots = seqno === undefined ? undefined : await storage.blocksAt(seqno);
  const states = seqno === undefined ? undefined : await storage.statesAt(seqno - 1);
  if (!roots || !states) throw unknown();
  const block = decode(Block, workchain === masterchain ? roots.masterchain : roots.basechain);
  const { masterRef, prevRef } = block.info.value;
  const master = masterRef?.value.master ?? itemAt(prevRef.value, 0);
  return {
    block,
    before: {
      own: workchain === masterchain ? states.masterchain : states.basechain,
      master: sideOf(master, states.masterchain),
    },
  };
}

function sideOf({ seqno, rootHash, fileHash }: ExtBlkRef, state: Cell): ChainSide {
  const id: BlockIdExt = { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash };
  return new ChainSide({ id, state });
}

function unknown(): DevnetError {
  return new DevnetError("not-found", "the devnet has no such transaction");
}
