import type { TraceFailure } from "../../../../shared/schema/v3/message-status.js";
import { messagesFor } from "../../../../shared/ton/run/ordered-messages.js";
import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import type { Message } from "../../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../../shared/ton/tlb/msg-address.js";
import { decodeOutList, type OutAction } from "../../../../shared/ton/tlb/out-action.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import type { Transaction } from "../../../../shared/ton/tlb/transaction.js";
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
  const number = success ? leftOutOf(actions, messages.value.outMsgs.values()) : resultArg;
  const action = actions[number];
  if (action?.kind !== "sendMsg") return null;
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

/** The number of the first message that was not sent; -1 if all were. */
function leftOutOf(actions: readonly OutAction[], sent: Iterable<CellOf<Message>>): number {
  const messages = messagesFor(actions, sent);
  return actions.findIndex(({ kind }, index) => kind === "sendMsg" && !messages[index]);
}

/** The balance with which the actions begin. */
function balanceFor({ description: { value } }: Transaction, before: bigint): bigint {
  if (value.kind !== "ord") return before;
  const { storagePh, creditPh, computePh } = value;
  const gas = computePh.kind === "vm" ? computePh.gasFees : 0n;
  return before + (creditPh?.credit.coins ?? 0n) - (storagePh?.storageFeesCollected ?? 0n) - gas;
}
