import type { TraceFailure } from "../../../../shared/schema/v3/message-status.js";
import { accountOf } from "../../../../shared/ton/tlb/msg-address.js";
import { decodeOutList, type OutAction } from "../../../../shared/ton/tlb/out-action.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import type { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { bytesEqual } from "../../../../shared/values/bytes.js";
import type { ExpectedTransaction } from "../../../chain/run/trace-emulator.js";

/** The action because of which an emulated transaction failed, or the first one that it left out. */
export function failedActionOf({
  transaction,
  before,
  actions: list,
}: ExpectedTransaction): TraceFailure["failed_action"] {
  const { description, messages } = transaction.value;
  const phase = "action" in description.value ? description.value.action?.value : undefined;
  const actions = list && ifReadable(() => decodeOutList(list));
  if (!phase || !actions) return null;
  // The number of the first action is not stored.
  const { success, resultArg = 0 } = phase;
  const number = success ? leftOutOf(actions, messages.value.outMsgs) : resultArg;
  const action = number === undefined ? undefined : actions[number];
  if (number === undefined || action?.kind !== "sendMsg") return null;
  const { info } = action.outMsg.value;
  const receiver = info.kind === "internal" ? accountOf(info.dest) : undefined;
  const balance = before?.value?.storage.balance.coins;
  return {
    number,
    account: receiver?.toRawUpper() ?? null,
    value: info.kind === "internal" ? info.value.coins.toString() : null,
    // The actions before it have taken their part of the balance.
    available:
      number === 0 && balance !== undefined ? balanceFor(transaction.value, balance).toString() : null,
  };
}

/** The first message that is not among those that were sent: they are in the order of the actions. */
function leftOutOf(
  actions: readonly OutAction[],
  sent: Transaction["messages"]["value"]["outMsgs"],
): number | undefined {
  const left = [...sent.values()];
  const number = actions.findIndex((action) => {
    if (action.kind !== "sendMsg") return false;
    const [next] = left;
    const isSent = next !== undefined && bytesEqual(next.value.body.hash(), action.outMsg.value.body.hash());
    if (isSent) left.shift();
    return !isSent;
  });
  return number < 0 ? undefined : number;
}

/** The balance with which the actions begin. */
function balanceFor({ description: { value } }: Transaction, before: bigint): bigint {
  if (value.kind !== "ord") return before;
  const { storagePh, creditPh, computePh } = value;
  const gas = computePh.kind === "vm" ? computePh.gasFees : 0n;
  return before + (creditPh?.credit.coins ?? 0n) - (storagePh?.storageFeesCollected ?? 0n) - gas;
}
