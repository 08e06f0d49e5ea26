import type { ShardAccountBlocks } from "../../../../shared/ton/tlb/account-block.js";
import {
  addCurrencies,
  type CurrencyCollection,
  noCurrencies,
  onlyCoins,
  sameCurrencies,
  subtractCurrencies,
} from "../../../../shared/ton/tlb/currency-collection.js";
import type { InMsgDescr } from "../../../../shared/ton/tlb/in-msg-descr.js";
import type { Message } from "../../../../shared/ton/tlb/message.js";
import type { OutMsgDescr } from "../../../../shared/ton/tlb/out-msg-descr.js";
import type { ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import type { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import type { ValueFlow } from "../../../../shared/ton/tlb/value-flow.js";
import type { TouchedAccount } from "./touched-accounts.js";

/** Funds of a block that are not moved by its transactions. */
export type Sources = {
  /** Fees collected by the registered shard blocks. */
  feesImported: CurrencyCollection;
  /** The burned part of the imported fees. */
  importsBurned: CurrencyCollection;
  created: CurrencyCollection;
  recovered: CurrencyCollection;
  minted: CurrencyCollection;
  /** Removed by edits or burned by the blackhole account. */
  burned: CurrencyCollection;
  /** Computes the burned part of the block's own fees. */
  burnedOf: (fees: CurrencyCollection) => CurrencyCollection;
};

/** A block of the basechain: it neither registers blocks nor pays. */
export const noSources: Omit<Sources, "burned"> = {
  feesImported: noCurrencies,
  importsBurned: noCurrencies,
  created: noCurrencies,
  recovered: noCurrencies,
  minted: noCurrencies,
  burnedOf: () => noCurrencies,
};

type Ledger = {
  before: CurrencyCollection;
  accounts: ShardAccounts;
  accountBlocks: ShardAccountBlocks;
  inMsgDescr: InMsgDescr;
  outMsgDescr: OutMsgDescr;
};

/** Computes the value flow of a block. */
export function valueFlowOf(ledger: Ledger, sources: Sources): ValueFlow {
  const { before, accounts, accountBlocks, inMsgDescr, outMsgDescr } = ledger;
  const { feesCollected: importFees, valueImported } = inMsgDescr.extra;
  const ownFees = addCurrencies(accountBlocks.extra, onlyCoins(importFees));
  const ownBurned = sources.burnedOf(ownFees);
  const burned = [ownBurned, sources.importsBurned, sources.burned].reduce(addCurrencies);
  const fees = [sources.feesImported, sources.created, ownFees].reduce(addCurrencies);
  return {
    fromPrevBlk: before,
    toNextBlk: accounts.extra.balance,
    imported: valueImported,
    exported: outMsgDescr.extra,
    feesCollected: subtractCurrencies(fees, addCurrencies(ownBurned, sources.importsBurned)),
    burned: sameCurrencies(burned, noCurrencies) ? undefined : burned,
    feesImported: sources.feesImported,
    recovered: sources.recovered,
    created: sources.created,
    minted: sources.minted,
  };
}

/** Coins burned by the blackhole account: everything it received in a block that leaves it without a balance. */
export function burnedOn(account: TouchedAccount | undefined): CurrencyCollection {
  if (!account) return noCurrencies;
  const flows = account.transactions.map(({ value }) => flowOf(value));
  const due = flows.reduce((sum, flow) => sum + flow, balanceOf(account.before));
  return onlyCoins(due - balanceOf(account.now));
}

function balanceOf({ account }: TouchedAccount["now"]): bigint {
  return account.value?.storage.balance.coins ?? 0n;
}

/** Net amount a transaction adds to its account's balance, if nothing is burned. */
function flowOf({ messages, totalFees }: Transaction): bigint {
  const { inMsg, outMsgs } = messages.value;
  let flow = (inMsg ? coinsIn(inMsg.value) : 0n) - totalFees.coins;
  for (const { value } of outMsgs.values())
    flow -= coinsIn(value) + (value.info.kind === "internal" ? value.info.fwdFee : 0n);
  return flow;
}

function coinsIn({ info }: Message): bigint {
  return info.kind === "internal" ? info.value.coins : 0n;
}
