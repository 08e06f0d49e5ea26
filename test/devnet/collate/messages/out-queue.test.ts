import { describe, expect, it } from "vitest";
import { entriesTo, inOrder, queueKey } from "../../../../server/devnet/collate/messages/out-queue.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { onlyCoins } from "../../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../../shared/ton/tlb/message.js";
import { MsgEnvelope } from "../../../../shared/ton/tlb/msg-envelope.js";
import { OutMsgQueue } from "../../../../shared/ton/tlb/out-msg-queue.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";

const filled = (byte: number) => new Uint8Array(32).fill(byte);
const sender = new Address(0, filled(1));

function messageTo(dest: Address, createdLt: bigint, content: number): CellOf<Message> {
  const info = {
    kind: "internal",
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src: sender,
    dest,
    value: onlyCoins(1n),
    extraFlags: 0n,
    fwdFee: 5n,
    createdLt,
    createdAt: 0,
  } as const;
  return CellOf.of(Message, composeMessage({ info, body: beginCell().storeUint(content, 16).endCell() }));
}

function envelopeOf(msg: CellOf<Message>, emittedLt?: bigint): CellOf<MsgEnvelope> {
  const common = {
    curAddr: { kind: "regular", useDestBits: 0 },
    nextAddr: { kind: "regular", useDestBits: 96 },
    fwdFeeRemaining: 5n,
    msg,
  } as const;
  return emittedLt === undefined
    ? CellOf.of(MsgEnvelope, { kind: "v1", ...common })
    : CellOf.of(MsgEnvelope, { kind: "v2", ...common, emittedLt, metadata: undefined });
}

type Queued = { to: Address; lt: bigint; content: number; enqueuedLt?: bigint; emittedLt?: bigint };

function queueOf(...queued: Queued[]): OutMsgQueue {
  return queued.reduce((queue, { to, lt, content, enqueuedLt = lt, emittedLt }) => {
    const message = messageTo(to, lt, content);
    const key = queueKey(to, message.cell.hash());
    return queue.set(key, { enqueuedLt, outMsg: envelopeOf(message, emittedLt) });
  }, OutMsgQueue.empty);
}

/** A number in the body, which tells messages apart. */
const contentOf = ({ envelope }: { envelope: CellOf<MsgEnvelope> }) =>
  envelope.value.msg.value.body.parse().loadUint(16);

describe("the key of a queued message", () => {
  it("has the workchain and the first 64 bits of its destination, and its hash", () => {
    const hash = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
    expect(queueKey(new Address(-1, hash), filled(7))).toEqual({
      workchain: -1,
      prefix: 0x0102030405060708n,
      hash: filled(7),
    });
  });
});

describe("the queued messages to a workchain", () => {
  const [base, master] = [new Address(0, filled(0x11)), new Address(-1, filled(0x11))];
  const otherBase = new Address(0, filled(0xee));

  it("are those of its accounts, in the order of their lt whoever receives them", () => {
    const queue = queueOf(
      { to: otherBase, lt: 20n, content: 1 },
      { to: base, lt: 30n, content: 2 },
      { to: master, lt: 5n, content: 3 },
      { to: otherBase, lt: 40n, content: 4 },
      { to: base, lt: 10n, content: 5 },
    );
    expect(entriesTo(queue, 0).map(contentOf)).toEqual([5, 1, 2, 4]);
    expect(entriesTo(queue, -1).map(contentOf)).toEqual([3]);
    expect(entriesTo(OutMsgQueue.empty, 0)).toEqual([]);
  });

  it("are ordered by hash where their lt is equal", () => {
    const queue = queueOf(
      ...Array.from({ length: 20 }, (_, content) => ({
        to: new Address(0, filled(content)),
        lt: 7n,
        content,
      })),
    );
    const hashes = entriesTo(queue, 0).map(({ hash }) => bytesToHex(hash));
    expect(hashes).toHaveLength(20);
    expect(hashes).toEqual(hashes.toSorted());
  });

  it("have their key, envelope, hash and lts; a message that waited for room has the lt at which it left", () => {
    const queue = queueOf(
      { to: base, lt: 10n, content: 1, enqueuedLt: 12n },
      { to: base, lt: 3n, content: 2, enqueuedLt: 33n, emittedLt: 30n },
    );
    const entries = entriesTo(queue, 0);
    expect(entries.map(({ lt, enqueuedLt }) => [lt, enqueuedLt])).toEqual([
      [10n, 12n],
      [30n, 33n],
    ]);
    for (const { key, envelope, hash } of entries) {
      expect(hash).toEqual(envelope.value.msg.cell.hash());
      expect(key).toEqual(queueKey(base, hash));
    }
  });
});

describe("the processing order", () => {
  const at = (lt: bigint, byte: number) => ({ lt, hash: filled(byte), enqueuedLt: 0n });

  it.each([
    ["an earlier lt", at(1n, 9), at(2n, 1)],
    ["a lower hash at the same lt", at(2n, 1), at(2n, 9)],
  ])("puts %s first", (_what, first, second) => {
    expect(inOrder(first, second)).toBeLessThan(0);
    expect(inOrder(second, first)).toBeGreaterThan(0);
  });

  it("is equal for one message only", () => {
    expect(inOrder(at(2n, 1), at(2n, 1))).toBe(0);
  });
});
