import {
  Address,
  type Builder,
  beginCell,
  Cell as CoreCell,
  Dictionary,
  internal,
  type OutActionSendMsg,
  SendMode,
  storeMessageRelaxed,
  storeOutList,
  toNano,
} from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import { WalletContractV2R2, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { describe, expect, it } from "vitest";
import { presentBody, presentSignedRequest } from "../../../../server/present/v3/body.js";
import { opcodeName } from "../../../../shared/ton/bodies/read.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";

const [alice, bob] = [1, 2].map((byte) => new Address(0, Buffer.alloc(32, byte))) as [Address, Address];
const [rawAlice, rawBob] = ["01", "02"].map((byte) => `0:${byte.repeat(32)}`);
const hash = Buffer.alloc(32, 0xab);
const signature = Buffer.alloc(64, 0xcd);
const { secretKey, publicKey } = keyPairFromSeed(Buffer.alloc(32, 7));
const boc = (cell: CoreCell): string => cell.toBoc({ idx: false, crc32: false }).toString("base64");
const cellOf = (from: Builder | CoreCell) =>
  parseBocRoot((from instanceof CoreCell ? from : from.endCell()).toBoc());
const decode = (from: Builder | CoreCell) => presentBody(cellOf(from));
const request = (from: Builder | CoreCell) => presentSignedRequest(cellOf(from));
const body = (opcode: number) => beginCell().storeUint(opcode, 32);
const query = (opcode: number) => body(opcode).storeUint(5, 64);
const comment = (text: string) => body(0).storeStringTail(text).endCell();
const presentedComment = (text: string) => ({ "@type": "text_comment", text });

const transfer = (to: Address, text: string) =>
  internal({ to, value: toNano("1.5"), bounce: false, body: comment(text) });
const presentedTransfer = (dest: string | undefined, text: string) => ({
  "@type": "message",
  info: {
    "@type": "int_msg_info",
    ihr_disabled: true,
    bounce: false,
    bounced: false,
    src: null,
    dest,
    value: { "@type": "currencies", grams: "1500000000", other: {} },
    ihr_fee: "0",
    fwd_fee: "0",
    created_lt: "0",
    created_at: "0",
  },
  init: null,
  body: presentedComment(text),
});

describe("The wire form of common bodies has every field:", () => {
  it("comments, in one cell, in many, or behind a reference", () => {
    expect(decode(comment("hi"))).toEqual(presentedComment("hi"));
    expect(decode(comment("long ".repeat(100)))).toEqual(presentedComment("long ".repeat(100)));
    expect(decode(body(0).storeRef(beginCell().storeStringTail("there")))).toEqual(presentedComment("there"));
    expect(decode(body(0x2167da4b).storeBuffer(hash))).toEqual({
      "@type": "encrypted_text_comment",
      cipher_text: "AB".repeat(32),
    });
  });

  it("a jetton transfer, with payloads in place and in references", () => {
    const start = () => query(0x0f8a7ea5).storeCoins(7).storeAddress(alice).storeAddress(bob);
    const fields = {
      "@type": "jetton_transfer",
      query_id: "5",
      amount: "7",
      destination: rawAlice,
      response_destination: rawBob,
      custom_payload: null,
      forward_ton_amount: "1",
    };
    const plain = start().storeMaybeRef(null).storeCoins(1);
    expect(decode(beginCell().storeBuilder(plain).storeBit(true).storeRef(comment("hi")))).toEqual({
      ...fields,
      forward_payload: presentedComment("hi"),
    });
    const inPlace = beginCell().storeBuilder(plain).storeBit(false).storeSlice(comment("hi").beginParse());
    expect(decode(inPlace)).toEqual({ ...fields, forward_payload: presentedComment("hi") });
    const custom = start().storeMaybeRef(comment("custom")).storeCoins(1).storeBit(false);
    expect(decode(custom)).toEqual({
      ...fields,
      custom_payload: presentedComment("custom"),
      forward_payload: { "@type": "empty_cell" },
    });
  });

  it("the other messages of jetton wallets", () => {
    const master = query(0x178d4519)
      .storeCoins(7)
      .storeAddress(null)
      .storeAddress(bob)
      .storeCoins(0)
      .storeBit(false);
    const internalTransfer = {
      "@type": "jetton_internal_transfer",
      query_id: "5",
      amount: "7",
      from: null,
      response_address: rawBob,
      forward_ton_amount: "0",
      forward_payload: { "@type": "empty_cell" },
    };
    expect(decode(master)).toEqual(internalTransfer);
    const mint = query(0x642b7d07).storeAddress(alice).storeCoins(9).storeRef(master);
    expect(decode(mint)).toEqual({
      "@type": "jetton_mint",
      query_id: "5",
      to_address: rawAlice,
      ton_amount: "9",
      master_msg: internalTransfer,
    });
    const burn = query(0x595f07bc).storeCoins(7).storeAddress(bob);
    const burnt = { "@type": "jetton_burn", query_id: "5", amount: "7", response_destination: rawBob };
    expect(decode(burn)).toEqual(burnt);
    expect(decode(beginCell().storeBuilder(burn).storeBit(false))).toEqual({
      ...burnt,
      custom_payload: null,
    });
    const notified = query(0x7bdd97de).storeCoins(7).storeAddress(alice).storeAddress(bob);
    expect(decode(notified)).toEqual({
      "@type": "jetton_burn_notification",
      query_id: "5",
      amount: "7",
      sender: rawAlice,
      response_destination: rawBob,
    });
    expect(decode(query(0x7362d09c).storeCoins(7).storeAddress(alice).storeBit(false))).toEqual({
      "@type": "jetton_notify",
      query_id: "5",
      amount: "7",
      sender: rawAlice,
      forward_payload: { "@type": "empty_cell" },
    });
    const provided = query(0x2c76b973).storeAddress(alice).storeBit(true);
    expect(decode(provided)).toMatchObject({ "@type": "provide_wallet_address", include_address: true });
    const taken = query(0xd1735400).storeAddress(bob).storeMaybeRef(beginCell().storeAddress(alice));
    expect(decode(taken)).toMatchObject({ wallet_address: rawBob, owner_address: rawAlice });
    expect(decode(query(0xd53276db))).toEqual({ "@type": "excess", query_id: "5" });
  });

  it("an NFT transfer and its notification", () => {
    const given = query(0x5fcc3d14)
      .storeAddress(alice)
      .storeAddress(bob)
      .storeMaybeRef(null)
      .storeCoins(3)
      .storeBit(false);
    expect(decode(given)).toEqual({
      "@type": "nft_transfer",
      query_id: "5",
      new_owner: rawAlice,
      response_destination: rawBob,
      custom_payload: null,
      forward_amount: "3",
      forward_payload: { "@type": "empty_cell" },
    });
    const bid = body(0x38127de1).storeCoins(11).storeUint(1700930742, 32);
    expect(decode(query(0x05138d91).storeAddress(bob).storeBit(true).storeRef(bid))).toEqual({
      "@type": "nft_ownership_assigned",
      query_id: "5",
      prev_owner: rawBob,
      forward_payload: { "@type": "teleitem_bid_info", bid: "11", bid_ts: "1700930742" },
    });
  });

  it("DNS records, deleted or changed to a known or unknown value", () => {
    const start = () => query(0x4eb1f0f9).storeBuffer(hash);
    const key = "AB".repeat(32);
    expect(decode(start())).toEqual({ "@type": "delete_dns_record", query_id: "5", key });
    const changed = { "@type": "change_dns_record", query_id: "5", key };
    const wallet = beginCell().storeUint(0x9fd3, 16).storeAddress(alice).storeUint(0, 8);
    expect(decode(start().storeRef(wallet))).toEqual({
      ...changed,
      value: { "@type": "dns_smc_address", smc_addr: rawAlice, flags: "0", cap_list: null },
    });
    const capable = beginCell()
      .storeUint(0x9fd3, 16)
      .storeAddress(alice)
      .storeUint(1, 8)
      .storeBit(true)
      .storeUint(0x2177, 16)
      .storeBit(false);
    expect(decode(start().storeRef(capable))).toMatchObject({
      value: {
        cap_list: {
          "@type": "cap_list_next",
          item: { "@type": "cap_is_wallet" },
          next: { "@type": "cap_list_nil" },
        },
      },
    });
    const site = beginCell().storeUint(0xad01, 16).storeBuffer(hash).storeUint(0, 8);
    expect(decode(start().storeRef(site))).toMatchObject({ value: { "@type": "dns_adnl_address" } });
    const odd = beginCell().storeUint(0x1234, 16).endCell();
    expect(decode(start().storeRef(odd))).toEqual({ ...changed, value: boc(odd) });
  });

  it("messages to and from the elector", () => {
    const stake = query(0x4e73744b)
      .storeBuffer(hash)
      .storeUint(1700000000, 32)
      .storeUint(196608, 32)
      .storeBuffer(hash)
      .storeRef(beginCell().storeBuffer(signature));
    expect(decode(stake)).toEqual({
      "@type": "elector_new_stake",
      query_id: "5",
      validator_pubkey: "AB".repeat(32),
      stake_at: "1700000000",
      max_factor: "196608",
      adnl_addr: "AB".repeat(32),
      signature: "CD".repeat(64),
    });
    expect(decode(query(0xf96f7324))).toEqual({
      "@type": "elector_recover_stake_response",
      query_id: "5",
    });
  });

  it("a multisig order with its messages", () => {
    const send = body(0xf1381e5b)
      .storeUint(1, 8)
      .storeRef(beginCell().store(storeMessageRelaxed(transfer(bob, "order"))));
    const order = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell()).set(0, send.endCell());
    const created = query(0xf718510f)
      .storeUint(1, 256)
      .storeBit(true)
      .storeUint(2, 8)
      .storeUint(1715780014, 48)
      .storeRef(beginCell().storeDictDirect(order));
    expect(decode(created)).toEqual({
      "@type": "mulisig_new_order",
      query_id: "5",
      order_seqno: "1",
      signer: true,
      index: "2",
      expiration_date: "1715780014",
      order: {
        actions: { "0": { "@type": "send_message", mode: "1", message: presentedTransfer(rawBob, "order") } },
      },
    });
  });

  it("a bounce with the beginning of the bounced body", () => {
    expect(decode(body(0xffffffff).storeUint(0xd53276db, 32).storeUint(5, 64))).toEqual({
      "@type": "bounce",
      payload: { "@type": "excess", query_id: "5" },
    });
    const cut = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(5, 64).endCell();
    expect(decode(body(0xffffffff).storeSlice(cut.beginParse()))).toEqual({
      "@type": "bounce",
      payload: boc(cut),
    });
  });
});

