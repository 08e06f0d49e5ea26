import { describe, expect, it } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { presentPlainMessage, presentStandardMessage } from "../../../../shared/ton/present/message.js";
import { presentBody } from "../../../../shared/ton/present/message-body.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { ExtraCurrencyCollection, onlyCoins } from "../../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../../shared/ton/tlb/message.js";
import type { CommonMsgInfo } from "../../../../shared/ton/tlb/message-info.js";
import { stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../../shared/values/address.js";
import { base64ToBytes, bytesToBase64 } from "../../../../shared/values/bytes.js";

const cellOf = (boc: string) => parseBocRoot(base64ToBytes(boc)!);
const a130 = "a".repeat(130);

/** A body, and its msg_data, message and body_hash. */
const bodies: [name: string, boc: string, data: object, message: string | undefined, hash?: string][] = [
  [
    "is raw data where it starts with an unknown operation",
    "te6cckEBAQEAPgAAeN6tvu9BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQSytS6c=",
    {
      "@type": "msg.dataRaw",
      body: "te6cckEBAQEAPgAAeN6tvu9BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQSytS6c=",
      init_state: "",
    },
    "3q2+70FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB\n",
  ],
  [
    "is text where it is a comment",
    "te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=",
    { "@type": "msg.dataText", text: "aGVsbG8=" },
    "hello",
    "VR9sPo1659mzrFO8qbb4LP8yL7FhE4IHdtFKP5O5OVE=",
  ],
  [
    "is an empty text where it is an empty comment",
    "te6cckEBAQEABgAACAAAAADjAK8P",
    { "@type": "msg.dataText", text: "" },
    "",
  ],
  [
    "is raw data where it is an operation",
    "te6cckEBAQEADgAAGA+KfqUAAAAAAAAAAdhtSVg=",
    { "@type": "msg.dataRaw", body: "te6cckEBAQEADgAAGA+KfqUAAAAAAAAAAdhtSVg=", init_state: "" },
    "D4p+pQAAAAAAAAAB\n",
    "Gam7zNMWYj+SGn2YKPs7rC4UVSHnVuLVGq27igRdXtU=",
  ],
  [
    "is raw data where it has 33 bits",
    "te6cckEBAQEABwAACRI0VnjAnwrJhA==",
    { "@type": "msg.dataRaw", body: "te6cckEBAQEABwAACRI0VnjAnwrJhA==", init_state: "" },
    "EjRWeIA=\n",
  ],
  [
    "is raw data where it is empty",
    "te6cckEBAQEAAgAAAEysuc0=",
    { "@type": "msg.dataRaw", body: "te6cckEBAQEAAgAAAEysuc0=", init_state: "" },
    "",
    bytesToBase64(Buffer.from("96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7", "hex")),
  ],
  [
    "is encrypted text where it is an encrypted comment",
    "te6cckEBAQEADgAAGCFn2ksBAgMEBQYHCJa2cWg=",
    { "@type": "msg.dataEncryptedText", text: "AQIDBAUGBwg=" },
    undefined,
  ],
  [
    "is text where it is a comment over two cells",
    "te6cckEBAgEAiwAB/gAAAABhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWEBAA5hYWFhYWFhZ5hE2w==",
    { "@type": "msg.dataText", text: bytesToBase64(Buffer.from(a130)) },
    a130,
  ],
];

describe("the body of a message", () => {
  it.each(bodies)("%s", (_, boc, data, message, hash) => {
    const body = cellOf(boc);
    expect(presentBody(body, undefined)).toEqual({ data, message });
    if (hash) expect(bytesToBase64(body.hash())).toBe(hash);
  });

  it("is raw data when a comment does not end at a whole byte", () => {
    const body = beginCell().storeUint(0, 32).storeUint(5, 7).endCell();
    expect(presentBody(body, undefined).data["@type"]).toBe("msg.dataRaw");
  });

  it("is a comment when its cells end within a byte but the whole text does not", () => {
    const tail = beginCell().storeUint(0x1, 4).endCell();
    const body = beginCell().storeUint(0, 32).storeUint(0x4, 4).storeRef(tail).endCell();
    expect(presentBody(body, undefined)).toEqual({
      data: { "@type": "msg.dataText", text: "QQ==" },
      message: "A",
    });
  });

  it("shows bytes that are no UTF-8 as replacement characters, and keeps a byte order mark", () => {
    const body = beginCell()
      .storeUint(0, 32)
      .storeBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0xff, 0x41))
      .endCell();
    expect(presentBody(body, undefined).message).toBe("\ufeff\ufffdA");
  });

  it("is raw data when a comment continues in an exotic cell", () => {
    const library = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32)).endExotic();
    const body = beginCell().storeUint(0, 32).storeRef(library).endCell();
    expect(presentBody(body, undefined).data["@type"]).toBe("msg.dataRaw");
  });

  it("comes with the state that the message deploys, unless it is a comment", () => {
    const init = beginCell().storeUint(7, 8).endCell();
    expect(presentBody(Cell.empty, init).data).toEqual({
      "@type": "msg.dataRaw",
      body: "te6cckEBAQEAAgAAAEysuc0=",
      init_state: bytesToBase64(serializeBoc(init)),
    });
    const comment = beginCell().storeUint(0, 32).endCell();
    expect(presentBody(comment, init).data).toEqual({ "@type": "msg.dataText", text: "" });
  });
});

