import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../shared/ton/tlb/message.js";
import type { StateInit } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";

/** An internal message without a sending transaction: impersonates `from`. */
export type Injection = {
  from: Address;
  to: Address;
  value: bigint;
  bounce: boolean;
  body?: Cell | undefined;
  init?: StateInit | undefined;
};

/** Composes the message. `createdLt` distinguishes equal messages. */
export function injectedMessage(injection: Injection, createdLt: bigint, createdAt: number): CellOf<Message> {
  const { from, to, value, bounce, body, init } = injection;
  const message = composeMessage({
    info: {
      kind: "internal",
      ihrDisabled: true,
      bounce,
      bounced: false,
      src: from,
      dest: to,
      value: onlyCoins(value),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt,
      createdAt,
    },
    body,
    init,
  });
  return CellOf.of(Message, message);
}