describe("Bounces in the new format", () => {
  it("have the reason and the whole original body; the elector's error shares their opcode", () => {
    const info = beginCell().storeCoins(9).storeBit(false).storeUint(7, 64).storeUint(1700000000, 32);
    const bounced = body(0xfffffffe)
      .storeRef(comment("hi"))
      .storeRef(info)
      .storeUint(0, 8)
      .storeInt(-14, 32)
      .storeBit(true)
      .storeUint(500, 32)
      .storeUint(12, 32);
    expect(decode(bounced)).toEqual({
      "@type": "new_bounce_body",
      original_body: presentedComment("hi"),
      original_info: {
        value: { "@type": "currencies", grams: "9", other: {} },
        created_lt: "7",
        created_at: "1700000000",
      },
      bounced_by_phase: "0",
      exit_code: "-14",
      compute_phase: { gas_used: "500", vm_steps: "12" },
    });
    expect(decode(query(0xfffffffe).storeUint(0x47657424, 32))).toEqual({
      "@type": "elector_recover_stake_error",
      query_id: "5",
      op: String(0x47657424),
    });
  });
});

describe("Requests to wallets", () => {
  const messages = [transfer(alice, "one"), transfer(bob, "two")];
  const common = {
    secretKey,
    seqno: 9,
    timeout: 1700000000,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages,
  };
  const sent = [
    { mode: "1", msg: presentedTransfer(rawAlice, "one") },
    { mode: "1", msg: presentedTransfer(rawBob, "two") },
  ];
  const signed = expect.stringMatching(/^[0-9A-F]{128}$/);

  it("of version 5 have an opcode", () => {
    const wallet = WalletContractV5R1.create({ publicKey });
    const actions = (texts: [string | undefined, string][]) =>
      texts.map(([dest, text]) => ({
        "@type": "action_send_msg",
        mode: "3",
        out_msg: presentedTransfer(dest, text),
      }));
    // The wallet's library adds the mode that ignores errors.
    const decoded = decode(wallet.createTransfer(common));
    expect(decoded).toEqual({
      "@type": "w5_external_signed_request",
      request: {
        "@type": "w5_signed_request",
        wallet_id: "2147483409",
        valid_until: "1700000000",
        msg_seqno: "9",
        inner: {
          "@type": "w5_actions_request",
          out_actions: actions([
            [rawAlice, "one"],
            [rawBob, "two"],
          ]),
          extended_actions: null,
        },
        signature: signed,
      },
    });
    const more = wallet.createRequest({
      ...common,
      authType: "internal",
      actions: [
        { type: "addExtension", address: alice },
        { type: "setIsPublicKeyEnabled", isEnabled: false },
        { type: "sendMsg", mode: SendMode.PAY_GAS_SEPARATELY, outMsg: messages[1]! },
      ],
    });
    expect(decode(more)).toMatchObject({
      "@type": "w5_internal_signed_request",
      request: {
        inner: {
          out_actions: [{ "@type": "action_send_msg", out_msg: presentedTransfer(rawBob, "two") }],
          extended_actions: [
            { "@type": "add_extension", addr: rawAlice },
            { "@type": "set_signature_auth_allowed", allowed: false },
          ],
        },
        signature: signed,
      },
    });
  });

  it("of versions 2, 3 and 4 are recognised by their layout", () => {
    const v4 = WalletContractV4.create({ workchain: 0, publicKey });
    const v3 = WalletContractV3R2.create({ workchain: 0, publicKey });
    const v2 = WalletContractV2R2.create({ workchain: 0, publicKey });
    const head = { signature: signed, subwallet_id: "698983191", valid_until: "1700000000", msg_seqno: "9" };
    expect(request(v4.createTransfer(common))).toEqual({
      "@type": "wallet_signed_v4",
      ...head,
      op: { "@type": "simple_send", msgs: sent },
    });
    expect(request(v3.createTransfer(common))).toEqual({ "@type": "wallet_signed_v3", ...head, msgs: sent });
    expect(request(v2.createTransfer(common))).toEqual({
      "@type": "wallet_signed_v1_v2",
      signature: signed,
      msg_seqno: "9",
      valid_until: "1700000000",
      msgs: sent,
    });
    expect(request(v4.createTransfer({ ...common, messages: [] }))).toMatchObject({
      op: { "@type": "simple_send", msgs: [] },
    });
  });

  it("of highload wallets too", () => {
    const item = (message: (typeof messages)[number]) =>
      beginCell()
        .storeUint(1, 8)
        .storeRef(beginCell().store(storeMessageRelaxed(message)))
        .endCell();
    const items = Dictionary.empty<number, CoreCell>(Dictionary.Keys.Int(16), {
      serialize: (cell, builder) => builder.storeSlice(cell.beginParse()),
      parse: (slice) => slice.asCell(),
    });
    for (const [index, message] of messages.entries()) items.set(index, item(message));
    const start = () => beginCell().storeBuffer(signature).storeUint(698983191, 32);
    const payload = { "0": sent[0], "1": sent[1] };
    expect(request(start().storeUint(77, 64).storeDict(items))).toEqual({
      "@type": "highload_wallet_signed_v2",
      signature: "CD".repeat(64),
      subwallet_id: "698983191",
      query_id: "77",
      payload,
    });
    const first = start().storeUint(1700000000, 32).storeUint(9, 32);
    expect(request(first.storeRef(beginCell().storeDictDirect(items)))).toMatchObject({
      "@type": "highload_wallet_signed_v1",
      msg_seqno: "9",
      payload,
    });
    const third = beginCell()
      .storeUint(698983191, 32)
      .storeRef(beginCell().store(storeMessageRelaxed(messages[0]!)))
      .storeUint(1, 8)
      .storeUint(3, 13)
      .storeUint(4, 10)
      .storeUint(1700000000, 64)
      .storeUint(3600, 22);
    expect(request(beginCell().storeBuffer(signature).storeRef(third))).toEqual({
      "@type": "highload_wallet_signed_v3",
      signature: "CD".repeat(64),
      msg_inner: {
        subwallet_id: "698983191",
        message_to_send: presentedTransfer(rawAlice, "one"),
        send_mode: "1",
        query_id: { shift: "3", bit_number: "4" },
        created_at: "1700000000",
        timeout: "3600",
      },
    });
    const list: OutActionSendMsg[] = messages.map((outMsg) => ({ type: "sendMsg", mode: 1, outMsg }));
    const batch = beginCell().store(storeOutList(list));
    expect(decode(query(0xae42e5a4).storeRef(batch))).toMatchObject({
      "@type": "highload_v3_internal_request",
      actions: [
        { out_msg: presentedTransfer(rawAlice, "one") },
        { out_msg: presentedTransfer(rawBob, "two") },
      ],
    });
    const prepared = beginCell().storeUint(1700000000, 64).storeUint(2, 16).storeRef(batch);
    expect(request(beginCell().storeBuffer(signature).storeRef(prepared))).toMatchObject({
      "@type": "preprocessed_wallet_signed_v2",
      inner: { valid_until: "1700000000", seqno: "2", actions: [{ mode: "1" }, { mode: "1" }] },
    });
  });

  it("of highload wallets may send many messages that share code and have an opcode of other contracts", () => {
    let code = CoreCell.EMPTY;
    for (let i = 0; i < 6; i++) code = beginCell().storeBuffer(Buffer.alloc(127, i)).storeRef(code).endCell();
    const items = Dictionary.empty<number, CoreCell>(Dictionary.Keys.Int(16), {
      serialize: (cell, builder) => builder.storeSlice(cell.beginParse()),
      parse: (slice) => slice.asCell(),
    });
    // The opcode has three references in other contracts.
    const mint = (index: number) => body(5).storeUint(index, 64).storeRef(code).endCell();
    for (let index = 0; index < 163; index++) {
      const message = internal({ to: alice, value: toNano("0.05"), body: mint(index) });
      const packed = beginCell().store(storeMessageRelaxed(message)).endCell();
      items.set(index, beginCell().storeUint(1, 8).storeRef(packed).endCell());
    }
    const wallet = beginCell().storeBuffer(signature).storeUint(698983191, 32).storeUint(77, 64);
    const { payload } = request(wallet.storeDict(items)) as unknown as {
      payload: Record<string, { msg: { body: string } }>;
    };
    expect(Object.values(payload).map(({ msg }) => msg.body)).toEqual(
      Array.from({ length: 163 }, (_, index) => boc(mint(index))),
    );
  });

  it("must fit their layout entirely", () => {
    const start = () => beginCell().storeBuffer(signature).storeUint(698983191, 32).storeUint(1700000000, 32);
    expect(request(start().storeUint(9, 33))).toBeUndefined();
    expect(request(start().storeUint(9, 32).storeUint(3, 8).storeRef(comment("no message")))).toBeUndefined();
    expect(request(beginCell())).toBeUndefined();
  });
});

