import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { CurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../shared/ton/tlb/message.js";
import { Address } from "../../../shared/values/address.js";

/** The message by which a masterchain block pays recovered fees or minted money to an account. */
export function specialMessage(
  dest: Address,
  value: CurrencyCollection,
  lt: bigint,
  utime: number,
): CellOf<Message> {
  const message = composeMessage({
    info: {
      kind: "internal",
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: new Address(masterchain, new Uint8Array(32)),
      dest,
      value,
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: lt,
      createdAt: utime,
    },
  });
  return CellOf.of(Message, message);
}
