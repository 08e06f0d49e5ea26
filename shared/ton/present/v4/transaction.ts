import type { z } from "zod";
import type { v4Transaction } from "../../../schema/v4/records.js";
import { Address } from "../../../values/address.js";
import { bytesToBase64, bytesToHex } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { FoundTransaction } from "../../proofs/read/transactions.js";
import type { AccountStatus } from "../../tlb/account.js";
import type { CellOf } from "../../tlb/cell-of.js";
import { decode } from "../../tlb/codec.js";
import { type Message, MessageRelaxed } from "../../tlb/message.js";
import { accountOf, type MsgAddress, type MsgAddressExt } from "../../tlb/msg-address.js";
import { ifReadable } from "../../tlb/readable.js";
import type { StateInit } from "../../tlb/state-init.js";
import { presentBoc } from "../records.js";
import { v4Body, v4Operation } from "./operation.js";
import { presentV4Cell } from "./records.js";

type Shown = z.output<typeof v4Transaction>;
type ShownMessage = Shown["outMessages"][number];

/** A transaction with its meaning, as the reference finds it in the message received. */
export function presentV4Transaction({ address, cell, transaction }: FoundTransaction): Shown {
  const { inMsg, outMsgs } = transaction.messages.value;
  const sent = [...outMsgs.values()];
  const { oldHash, newHash } = transaction.stateUpdate.value;
  const { subject, ...parsed } = meaningOf(address, inMsg?.value, sent);
  return {
    address: address.toFriendly(),
    lt: transaction.lt.toString(),
    hash: bytesToBase64(cell.hash()),
    prevTransaction: {
      lt: transaction.prevTransLt.toString(),
      hash: bytesToHex(transaction.prevTransHash),
    },
    time: transaction.now,
    outMessagesCount: transaction.outMsgCount,
    oldStatus: statuses[transaction.origStatus],
    newStatus: statuses[transaction.endStatus],
    fees: transaction.totalFees.coins.toString(),
    update: { oldHash: bytesToBase64(oldHash), newHash: bytesToBase64(newHash) },
    inMessage: inMsg ? presentMessage(inMsg) : null,
    outMessages: sent.map(presentMessage),
    parsed,
    operation: v4Operation(address, parsed.amount, subject),
  };
}

const statuses = {
  uninit: "uninitialized",
  frozen: "frozen",
  active: "active",
  nonexist: "non-existing",
} as const satisfies Record<AccountStatus, Shown["oldStatus"]>;

function presentMessage({ value: { info, init, body } }: CellOf<Message>): ShownMessage {
  return { body: presentBoc(body), info: presentInfo(info), init: init ? presentInit(init.value) : null };
}

function presentInfo(info: Message["info"]): ShownMessage["info"] {
  switch (info.kind) {
    case "internal":
      return {
        type: "internal",
        value: info.value.coins.toString(),
        dest: friendly(info.dest),
        src: friendly(info.src),
        bounced: info.bounced,
        bounce: info.bounce,
        ihrDisabled: info.ihrDisabled,
        createdAt: info.createdAt,
        createdLt: info.createdLt.toString(),
        fwdFee: info.fwdFee.toString(),
        ihrFee: info.extraFlags.toString(),
      };
    case "externalIn":
      return {
        type: "external-in",
        dest: friendly(info.dest),
        src: presentExternal(info.src),
        importFee: info.importFee.toString(),
      };
    case "externalOut":
      return { type: "external-out", dest: presentExternal(info.dest) };
  }
}

function presentInit({ fixedPrefixLength, special, code, data }: StateInit): ShownMessage["init"] {
  return {
    splitDepth: fixedPrefixLength ?? null,
    code: presentV4Cell(code),
    data: presentV4Cell(data),
    special: special ? { tick: special.tick, tock: special.tock } : null,
  };
}

function presentExternal(address: MsgAddressExt): { bits: number; data: string } | null {
  return address ? { bits: address.bits, data: address.value.toString(16) } : null;
}

/** Forms of addresses that no account has are shown as the zero address, because the text must be an address. */
function friendly(address: MsgAddress): string {
  return (accountOf(address) ?? nowhere).toFriendly();
}

const nowhere = new Address(0, new Uint8Array(32));

function meaningOf(
  own: Address,
  received: Message | undefined,
  sent: readonly CellOf<Message>[],
): Shown["parsed"] & { subject: Cell | undefined } {
  const internal = received?.info.kind === "internal" ? received.info : undefined;
  const order = received?.info.kind === "externalIn" ? orderIn(received) : undefined;
  const dest = order?.dest?.toFriendly() ?? null;
  const subject = internal ? received?.body : order?.body;
  const amounts = sent.map(({ value: { info } }) => (info.kind === "internal" ? info.value.coins : 0n));
  const others = [internal?.src, ...sent.map(({ value: { info } }) => info.dest)].flatMap((each) => {
    const account = accountOf(each);
    return account && !account.equals(own) ? [account.toFriendly()] : [];
  });
  return {
    seqno: order?.seqno ?? null,
    body: subject ? v4Body(subject) : null,
    status: received?.info.kind === "externalIn" && sent.length === 0 ? "failed" : "success",
    dest,
    kind: internal ? "in" : "out",
    amount: amounts.reduce((rest, amount) => rest - amount, internal?.value.coins ?? 0n).toString(),
    resolvedAddress: dest ?? (internal ? friendly(internal.src) : own.toFriendly()),
    bounced: internal?.bounced ?? false,
    mentioned: [...new Set(others)],
    subject,
  };
}

type Order = { seqno: number; dest?: Address | undefined; body?: Cell };

/** Bits before the seqno: signature, id of the wallet and time. */
const beforeSeqno = 512 + 32 + 32;

/** An order to a wallet of version 2 to 4; the reference reads every external message as one. */
function orderIn({ body }: Message): Order | undefined {
  return ifReadable(() => {
    const slice = body.parse().skip(beforeSeqno);
    const seqno = slice.loadUint(32);
    return { seqno, ...ifReadable(() => (slice.loadUint(8) === 0 ? firstMessage(slice.loadRef()) : {})) };
  });
}

function firstMessage(cell: Cell): Pick<Order, "dest" | "body"> {
  const { info, body } = decode(MessageRelaxed, cell);
  return { dest: accountOf(info.dest), body };
}
