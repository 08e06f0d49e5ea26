import { joinBytes } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import { sha256 } from "../../cells/sha256.js";
import type { ContractParameters } from "../../debug/c7-walk.js";
import { type ContractContext, contractInfo } from "../../run/contract-info.js";
import type { DebugRun, MethodDebugRun, RefusedRun, TransactionRun } from "../../run/debug-run.js";
import type { Account } from "../../tlb/account.js";
import { startLtOf } from "../../tlb/block-lt.js";
import { CellOf } from "../../tlb/cell-of.js";
import { decode } from "../../tlb/codec.js";
import { configParam } from "../../tlb/config/config-param.js";
import {
  addCurrencies,
  type CurrencyCollection,
  ExtraCurrencyCollection,
  noCurrencies,
} from "../../tlb/currency-collection.js";
import { Message } from "../../tlb/message.js";
import { ifReadable } from "../../tlb/readable.js";
import { Transaction } from "../../tlb/transaction.js";
import { splitValues, valueOfStack } from "../../tvm/logged-values.js";
import { accountIn } from "./debug-run.js";

/** The first version in which a due payment that was paid is none any more. */
const clearsDuePayment = 7;

/** The parameters that a contract has from the machine at the beginning of a run; undefined where that does not follow from its inputs. */
export function parametersOf(run: DebugRun, code: Cell | undefined): ContractParameters | undefined {
  const { address, environment } = run;
  const { config, now, previousBlocks } = environment;
  const common = { config, now, previousBlocks, address, code };
  const info = ifReadable(() => contractInfo({ ...common, ...membersOf(run) }));
  return info?.map((value) => value && valueOfStack(value));
}

type Members = Omit<ContractContext, "config" | "now" | "previousBlocks" | "address" | "code">;

function membersOf(run: DebugRun): Members {
  switch (run.kind) {
    case "method":
      return ofMethod(run);
    case "refused":
      return ofRefused(run);
    case "transaction":
      return ofTransaction(run);
  }
}

function ofMethod({ account, environment }: MethodDebugRun): Members {
  const extra = ExtraCurrencyCollection.empty.update(account.extraCurrencies.entries());
  return {
    ...{ blockLt: 0n, lt: 0n, randSeed: environment.randSeed, balance: { coins: account.balance, extra } },
    ...{ incoming: noCurrencies, storageFees: 0n, duePayment: 0n, message: undefined },
  };
}

function ofTransaction(run: TransactionRun): Members {
  const { own, givenLt } = run;
  // A run that differs from the chain's transaction has phases of its own.
  const transaction = own.result ? decode(Transaction, own.result.transaction) : own.found.transaction;
  const description = transaction.description.value;
  const before = accountIn(own.before);
  const storage = "storagePh" in description ? description.storagePh : undefined;
  const credit = description.kind === "ord" ? description.creditPh?.credit : undefined;
  const message = transaction.messages.value.inMsg;
  const [balance, incoming] = amountsIn(run, message !== undefined);
  const held = addCurrencies(before?.storage.balance ?? noCurrencies, credit ?? noCurrencies);
  return {
    ...{ blockLt: startLtOf(givenLt), lt: transaction.lt, randSeed: seedOf(run), message },
    balance: withExtra(balance, held),
    incoming: message ? withExtra(incoming, credit ?? noCurrencies) : noCurrencies,
    storageFees: storage?.storageFeesCollected ?? 0n,
    duePayment: storage?.storageFeesDue ?? duePaymentOf(run, before),
  };
}

/** What it paid for its storage is not known. */
function ofRefused(run: RefusedRun): Members {
  const before = accountIn(run.before);
  const last = before?.storage.lastTransLt ?? 0n;
  const [balance] = amountsIn(run, true);
  return {
    ...{ blockLt: startLtOf(run.givenLt), lt: run.givenLt > last ? run.givenLt : last },
    ...{ randSeed: seedOf(run), message: CellOf.in(Message, run.message), incoming: noCurrencies },
    balance: withExtra(balance, before?.storage.balance ?? noCurrencies),
    storageFees: undefined,
    duePayment: duePaymentOf(run, before),
  };
}

function seedOf({ environment, address }: DebugRun): Uint8Array {
  return sha256(joinBytes([environment.randSeed, address.hash]));
}

/** What the contract owes where it paid all that it could. */
function duePaymentOf({ config }: DebugRun, before: Account): bigint {
  const version = configParam(config.params, 8)?.version ?? 0;
  return version >= clearsDuePayment ? 0n : (before?.storageStat.duePayment ?? 0n);
}

/** The balance and the message's value, after storage fees: the machine has them at the bottom of its first stack. */
function amountsIn({ log }: DebugRun, hasMessage: boolean): readonly (bigint | undefined)[] {
  if (log.first > 0 || log.end === 0) return [];
  const [balance, value] = splitValues(log.stackBefore(0) ?? "").map(ifInteger);
  return hasMessage ? [balance, value] : [balance];
}

function ifInteger(text: string): bigint | undefined {
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

function withExtra(coins: bigint | undefined, { extra }: CurrencyCollection): CurrencyCollection | undefined {
  return coins === undefined ? undefined : { coins, extra };
}
