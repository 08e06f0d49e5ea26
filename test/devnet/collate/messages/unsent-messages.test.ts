import { expect, it } from "vitest";
import { specialMessage } from "../../../../server/devnet/collate/messages/unsent-messages.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { ExtraCurrencyCollection } from "../../../../shared/ton/tlb/currency-collection.js";
import { Message } from "../../../../shared/ton/tlb/message.js";
import { Address } from "../../../../shared/values/address.js";

it("a block pays by a message from account zero of the masterchain, without fee and body", () => {
  const collector = new Address(-1, new Uint8Array(32).fill(0x33));
  const value = { coins: 5n, extra: ExtraCurrencyCollection.empty.set(100, 7n) };
  const { cell } = specialMessage(collector, value, 3_000_000n, 1_800_000_000);
  const { info, init, body } = decode(Message, cell);
  expect(info).toMatchObject({
    kind: "internal",
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    src: new Address(-1, new Uint8Array(32)),
    dest: collector,
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 3_000_000n,
    createdAt: 1_800_000_000,
  });
  const paid = info.kind === "internal" ? info.value : undefined;
  expect([paid?.coins, [...(paid?.extra.entries() ?? [])]]).toEqual([5n, [[100, 7n]]]);
  expect([init, body.bits, body.refCount]).toEqual([undefined, 0, 0]);
});
