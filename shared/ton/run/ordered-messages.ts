import { bytesEqual } from "../../values/bytes.js";
import type { CellOf } from "../tlb/cell-of.js";
import type { Message } from "../tlb/message.js";
import { accountOf } from "../tlb/msg-address.js";
import type { OutAction } from "../tlb/out-action.js";

/** What became of each action of a list: the message that was sent for it, of those that a transaction sent, which are in its order. */
export function messagesFor(
  actions: readonly OutAction[],
  sent: Iterable<CellOf<Message>>,
): (CellOf<Message> | undefined)[] {
  const left = [...sent];
  return actions.map((action) =>
    action.kind === "sendMsg" && isMessage(action, left[0]?.value) ? left.shift() : undefined,
  );
}

/** Modes of messages that carry more than the ordered value, and of those whose fees are not taken from it. */
const carrying = 64 | 128;
const payingApart = 1;

/** Whether a sent message is the ordered one: the machine fills in the sender, amounts and times. */
function isMessage({ mode, outMsg }: OutAction & { kind: "sendMsg" }, sent: Message | undefined): boolean {
  if (!sent || sent.info.kind === "externalIn") return false;
  const { info, body } = outMsg.value;
  if (!bytesEqual(body.hash(), sent.body.hash())) return false;
  if (info.kind !== "internal" || sent.info.kind !== "internal") return info.kind === sent.info.kind;
  const [to, receiver] = [accountOf(info.dest), accountOf(sent.info.dest)];
  if (!to || !receiver || !to.equals(receiver)) return false;
  return (mode & carrying) !== 0 || isValue(sent.info.value.coins, info.value.coins, mode);
}

function isValue(sent: bigint, ordered: bigint, mode: number): boolean {
  return (mode & payingApart) !== 0 ? sent === ordered : sent <= ordered;
}
