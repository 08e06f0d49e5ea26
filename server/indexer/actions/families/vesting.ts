import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { MessageRelaxed } from "../../../../shared/ton/tlb/message.js";
import { Address } from "../../../../shared/values/address.js";
import { bocText } from "../boc-text.js";
import { fieldsOf } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";

const sendMessageKind = rowKind("vesting_send_message");

export const vestingSendMessage: Matcher = {
  name: "vesting send message",
  pattern: call(0xa7733acd).followedBy(call(0xf7733acd)),
  build: ({ anchor }) => {
    const { query_id, message } = fieldsOf("vesting_send_message_start", anchor);
    const { info, body } = decode(MessageRelaxed, message);
    if (info.kind !== "internal" || !(info.dest instanceof Address))
      return cancel("the message is for no account");
    const target = info.dest.toRawUpper();
    const members = {
      source: anchor.source,
      vesting: anchor.account,
      destination: target,
      amount: info.value.coins,
      query_id,
      message_boc: bocText(message, { crc32: false }),
    };
    const isSent = anchor.node.transaction.outMessages.some(
      (sent) =>
        sent.destination === target &&
        (sent.body ? sent.body.hashHex() === body.hashHex() : sent.value === info.value.coins),
    );
    return sendMessageKind.build(members, { isFailed: !isSent });
  },
};

const addWhitelistKind = rowKind("vesting_add_whitelist");

export const vestingAddWhitelist: Matcher = {
  name: "vesting add to whitelist",
  pattern: call(0x7258a69b).followedBy(call(0xf258a69b)),
  build: ({ anchor }) => {
    const { query_id, addresses_ref_snake } = fieldsOf("vesting_add_white_list", anchor);
    return addWhitelistKind.build({
      source: anchor.source,
      vesting: anchor.account,
      query_id,
      accounts_added: readAddresses(addresses_ref_snake),
    });
  },
};

/** One address per cell, chained by first references. */
function readAddresses(first: Cell): AddressText[] {
  const addresses: AddressText[] = [];
  for (let cell: Cell | undefined = first; cell; cell = cell.refCount > 0 ? cell.ref(0) : undefined) {
    const address = cell.parse().loadAddress();
    if (address) addresses.push(address.toRawUpper());
  }
  return addresses;
}
