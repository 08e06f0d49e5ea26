import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { openAll } from "../../../shared/ton/cells/merkle/proof.js";
import {
  type LiteCall,
  LiteError,
  liteErrorCode,
  type MethodCall,
  type RunMethodResult,
} from "../../../shared/ton/lite/lite-api.js";
import { type FoundAccount, findAccount } from "../../../shared/ton/proofs/make/accounts.js";
import {
  type BlockWithState,
  failure,
  isMasterchain,
  loadState,
} from "../../../shared/ton/proofs/make/load.js";
import { openBlock, openMcState, openState } from "../../../shared/ton/proofs/make/open-block.js";
import { previousBlocks } from "../../../shared/ton/proofs/make/previous-blocks.js";
import { answerBoc, noBytes, prove } from "../../../shared/ton/proofs/make/prove.js";
import type { ServedChain } from "../../../shared/ton/proofs/make/served-chain.js";
import { unknownBlock } from "../../../shared/ton/proofs/make/state-proofs.js";
import type { MethodRequest, MethodResult } from "../../../shared/ton/run/method-request.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { loadStack } from "../../../shared/ton/tvm/load-stack.js";
import { StackError, type StackValue } from "../../../shared/ton/tvm/stack.js";
import { storeStack, storeStackValue } from "../../../shared/ton/tvm/store-stack.js";
import { Address } from "../../../shared/values/address.js";
import { ExecutorError } from "../executor/executor-error.js";
import { type MethodContext, methodC7 } from "./method-c7.js";

const maxParams = 65536;
const gasLimit = 300_000;
/** Exit code for an account that is missing, frozen or without code. */
const nothingToRun = -0x100;

/** Runs get-methods; each run gets 32 random bytes as its seed. */
export type MethodRunner = {
  runMethod(request: MethodRequest, options?: Pick<LiteCall, "signal">): Promise<MethodResult>;
  randomBytes(count: number): Uint8Array;
};

export async function runSmcMethod(
  chain: ServedChain,
  runner: MethodRunner,
  request: MethodCall,
  call: LiteCall,
): Promise<RunMethodResult> {
  const stack = paramsOf(request.params);
  const methodId = Number(request.methodId);
  if (methodId !== methodId >> 0) throw failure("method id is not a number of 32 bits");
  const found = await findAccount(chain, request);
  const answer = partsOf(found, request);
  const context = await contextOf(chain, found, runner);
  if (!context) return { ...answer, exitCode: nothingToRun };
  const run = { ...context, methodId, stack, gasLimit };
  const { exitCode, stack: result } = await runner
    .runMethod(run, { signal: call.signal })
    .catch(rejectAsLiteError);
  return {
    ...answer,
    exitCode,
    ...(request.initC7 && { initC7: answerBoc(storeStackValue(methodC7(context, request.fullC7 ?? false))) }),
    ...(request.result && { result: resultBoc(result) }),
  };
}

/** Answers are trees of cells, which are 1024 deep at most: a result of more values has no form here. */
function resultBoc(result: readonly StackValue[]): Uint8Array {
  try {
    return answerBoc(storeStack(result));
  } catch (error) {
    throw error instanceof StackError ? tooLargeResult() : error;
  }
}

function tooLargeResult(): LiteError {
  return failure("cannot serialize resulting stack");
}

/** Maps executor errors to a liteserver's; a timeout of the run is a query timeout. */
function rejectAsLiteError(error: unknown): never {
  if (error instanceof StackError) throw tooLargeResult();
  if (!(error instanceof ExecutorError)) throw error;
  if (error.code === "invalid" || error.brokeEmulator) throw failure(`cannot run method : ${error.message}`);
  if (error.code === "aborted") throw new LiteError(liteErrorCode.cancelled, "cancelled");
  throw new LiteError(liteErrorCode.queryTimeout, "timeout");
}

/** The arguments, bottom to top; none for empty bytes. */
function paramsOf(params: Uint8Array): StackValue[] {
  if (params.length >= maxParams) throw failure("more than 64k parameter bytes passed");
  if (params.length === 0) return [];
  let root: Cell;
  try {
    root = parseBocRoot(params);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw failure(`cannot deserialize parameter list boc: ${error.message}`);
  }
  try {
    return withoutContinuations(loadStack(root));
  } catch (error) {
    if (!(error instanceof CellError || error instanceof StackError)) throw error;
    throw failure("parameter list boc cannot be deserialized as a VmStack");
  }
}

function withoutContinuations(values: StackValue[]): StackValue[] {
  for (const value of values) {
    if (value.type === "continuation")
      throw new StackError("malformed", "an argument must not be a continuation");
    if (value.type === "tuple") withoutContinuations(value.items);
  }
  return values;
}

/** The answer without the result of the run. Requested fields are present even if they are empty. */
function partsOf(
  { id, shardBlock, shardProof, proof, account }: FoundAccount,
  request: MethodCall,
): Omit<RunMethodResult, "exitCode"> {
  return {
    id,
    shardblk: shardBlock?.id ?? unknownBlock(),
    ...(request.proof && { shardProof, proof }),
    // The emulator does not report which cells it read, so the proof contains all of them.
    ...(request.stateProof && { stateProof: account ? prove(account, openAll).boc : noBytes() }),
    ...(request.initC7 && { initC7: noBytes() }),
    ...(request.libExtras && { libExtras: noBytes() }),
    ...(request.result && { result: noBytes() }),
  };
}

/** The context of the run: the account, and the masterchain state it was found in; undefined if there is no code. */
async function contextOf(
  chain: ServedChain,
  { id, account: cell, shardBlock }: FoundAccount,
  runner: MethodRunner,
): Promise<MethodContext | undefined> {
  const account = cell && decode(Account, cell);
  if (!account || !shardBlock || account.storage.state.kind !== "active") return undefined;
  if (!(account.addr instanceof Address)) return undefined;
  const { code, data = Cell.empty } = account.storage.state.init;
  if (!code) return undefined;
  const { genUtime, genLt } = openState(shardBlock.state);
  const mcId = isMasterchain(id) ? id : await masterchainBlockBefore(shardBlock);
  const mcState = await loadState(chain, mcId);
  const extra = openMcState(mcState);
  return {
    account,
    code,
    data,
    address: account.addr,
    balance: account.storage.balance.coins,
    extraCurrencies: new Map(account.storage.balance.extra.entries()),
    config: extra.config.config.cell,
    libraries: openState(mcState).totals.value.libraries.root,
    previousBlocks: previousBlocks(mcId, extra.history.value),
    now: genUtime,
    lt: genLt,
    randSeed: runner.randomBytes(32),
  };
}

/** At a shard block, methods run with the masterchain block to which it refers. */
async function masterchainBlockBefore({ root }: BlockWithState): Promise<BlockIdExt> {
  const master = openBlock(root).info.value.masterRef?.value.master;
  if (!master) throw failure("masterchain ref block is not available");
  const { seqno, rootHash, fileHash } = master;
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash };
}
