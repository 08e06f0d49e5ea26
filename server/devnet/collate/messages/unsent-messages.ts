import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { type CurrencyCollection, onlyCoins } from "../../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../../shared/ton/tlb/message.js";
import type { StateInit } from "../../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../../shared/values/address.js";

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
  return unsent({ ...injection, value: onlyCoins(injection.value) }, createdLt, createdAt);
}

/** The message by which a masterchain block pays recovered fees or minted money to an account. */
export function specialMessage(
  to: Address,
  value: CurrencyCollection,
  createdLt: bigint,
  createdAt: number,
): CellOf<Message> {
  const from = new Address(masterchain, new Uint8Array(32));
  return unsent({ from, to, value, bounce: true }, createdLt, createdAt);
}

type Unsent = Omit<Injection, "value"> & { value: CurrencyCollection };

function unsent(
  { from: src, to: dest, value, bounce, body, init }: Unsent,
  createdLt: bigint,
  createdAt: number,
) {
  const message = composeMessage({
    info: {
      kind: "internal",
      ihrDisabled: true,
      bounce,
      bounced: false,
      src,
      dest,
      value,
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