const alice = new Address(0, new Uint8Array(32).fill(1));
const bob = new Address(-1, new Uint8Array(32).fill(2));
const internal: CommonMsgInfo = {
  kind: "internal",
  ihrDisabled: true,
  bounce: true,
  bounced: false,
  src: alice,
  dest: bob,
  value: {
    coins: 12_345_678_901_234_567_890n,
    extra: ExtraCurrencyCollection.empty.set(0xffffffff, 5n).set(7, 1n << 64n),
  },
  extraFlags: 3n,
  fwdFee: 266_669n,
  createdLt: 52_334_500_000_002n,
  createdAt: 1_763_622_519,
};
const messageOf = (info: CommonMsgInfo, body = cellOf("te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=")) =>
  CellOf.of(Message, composeMessage({ info, body }));

describe("a message", () => {
  it("between accounts has all amounts, extra currencies by their bits", () => {
    const message = messageOf(internal);
    expect(presentPlainMessage(message)).toEqual({
      "@type": "ext.message",
      hash: bytesToBase64(message.cell.hash()),
      source: alice.toFriendly(),
      destination: bob.toFriendly(),
      value: "12345678901234567890",
      extra_currencies: [
        { "@type": "extraCurrency", id: 7, amount: "18446744073709551616" },
        { "@type": "extraCurrency", id: -1, amount: "5" },
      ],
      fwd_fee: "266669",
      ihr_fee: "0",
      created_lt: "52334500000002",
      body_hash: "VR9sPo1659mzrFO8qbb4LP8yL7FhE4IHdtFKP5O5OVE=",
      msg_data: { "@type": "msg.dataText", text: "aGVsbG8=" },
      message: "hello",
    });
  });

  it("has its addresses as objects, and no text, in the standard form", () => {
    const { source, destination, message: _, ...same } = presentPlainMessage(messageOf(internal));
    expect(presentStandardMessage(messageOf(internal))).toEqual({
      ...same,
      "@type": "raw.message",
      source: { "@type": "accountAddress", account_address: source },
      destination: { "@type": "accountAddress", account_address: destination },
    });
  });

  it("from outside has neither source nor amounts", () => {
    const src = { kind: "external", bits: 9, value: 5n } as const;
    const info: CommonMsgInfo = { kind: "externalIn", src, dest: bob, importFee: 9n };
    expect(presentPlainMessage(messageOf(info))).toMatchObject({
      source: "",
      destination: bob.toFriendly(),
      value: "0",
      extra_currencies: [],
      fwd_fee: "0",
      ihr_fee: "0",
      created_lt: "0",
    });
  });

  it("to the outside has no destination, but the time of its creation", () => {
    const info: CommonMsgInfo = {
      kind: "externalOut",
      src: alice,
      dest: undefined,
      createdLt: 77n,
      createdAt: 5,
    };
    expect(presentPlainMessage(messageOf(info))).toMatchObject({
      source: alice.toFriendly(),
      destination: "",
      value: "0",
      fwd_fee: "0",
      created_lt: "77",
    });
  });

  it("to an address of variable length has no destination", () => {
    const dest = { kind: "variable", anycast: undefined, workchain: 0, bits: 256, value: 1n } as const;
    expect(presentPlainMessage(messageOf({ ...internal, dest })).destination).toBe("");
  });

  it("with an encrypted body has no field message", () => {
    const encrypted = presentPlainMessage(
      messageOf(internal, cellOf("te6cckEBAQEADgAAGCFn2ksBAgMEBQYHCJa2cWg=")),
    );
    expect("message" in encrypted).toBe(false);
  });

  it("shows the state it deploys as a cell, whether inline or in a reference", () => {
    const init = stateInitOf(beginCell().storeUint(1, 8).endCell(), Cell.empty);
    const body = beginCell().storeUint(1, 8).endCell();
    const inline = composeMessage({ info: { ...internal, value: onlyCoins(1n) }, init, body });
    const inRef = { ...inline, initInRef: true };
    const shown = [inline, inRef].map((message) => presentPlainMessage(CellOf.of(Message, message)).msg_data);
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toMatchObject({ "@type": "msg.dataRaw", init_state: expect.stringMatching(/^te6cc/) });
  });
});
