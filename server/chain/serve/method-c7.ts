import { contractInfo } from "../../../shared/ton/run/contract-info.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import type { ExistingAccount } from "../../../shared/ton/tlb/account.js";
import { noCurrencies } from "../../../shared/ton/tlb/currency-collection.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";

/** The context of a get-method's run, without method and arguments. */
export type MethodContext = Omit<MethodRequest, "methodId" | "stack" | "gasLimit"> & {
  account: ExistingAccount;
  lt: bigint;
};

/** Members before the configuration. */
const shortLength = 9;
const none: StackValue = { type: "null" };

/** The c7 tuple of a run. The short form leaves out the configuration and all later fields. */
export function methodC7(
  { account, lt, previousBlocks, ...context }: MethodContext,
  full: boolean,
): StackValue {
  const info = contractInfo({
    ...context,
    ...{ blockLt: lt, lt, previousBlocks, balance: account.storage.balance, message: undefined },
    ...{ incoming: noCurrencies, storageFees: 0n, duePayment: account.storageStat.duePayment ?? 0n },
  }).map((value = none) => value);
  const items = full ? info : [...info.slice(0, shortLength), none];
  return { type: "tuple", items: [{ type: "tuple", items }] };
}
