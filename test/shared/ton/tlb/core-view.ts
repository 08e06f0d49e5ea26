import {
  Address as CoreAddress,
  Cell as CoreCell,
  Dictionary as CoreDictionary,
  ExternalAddress,
} from "@ton/core";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import type { CurrencyCollection } from "../../../../shared/ton/tlb/currency-collection.js";
import type { Message } from "../../../../shared/ton/tlb/message.js";
import type { MsgAddress } from "../../../../shared/ton/tlb/msg-address.js";
import type { TrActionPhase, TrBouncePhase, TrComputePhase } from "../../../../shared/ton/tlb/phases.js";
import type { StateInit } from "../../../../shared/ton/tlb/state-init.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import type { SplitMergeInfo, TransactionDescr } from "../../../../shared/ton/tlb/transaction-descr.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";

// Converts our values to the shape of @ton/core, both reduced to plain data, so that whole records can be compared.

/** Hashes as hex, addresses as text, dictionaries as objects, absent fields omitted. */
export function plain(value: unknown): unknown {
  if (value instanceof Cell || value instanceof CoreCell)
    return value instanceof Cell ? value.hashHex() : value.hash().toString("hex");
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (value instanceof Address || CoreAddress.isAddress(value))
    return value instanceof Address ? value.toRaw() : value.toRawString();
  if (ExternalAddress.isAddress(value)) return { bits: value.bits, value: value.value };
  if (value instanceof CoreDictionary)
    return Object.fromEntries([...value].map(([key, member]) => [String(key), plain(member)]));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined && member !== null && typeof member !== "function")
      .map(([key, member]) => [key, plain(member)]),
  );
}

const number = (hash: Uint8Array) => BigInt(`0x${bytesToHex(hash)}`);

const statuses = {
  uninit: "uninitialized",
  frozen: "frozen",
  active: "active",
  nonexist: "non-existing",
} as const;

export function transactionView(cell: Cell, transaction: Transaction): unknown {
  const { inMsg, outMsgs } = transaction.messages.value;
  return {
    address: number(transaction.accountAddr),
    lt: transaction.lt,
    prevTransactionHash: number(transaction.prevTransHash),
    prevTransactionLt: transaction.prevTransLt,
    now: transaction.now,
    outMessagesCount: transaction.outMsgCount,
    oldStatus: statuses[transaction.origStatus],
    endStatus: statuses[transaction.endStatus],
    inMessage: inMsg && messageView(inMsg.value),
    outMessages: Object.fromEntries([...outMsgs.entries()].map(([i, { value }]) => [i, messageView(value)])),
    totalFees: currencyView(transaction.totalFees),
    stateUpdate: transaction.stateUpdate.value,
    description: descrView(transaction.description.value),
    raw: cell,
  };
}

function currencyView({ coins, extra }: CurrencyCollection) {
  return { coins, other: extra.root && Object.fromEntries(extra.entries()) };
}

function addressView(address: MsgAddress) {
  return address instanceof Address || !address || address.kind !== "external"
    ? address
    : { bits: address.bits, value: address.value };
}

export function messageView({ info, init, body }: Message) {
  return { info: infoView(info), init: init && initView(init.value), body };
}

function infoView(info: Message["info"]) {
  const { kind, ...rest } = info;
  const ends = { src: addressView(info.src), dest: addressView(info.dest) };
  if (kind === "externalIn") return { type: "external-in", ...rest, ...ends };
  if (kind === "externalOut") return { type: "external-out", ...rest, ...ends };
  const { value, extraFlags, fwdFee, ...flags } = rest as Extract<Message["info"], { kind: "internal" }>;
  return {
    type: "internal",
    ...flags,
    ...ends,
    value: currencyView(value),
    ihrFee: extraFlags,
    forwardFee: fwdFee,
  };
}

function initView({ fixedPrefixLength, special, code, data, library }: StateInit) {
  const libraries = [...library.entries()].map(([hash, lib]) => [`${number(hash)}`, lib]);
  return {
    splitDepth: fixedPrefixLength,
    special,
    code,
    data,
    libraries: library.root && Object.fromEntries(libraries),
  };
}

function descrView(descr: TransactionDescr): unknown {
  switch (descr.kind) {
    case "ord":
      return {
        type: "generic",
        creditFirst: descr.creditFirst,
        ...phases(descr),
        bouncePhase: descr.bounce && bounceView(descr.bounce),
        aborted: descr.aborted,
        destroyed: descr.destroyed,
      };
    case "storage":
      return { type: "storage", storagePhase: descr.storagePh };
    case "tickTock": {
      const { isTock, aborted, destroyed } = descr;
      return { type: "tick-tock", isTock, ...phases(descr), aborted, destroyed };
    }
    case "splitPrepare": {
      const { splitInfo, aborted, destroyed } = descr;
      return { type: "split-prepare", splitInfo: splitView(splitInfo), ...phases(descr), aborted, destroyed };
    }
    case "splitInstall": {
      const { splitInfo, installed, prepareTransaction } = descr;
      return {
        type: "split-install",
        splitInfo: splitView(splitInfo),
        prepareTransaction: transactionView(prepareTransaction, decode(Transaction, prepareTransaction)),
        installed,
      };
    }
    default:
      throw new Error("@ton/core reads no merge transactions");
  }
}

function phases(
  descr: Extract<TransactionDescr, { computePh: unknown }> & {
    creditPh?: Extract<TransactionDescr, { kind: "ord" }>["creditPh"];
  },
) {
  const { storagePh, creditPh, computePh, action } = descr;
  return {
    storagePhase: storagePh,
    // @ton/core misspells the name.
    creditPhase: creditPh && {
      dueFeesColelcted: creditPh.dueFeesCollected,
      credit: currencyView(creditPh.credit),
    },
    computePhase: computeView(computePh),
    actionPhase: action && actionView(action),
  };
}

function computeView(phase: TrComputePhase) {
  if (phase.kind === "skipped") {
    const reasons = { noState: "no-state", badState: "bad-state", noGas: "no-gas", suspended: "suspended" };
    return { type: "skipped", reason: reasons[phase.reason] };
  }
  const { kind, msgStateUsed, vmInitStateHash, vmFinalStateHash, ...rest } = phase;
  return {
    type: "vm",
    ...rest,
    messageStateUsed: msgStateUsed,
    vmInitStateHash: number(vmInitStateHash),
    vmFinalStateHash: number(vmFinalStateHash),
  };
}

function actionView(action: CellOf<TrActionPhase>) {
  const { totActions, msgsCreated, actionListHash, totMsgSize, ...rest } = action.value;
  return {
    ...rest,
    totalActions: totActions,
    messagesCreated: msgsCreated,
    actionListHash: number(actionListHash),
    totalMessageSize: totMsgSize,
  };
}

function bounceView(bounce: TrBouncePhase) {
  switch (bounce.kind) {
    case "negFunds":
      return { type: "negative-funds" };
    case "noFunds":
      return { type: "no-funds", messageSize: bounce.msgSize, requiredForwardFees: bounce.reqFwdFees };
    case "ok":
      return {
        type: "ok",
        messageSize: bounce.msgSize,
        messageFees: bounce.msgFees,
        forwardFees: bounce.fwdFees,
      };
  }
}

function splitView({ curShardPfxLen, accSplitDepth, thisAddr, siblingAddr }: SplitMergeInfo) {
  return {
    currentShardPrefixLength: curShardPfxLen,
    accountSplitDepth: accSplitDepth,
    thisAddress: number(thisAddr),
    siblingAddress: number(siblingAddr),
  };
}
