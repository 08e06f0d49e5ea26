import {
  type CurrencyCollection,
  noCurrencies,
  onlyCoins,
} from "../../../shared/ton/tlb/currency-collection.js";
import type { Message } from "../../../shared/ton/tlb/message.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { TouchedAccount } from "./touched-accounts.js";

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