describe("An opcode", () => {
  it("has the name of its first scheme", () => {
    expect([0, 0x0f8a7ea5, 0xffffffff, -1, 0x595f07bc].map(opcodeName)).toEqual([
      "text_comment",
      "jetton_transfer",
      "bounce",
      "bounce",
      "jetton_burn",
    ]);
    expect(opcodeName(0x1bba3896)).toBe("bidask_swap_fallback_v2");
    expect(opcodeName(0x12345678)).toBeUndefined();
  });

  it("shared by several contracts lists their names; a body has the name of the scheme that fits", () => {
    expect(opcodeName(1)).toBe("evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin");
    expect(decode(query(1))).toBeUndefined();
    const supply = query(1)
      .storeUint(0b11, 2)
      .storeUint(7, 64)
      .storeAddress(alice)
      .storeUint(0, 64)
      .storeRef(CoreCell.EMPTY);
    expect(decode(supply)).toMatchObject({ "@type": "evaa_supply_master", supply_amount: "7" });
  });
});

describe("A body that is an empty cell", () => {
  it("is called so", () => {
    expect(decode(beginCell())).toEqual({ "@type": "empty_cell" });
  });
});

describe("Bodies that do not fit the schemes of their opcode", () => {
  const walletOf = (owner: Builder) =>
    query(0xd1735400).storeAddress(bob).storeBit(true).storeRef(owner.endCell());

  it.each<[string, Builder | CoreCell]>([
    ["31 bits", beginCell().storeUint(0, 31)],
    ["an unknown opcode", query(0x12345678)],
    ["a field too short", body(0xf96f7324).storeUint(5, 63)],
    ["a bit too many in a reference", walletOf(beginCell().storeAddress(alice).storeBit(false))],
    ["a reference too many in one", walletOf(beginCell().storeAddress(alice).storeRef(CoreCell.EMPTY))],
    ["half a byte of text", body(0).storeUint(0, 4)],
    ["a text that branches", body(0).storeRef(comment("a")).storeRef(comment("b"))],
  ])("are unknown: %s", (_, from) => {
    expect(decode(from)).toBeUndefined();
  });

  it("are read if only something follows behind the scheme", () => {
    const recovered = { "@type": "elector_recover_stake_response", query_id: "5" };
    expect(decode(query(0xf96f7324).storeBit(false))).toEqual(recovered);
    expect(decode(query(0xf96f7324).storeRef(CoreCell.EMPTY))).toEqual(recovered);
    const admin = query(0x6501f354).storeAddress(alice);
    expect(decode(admin.storeRef(comment("and more")))).toMatchObject({ "@type": "jetton_change_admin" });
    const assigned = query(0x05138d91).storeAddress(alice).storeBit(true).storeRef(comment("sold"));
    expect(decode(assigned.storeUint(3, 7))).toEqual({
      "@type": "nft_ownership_assigned",
      query_id: "5",
      prev_owner: rawAlice,
      forward_payload: presentedComment("sold"),
    });
    const burn = query(0x595f07bc).storeCoins(7).storeAddress(alice).storeBit(false);
    expect(decode(burn.storeUint(1, 10))).toMatchObject({ "@type": "jetton_burn", custom_payload: null });
    const stake = query(0x4e73744b).storeBuffer(hash).storeUint(1, 32).storeUint(3, 32).storeBuffer(hash);
    expect(decode(stake.storeRef(beginCell().storeBuffer(signature)).storeUint(1, 5))).toMatchObject({
      "@type": "elector_new_stake",
      max_factor: "3",
    });
  });

  it("have the name of the first scheme that fits, though a later one fits to the last bit", () => {
    const supply = body(1).storeUint(5, 64).storeUint(3, 2).storeUint(9, 64).storeAddress(alice);
    const payload = beginCell().storeUint(0, 48).endCell();
    expect(decode(supply.storeUint(0, 64).storeRef(payload))).toMatchObject({
      "@type": "pyth_update_guardian_set",
      rest_signatures: { "@type": "empty_cell" },
    });
  });

  it("of tgBTC can have addresses of any form; only that of an account is shown", () => {
    const event = (address: (builder: Builder) => Builder) =>
      decode(address(body(0xca444ce6).storeCoins(7)).storeAddress(alice));
    const shown = { "@type": "tgbtc_burn_event", amount: "7", sender_address: null };
    expect(event((b) => b.storeUint(0b01, 2).storeUint(8, 9).storeUint(0xab, 8))).toMatchObject(shown);
    expect(event((b) => b.storeUint(0b110, 3).storeUint(8, 9).storeInt(0, 32).storeUint(1, 8))).toMatchObject(
      shown,
    );
    expect(event((b) => b.storeUint(0b101, 3).storeUint(31, 5).storeUint(0, 200))).toBeUndefined();
  });

  it("of failed supplies at EVAA are read in all versions", () => {
    const failed = () => query(0x11f).storeAddress(alice).storeUint(2, 256).storeUint(3, 64);
    const start = { "@type": "evaa_supply_fail", query_id: "5", asset_id: "2", amount: "3" };
    const payload = comment("payload");
    const sender = beginCell().storeAddress(alice).endCell();
    expect(decode(failed())).toEqual({ ...start, owner_address: rawAlice });
    const newer = failed().storeUint(4, 64).storeRef(payload);
    expect(decode(newer)).toMatchObject({ ...start, forward_ton_amount: "4" });
    const latest = failed()
      .storeUint(4, 64)
      .storeRef(payload)
      .storeUint(5, 16)
      .storeUint(3, 2)
      .storeRef(sender);
    expect(decode(latest)).toMatchObject({ ...start, subaccount_id: "5", initial_sender: rawAlice });
    const another = failed().storeRef(payload).storeUint(5, 16).storeUint(3, 2).storeRef(sender);
    expect(decode(another)).toMatchObject({
      ...{ ...start, subaccount_id: "5", initial_sender: rawAlice },
      return_repay_remainings_flag: { "@type": "bool_true" },
      custom_response_payload: presentedComment("payload"),
    });
    expect(decode(another)).not.toHaveProperty("forward_ton_amount");
    expect(decode(failed().storeRef(payload))).toMatchObject(start);
  });

  it("exotic cells are unknown, and bags of cells inside a body", () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(hash).endCell({ exotic: true });
    expect(decode(library)).toBeUndefined();
    expect(request(library)).toBeUndefined();
    expect(decode(query(0x11aefd51).storeRef(library))).toEqual({
      "@type": "cocoon_upgrade_code",
      query_id: "5",
      new_code: boc(library),
    });
  });

  it("nested bodies are decoded ten levels deep; the next level is a bag of cells", () => {
    const wrap = (inner: CoreCell) => query(0xc0ffee36).storeRef(inner).endCell();
    let cell = wrap(comment("deep"));
    for (let depth = 0; depth < 9; depth++) cell = wrap(cell);
    const innermost = (from: CoreCell) => {
      let body: unknown = decode(from);
      while (typeof body === "object" && body !== null && "body" in body) body = body.body;
      return body;
    };
    expect(innermost(cell)).toEqual(presentedComment("deep"));
    expect(innermost(wrap(cell))).toBe(boc(comment("deep")));
  });

  it("shared cells cannot expand a small body without bound", () => {
    const twice = (inner: CoreCell) => query(0xc0ffee44).storeRef(inner).storeRef(inner).endCell();
    let cell = comment("again ".repeat(20));
    expect(decode(twice(cell))).toMatchObject({ "@type": "coffee_update_code_cells" });
    for (let depth = 0; depth < 10; depth++) cell = twice(cell);
    expect(decode(cell)).toBeUndefined();
    const deep = (inner: CoreCell, depth: number): CoreCell =>
      depth === 0 ? inner : deep(beginCell().storeRef(inner).storeRef(inner).endCell(), depth - 1);
    expect(decode(query(0x11aefd51).storeRef(deep(comment("x"), 400)))).toMatchObject({
      "@type": "cocoon_upgrade_code",
    });
  });
});
