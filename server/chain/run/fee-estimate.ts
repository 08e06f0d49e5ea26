import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type AccountSnapshot, changedAccount } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { TransactionResult } from "../../../shared/ton/run/account-request.js";
import type { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import { RunError } from "../../../shared/ton/run/run-error.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode, TlbError } from "../../../shared/ton/tlb/codec.js";
import {
  type ConfigNumber,
  type ConfigValue,
  configParam,
} from "../../../shared/ton/tlb/config/config-param.js";
import type { MsgForwardPrices } from "../../../shared/ton/tlb/config/prices.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import type { MessageRelaxed } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { decodeOutList, type OutAction } from "../../../shared/ton/tlb/out-action.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { type StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { ExecutorThreads } from "../executor/threads/executor-threads.js";
import { externalMessage } from "../external-message.js";
import { type AccountsAhead, notRunInTime } from "./accounts-ahead.js";
import { forwardFee, gasFee, gasParam, storageFee, treeSize } from "./fees.js";
import { type RunCall, runOptions } from "./method-runner.js";
import { partsOn, type SupposedChain } from "./supposed-chain.js";

/** The external message to estimate. */
export type FeeQuestion = {
  body: Cell;
  /** Replaces the account's code and data, and is sent with the message. */
  init?: { code: Cell; data: Cell } | undefined;
  /** Accepts every signature, so that the message need not be signed yet. */
  ignoreSignatures: boolean;
};

/** In nanotons. */
export type FeeEstimate = { inForward: bigint; storage: bigint; gas: bigint; forward: bigint };

type RunEstimate = { fees: FeeEstimate; isAccepted: boolean };

type EstimatorParts = {
  reader: Pick<ChainReader, "config" | "previousBlocks">;
  executor: Pick<ExecutorThreads, "runTransaction">;
  libraries: CodeLibraries;
  isSupposed?: boolean;
  /** Absent if the waiting messages are unknown. */
  ahead?: Pick<AccountsAhead, "before"> | undefined;
};

/**
 * Deepest body, code or data. A message lies two cells deep in its transaction and its init adds two more; a tree of
 * cells is at most 1024 deep.
 */
const maxDepth = 1020;
/** In nanotons, more than a wallet can need: replaces the balance of an account that cannot pay for the run. */
const ampleBalance = 10n ** 18n;
/** Constant, so that equal requests give equal answers; must not be zero. */
const seed = new Uint8Array(32).fill(1);

/** Estimates the fees of an external message as tonlib does, with the prices of the account's block. */
export class FeeEstimator {
  readonly #parts: EstimatorParts;

  constructor(parts: EstimatorParts) {
    this.#parts = parts;
  }

  /** The same on a chain with changes, and without the messages that wait. */
  on(chain: SupposedChain): FeeEstimator {
    return new FeeEstimator({ ...this.#parts, ...partsOn(chain), ahead: undefined });
  }

  /**
   * Runs the message on the account after the messages waiting for it or, if it then refuses the message, on the
   * account's current state. An account that cannot pay for the gas credit is assumed to have the funds. Throws a
   * RunError if the message is too deep, or if its action list is invalid or sets code.
   */
  async estimate(account: AccountSnapshot, question: FeeQuestion, call: RunCall = {}): Promise<FeeEstimate> {
    refuseDeep(question);
    const { address, block } = account;
    const before = await this.#parts.ahead?.before({ address, body: question.body }, block, call);
    if (before && before !== "late") {
      const next = await this.#estimateOn(changedAccount(account, before.state), question, call);
      if (next.isAccepted) return next.fees;
    }
    const { isAccepted, fees } = await this.#estimateOn(account, question, call);
    if (before === "late" && !isAccepted) throw notRunInTime();
    return fees;
  }

  async #estimateOn(account: AccountSnapshot, question: FeeQuestion, call: RunCall): Promise<RunEstimate> {
    const { reader } = this.#parts;
    const { params } = await reader.config(account.block);
    const prices = pricesFor(account, params);
    const { body, init: given } = question;
    const newInit = given && stateInitOf(given.code, given.data);
    const inForward = importFee(externalMessage(account.address, body, newInit), prices);
    const storage = rentOf(account, prices.storage);
    const init = initOf(account, question);
    if (!init) return { fees: { inForward, storage, gas: 0n, forward: 0n }, isAccepted: false };
    // Run without the state init: a message whose init does not match the address would not be run.
    const message = externalMessage(account.address, body, undefined);
    // The executor deducts the import fee from the balance, while tonlib runs with the full balance.
    const isPoor = account.balance < gasFee(prices.gas, prices.gas.gasCredit);
    const balance = isPoor ? ampleBalance : account.balance;
    const funded = { ...account, balance: balance + importFee(message, prices) };
    const result = await this.#run({ account: funded, init, message, question }, call);
    return {
      fees: { inForward, storage, ...feesOfRun(result, prices) },
      isAccepted: result.outcome === "done",
    };
  }

  async #run({ account, init, message, question }: RunParts, call: RunCall): Promise<TransactionResult> {
    const { reader, executor, libraries, isSupposed } = this.#parts;
    const { root } = await reader.config(account.block);
    const request = {
      config: root,
      libraries: await libraries.of({ ...account, code: init.code }, call),
      previousBlocks: await reader.previousBlocks(account.block),
      isSupposed,
      now: account.syncUtime,
      randSeed: seed,
      shardAccount: accountToRun(account, init),
      message,
      lt: account.lastTransaction.lt + 1n,
      ignoreSignatures: question.ignoreSignatures,
    };
    return executor.runTransaction(request, runOptions(call, init.code));
  }
}

function refuseDeep({ body, init }: FeeQuestion): void {
  const parts = { body, init_code: init?.code, init_data: init?.data };
  for (const [param, cell] of Object.entries(parts))
    if (cell && cell.depth() > maxDepth)
      throw new RunError("too-deep", `${param} is too deep: at most ${maxDepth} levels of cells`);
}

function importFee(message: Cell, { forward }: Prices): bigint {
  return forwardFee(forward, treeSize(message.refs));
}

type RunParts = { account: AccountSnapshot; init: StateInit; message: Cell; question: FeeQuestion };

type Prices = {
  gas: ConfigValue<20>;
  forward: MsgForwardPrices;
  /** Prices for messages from or to the masterchain. */
  masterchainForward: MsgForwardPrices;
  storage: ConfigValue<18>;
};

function pricesFor({ address }: AccountSnapshot, params: ConfigDictionary): Prices {
  const onMasterchain = address.workchain === masterchain;
  const masterchainForward = required(params, 24);
  return {
    gas: required(params, gasParam(address.workchain)),
    forward: onMasterchain ? masterchainForward : required(params, 25),
    masterchainForward,
    storage: required(params, 18),
  };
}

function required<N extends ConfigNumber>(params: ConfigDictionary, number: N): ConfigValue<N> {
  const value = configParam(params, number);
  if (value === undefined) throw new TypeError(`the configuration has no parameter ${number}`);
  return value;
}

/** Storage fee since the last payment, for the recorded usage. */
function rentOf({ account, address, syncUtime }: AccountSnapshot, prices: Prices["storage"]): bigint {
  if (!account) return 0n;
  const { used, lastPaid } = account.storageStat;
  const isMasterchain = address.workchain === masterchain;
  return storageFee([...prices.values()], {
    used,
    from: lastPaid,
    to: syncUtime,
    masterchain: isMasterchain,
  });
}

/** The state that the message runs on; undefined without code. */
function initOf({ account }: AccountSnapshot, { init }: FeeQuestion): StateInit | undefined {
  const state = account?.storage.state;
  const own = state?.kind === "active" ? state.init : undefined;
  if (init) return own ? { ...own, ...init } : stateInitOf(init.code, init.data);
  return own?.code ? own : undefined;
}

/** The account with its storage fee paid, as that is estimated separately. */
function accountToRun(snapshot: AccountSnapshot, init: StateInit): Cell {
  const { address, balance, extraCurrencies, lastTransaction, syncUtime } = snapshot;
  const lastTransLt = snapshot.account?.storage.lastTransLt ?? 0n;
  const account: Account = {
    addr: address,
    storageStat: {
      // Not the actual usage, which has no cost here. The emulator aborts if a poor account has no cells.
      used: { cells: 1n, bits: 0n },
      storageExtra: { kind: "none" },
      lastPaid: syncUtime,
      duePayment: undefined,
    },
    storage: {
      lastTransLt,
      balance: { coins: balance, extra: extraCurrencies },
      state: { kind: "active", init },
    },
  };
  return encode(ShardAccount, {
    account: CellOf.of(Account, account),
    lastTransHash: lastTransaction.hash,
    lastTransLt: lastTransaction.lt,
  });
}

/** Zero if the contract does not accept the message, which is not an error. */
function feesOfRun(result: TransactionResult, prices: Prices): Pick<FeeEstimate, "gas" | "forward"> {
  const compute = result.outcome === "done" ? computePhaseOf(result.transaction) : undefined;
  if (result.outcome !== "done" || !compute) return { gas: 0n, forward: 0n };
  const actions = compute.success ? result.actions : undefined;
  return {
    gas: gasFee(prices.gas, compute.gasUsed),
    forward: actions ? forwardFees(actions, prices) : 0n,
  };
}

function computePhaseOf(transaction: Cell) {
  const description = decode(Transaction, transaction).description.value;
  if (description.kind !== "ord" || description.computePh.kind !== "vm") return undefined;
  return description.computePh;
}

/** Fees of all messages to send, whether or not the action phase could pay for them. */
function forwardFees(actions: Cell, prices: Prices): bigint {
  return actionsOf(actions).reduce((sum, action) => {
    if (action.kind === "setCode") throw unsupported("action_set_code unsupported");
    return action.kind === "sendMsg" ? sum + priceOf(action.outMsg, prices) : sum;
  }, 0n);
}

function actionsOf(list: Cell): OutAction[] {
  try {
    return decodeOutList(list);
  } catch (error) {
    if (!(error instanceof TlbError)) throw error;
    throw unsupported("action list invalid");
  }
}

/** Fee of init and body without their root cells; of an invalid message, everything but the root cell. */
function priceOf(sent: CellOf<MessageRelaxed>, { forward, masterchainForward }: Prices): bigint {
  const message = readable(sent);
  if (!message) return forwardFee(forward, treeSize(sent.cell.refs));
  const { info, init, initInRef, body, bodyInRef } = message;
  const parts = [
    ...(init ? (initInRef ? [init.cell] : init.cell.refs) : []),
    ...(bodyInRef ? [body] : body.refs),
  ];
  const toMasterchain = info.kind === "internal" && accountOf(info.dest)?.workchain === masterchain;
  return forwardFee(toMasterchain ? masterchainForward : forward, treeSize(parts));
}

function readable(sent: CellOf<MessageRelaxed>): MessageRelaxed | undefined {
  try {
    return sent.value;
  } catch (error) {
    if (error instanceof TlbError) return undefined;
    throw error;
  }
}

function unsupported(reason: string): RunError {
  return new RunError("not-estimable", `estimate_fee: ${reason}`);
}
