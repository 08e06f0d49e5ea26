import {
  type Builder,
  beginCell,
  type Cell as CoreCell,
  internal,
  storeMessageRelaxed,
  toNano,
} from "@ton/core";
import { describe, expect, it } from "vitest";
import { interfacesOf } from "../../../../server/contracts/interfaces.js";
import { nextSeqno, readableWallet, readWalletRequest } from "../../../../server/contracts/wallet-request.js";
import { contractCode } from "../../../../server/devnet/contracts/codes.js";
import { presentBody } from "../../../../server/present/v3/body.js";
import { opcodeName } from "../../../../shared/ton/bodies/read.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { tgWalletOpcode } from "../../../../shared/ton/contracts/tg-wallet.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";

const cellOf = (from: Builder) => parseBocRoot(from.endCell().toBoc());
const decode = (from: Builder) => presentBody(cellOf(from));
const message = beginCell()
  .store(storeMessageRelaxed(internal({ to: `0:${"01".repeat(32)}`, value: toNano("1") })))
  .endCell();
const presentedMessage = { "@type": "message", info: { value: { grams: "1000000000" } } };

/** A request behind a signature whose first bits are the opcode of a jetton transfer. */
function request(opcode: number, signature = Buffer.alloc(64, 0x0f)): Builder {
  signature.writeUint32BE(0x0f8a7ea5);
  const limits = beginCell().storeUint(0x7fff7f11, 32).storeUint(1_800_000_000, 32).storeUint(7, 32);
  return beginCell().storeBuffer(signature).storeUint(opcode, 32).storeBuilder(limits);
}

const limits = { subwallet_id: "2147450641", valid_until: "1800000000", seqno: "7" };
const signed = (name: string, fields: object) => ({
  "@type": "tg_wallet_signed",
  signature: `0F8A7EA5${"0F".repeat(60)}`,
  request: { "@type": name, ...limits, ...fields },
});

/** A list of messages, so many in each cell. */
function chunksOf(counts: readonly number[]): CoreCell | null {
  const [count, ...rest] = counts;
  if (count === undefined) return null;
  const chunk = beginCell().storeMaybeRef(chunksOf(rest));
  for (let i = 0; i < count; i++) chunk.storeUint(3, 8).storeRef(message);
  return chunk.endCell();
}

describe("A request to Telegram's wallet", () => {
  it.each([
    ["internal", 0x63896e74],
    ["external", 0x63896e75],
  ])("to send one message is read behind its signature, by either way: %s", (way, opcode) => {
    const body = request(opcode).storeUint(3, 8).storeRef(message);
    const fields = { send_mode: "3", message: presentedMessage };
    expect(decode(body)).toMatchObject(signed(`tg_wallet_send_one_${way}`, fields));
    expect(tgWalletOpcode(cellOf(body))).toBe(opcode);
  });

  it("to send many has them in order, and their first cell where it says another number", () => {
    const bulk = (count: number, counts: readonly number[]) =>
      decode(request(0x73896e75).storeUint(count, 8).storeMaybeRef(chunksOf(counts)));
    const item = { "@type": "tg_wallet_message_to_send", send_mode: "3", message: presentedMessage };
    const name = "tg_wallet_send_bulk_external";
    expect(bulk(5, [3, 2])).toMatchObject(
      signed(name, { messages_count: "5", messages: Array(5).fill(item) }),
    );
    expect(bulk(0, [])).toEqual(signed(name, { messages_count: "0", messages: [] }));
    const other = bulk(4, [3, 2]) as unknown as { request: object };
    expect(other).toMatchObject(signed(name, { messages_count: "4" }));
    expect(Object.keys(other.request).at(-1)).toBe("first_chunk");
  });

  it("for another key has the proof of the key, and the old one if the request carries it", () => {
    const proof = beginCell().storeBuffer(Buffer.alloc(64, 2)).endCell();
    const old = beginCell().storeBuffer(Buffer.alloc(32, 3)).endCell();
    const change = request(0xfbba99c7).storeBuffer(Buffer.alloc(32, 1)).storeRef(proof);
    const fields = { new_public_key: "01".repeat(32), rotation_signature: "02".repeat(64) };
    const name = "tg_wallet_change_key_internal";
    expect(decode(change)).toEqual(signed(name, fields));
    const whole = { ...fields, encrypted_old_private_key: "03".repeat(32) };
    expect(decode(change.storeRef(old))).toEqual(signed(name, whole));
  });

  it("fits to the last bit: anything else is read by its first bits", () => {
    const body = request(0x63896e74).storeUint(3, 8).storeRef(message).storeBit(true);
    expect(decode(body)?.["@type"]).not.toBe("tg_wallet_signed");
    const unknown = request(0x63896e76).storeUint(3, 8).storeRef(message);
    expect(decode(unknown)?.["@type"]).not.toBe("tg_wallet_signed");
    expect(tgWalletOpcode(cellOf(unknown))).toBeUndefined();
    expect(tgWalletOpcode(cellOf(beginCell().storeUint(0, 543)))).toBeUndefined();
  });

  it("is known with its seqno and time by the one code of these wallets", () => {
    const codeHash = bytesToBase64(contractCode("tg wallet").hash());
    expect(interfacesOf(codeHash, null)).toEqual(["tg_wallet"]);
    expect(readableWallet(codeHash)).toBe("tg_wallet");
    const body = cellOf(request(0x63896e75).storeUint(3, 8).storeRef(message));
    expect(readWalletRequest("tg_wallet", body)).toEqual({ seqno: 7, validUntil: 1_800_000_000 });
    const data = beginCell().storeUint(0, 8).storeUint(9, 32).storeUint(0x7fff7f11, 32).storeUint(1, 256);
    expect(nextSeqno("tg_wallet", cellOf(data))).toBe(9);
  });

  it("logs a change of its key under two opcodes", () => {
    for (const opcode of [0xeba19948, 0x5d1cd02f]) {
      const log = beginCell().storeUint(opcode, 32).storeBuffer(Buffer.alloc(32, 4));
      expect(decode(log)).toEqual({
        "@type": "tg_wallet_key_changed",
        encrypted_old_private_key: "04".repeat(32),
      });
      expect(opcodeName(opcode)).toBe("tg_wallet_key_changed");
    }
  });
});
