import {
  Address,
  type Builder,
  beginCell,
  type Cell,
  Dictionary,
  external,
  internal,
  type MessageRelaxed,
  storeMessage,
  storeMessageRelaxed,
} from "@ton/core";
import { describe, expect, it } from "vitest";
import { presentOrderActions } from "../../../../server/present/v3/orders/order.js";

const [alice, bob] = [1, 2].map((byte) => new Address(0, Buffer.alloc(32, byte))) as [Address, Address];
const [rawAlice, rawBob] = ["01", "02"].map((byte) => `0:${byte.repeat(32)}`);
const rawMaster = `-1:${"03".repeat(32)}`;
const master = new Address(-1, Buffer.alloc(32, 3));

const boc = (cell: Cell) => cell.toBoc({ idx: false, crc32: true }).toString("base64");
const body = (opcode: number) => beginCell().storeUint(opcode, 32);
const query = (opcode: number, id: bigint | number = 5) => body(opcode).storeUint(id, 64);
const text = (content: string) => body(0).storeStringTail(content).endCell();
const encrypted = body(0x2167da4b).storeBuffer(Buffer.from("secret")).endCell();
const empty = beginCell().endCell();

const orderOf = (...actions: Cell[]) => {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell());
  for (const [key, action] of actions.entries()) dictionary.set(key * 3, action);
  return beginCell().storeDictDirect(dictionary).endCell();
};
const send = (message: MessageRelaxed, mode = 3) =>
  body(0xf1381e5b)
    .storeUint(mode, 8)
    .storeRef(beginCell().store(storeMessageRelaxed(message)))
    .endCell();
const sendBody = (content: Cell) => send(internal({ to: bob, value: 7n, body: content }));

type Presented = { actions: Record<string, unknown>[] | null; addresses: string[]; json: string | undefined };

function present(order: Cell | Uint8Array): Presented {
  const addresses = new Set<string>();
  const bytes = order instanceof Uint8Array ? order : order.toBoc();
  const json = presentOrderActions(bytes, addresses)?.text;
  return { actions: json === undefined ? null : JSON.parse(json), addresses: [...addresses], json };
}

const only = (action: Cell) => present(orderOf(action)).actions![0];
const failure = (reason: string) => ({
  destination: null,
  value: null,
  body_raw: null,
  parsed: false,
  error: `failed to parse order action: ${reason}`,
  parsed_body: null,
  parsed_body_type: "unknown",
  send_mode: 0,
});

/** Checks the presentation of a body in the only message of an order. */
function expectBody(content: Builder | Cell, type: string, members: object, addresses: string[] = []): void {
  const cell = "endCell" in content ? content.endCell() : content;
  const presented = present(orderOf(sendBody(cell)));
  expect(presented.actions).toEqual([
    {
      destination: rawBob,
      value: "7",
      body_raw: boc(cell),
      parsed: true,
      error: null,
      parsed_body: members,
      parsed_body_type: type,
      send_mode: 3,
    },
  ]);
  expect(presented.addresses.sort()).toEqual([...new Set([rawBob, ...addresses])].sort());
}

function expectUnknown(content: Builder | Cell, opcode: number): void {
  const cell = "endCell" in content ? content.endCell() : content;
  expectBody(cell, "unknown", { opcode, data: boc(cell) });
}

describe("A message body in an order is shown as", () => {
  it("a transfer of TON with its comment", () => {
    const plain = (comment: string) => ({ comment, encrypted: false });
    expectBody(text("hello"), "ton_transfer", plain("hello"));
    expectBody(text("long ".repeat(60)), "ton_transfer", plain("long ".repeat(60)));
    expectBody(empty, "ton_transfer", plain(""));
    expectBody(beginCell().storeUint(0x6162, 16), "ton_transfer", plain(""));
    expectBody(body(0), "ton_transfer", plain(""));
    // Neither whole bytes nor one reference: no text.
    expectBody(body(0).storeUint(1, 7), "ton_transfer", plain(""));
    expectBody(body(0).storeUint(65, 8).storeRef(empty).storeRef(empty), "ton_transfer", plain(""));
    expectBody(encrypted, "ton_transfer", { comment: "c2VjcmV0", encrypted: true });
    expectUnknown(body(0x2167da4b).storeUint(1, 7), 0x2167da4b);
  });

  const transferTo = (destination: Address | null, forward = 1n) =>
    query(0x0f8a7ea5, 2n ** 64n - 1n)
      .storeCoins(2n ** 100n)
      .storeAddress(destination)
      .storeAddress(master)
      .storeMaybeRef(encrypted)
      .storeCoins(forward);
  const transferred = {
    // JSON.parse keeps no more digits; the text is checked below.
    query_id: Number(2n ** 64n - 1n),
    amount: String(2n ** 100n),
    destination: rawAlice,
    response: rawMaster,
    custom_payload: boc(encrypted),
    forward_amount: "1",
    comment: "",
    encrypted_comment: false,
    forward_payload: null,
    payload_sum_type: "",
    stonfi_swap_body: null,
  };
  const parties = [rawAlice!, rawMaster];

  it("a jetton transfer, with every kind of payload", () => {
    const withPayload = (payload: Cell) => transferTo(alice).storeBit(true).storeRef(payload);
    const shown = (payload: Cell, members: object) =>
      expectBody(
        withPayload(payload),
        "jetton_transfer",
        { ...transferred, forward_payload: boc(payload), ...members },
        parties,
      );
    shown(text("hi"), { comment: "hi", payload_sum_type: "TextComment" });
    shown(body(0).storeUint(1, 7).endCell(), { payload_sum_type: "TextComment" });
    shown(encrypted, {
      comment: "c2VjcmV0",
      encrypted_comment: true,
      payload_sum_type: "EncryptedTextComment",
    });
    shown(body(0x2167da4b).storeUint(1, 7).endCell(), {
      encrypted_comment: true,
      payload_sum_type: "EncryptedTextComment",
    });
    shown(query(0x12345678).endCell(), { payload_sum_type: "Unknown" });
    shown(beginCell().storeUint(1, 31).endCell(), { payload_sum_type: "Unknown" });
    // No bits, no payload.
    expectBody(withPayload(empty), "jetton_transfer", transferred, parties);
    expectBody(transferTo(alice).storeBit(false), "jetton_transfer", transferred, parties);
    expectBody(transferTo(alice), "jetton_transfer", transferred, parties);
    // In place, after the bit.
    expectBody(
      transferTo(alice).storeBit(false).storeSlice(text("in place").beginParse()),
      "jetton_transfer",
      {
        ...transferred,
        comment: "in place",
        forward_payload: boc(text("in place")),
        payload_sum_type: "TextComment",
      },
      parties,
    );
    expectBody(transferTo(null).storeBit(false), "jetton_transfer", { ...transferred, destination: null }, [
      rawMaster,
    ]);
    expectUnknown(query(0x0f8a7ea5).storeCoins(1), 0x0f8a7ea5);
  });

  it("a jetton transfer that swaps on STON.fi", () => {
    const swapOf = (amount: bigint) =>
      body(0x25938561).storeAddress(bob).storeCoins(amount).storeAddress(alice).storeBit(false).endCell();
    const shown = (payload: Cell, swap: object | null) =>
      expectBody(
        transferTo(alice).storeBit(true).storeRef(payload),
        "jetton_transfer",
        {
          ...transferred,
          forward_payload: boc(payload),
          payload_sum_type: "StonfiSwap",
          stonfi_swap_body: swap,
        },
        parties,
      );
    const swap = { jetton_wallet: rawBob, user_address: rawAlice };
    shown(swapOf(1_500_000_000n), { ...swap, min_amount: "1.5" });
    shown(swapOf(20_000_000_000n), { ...swap, min_amount: "20" });
    shown(swapOf(1n), { ...swap, min_amount: "0.000000001" });
    shown(swapOf(0n), { ...swap, min_amount: "0" });
    shown(body(0x25938561).storeAddress(bob).endCell(), null);
  });

  it("a jetton burn", () => {
    const burn = query(0x595f07bc).storeCoins(9).storeAddress(alice);
    const members = { query_id: 5, amount: "9", response_destination: rawAlice };
    expectBody(burn, "jetton_burn", members, [rawAlice!]);
    expectBody(query(0x595f07bc).storeCoins(9).storeAddress(null).storeMaybeRef(empty), "jetton_burn", {
      ...members,
      response_destination: null,
    });
    expectUnknown(query(0x595f07bc).storeUint(0xff, 8), 0x595f07bc);
  });

  it.each([0x642b7d07, 0x15])("a jetton mint with opcode %i", (opcode) => {
    const minted = query(0x178d4519, 6).storeCoins(1000).storeAddress(null).endCell();
    const mint = () => query(opcode).storeAddress(alice).storeCoins(3);
    expectBody(
      mint().storeRef(minted),
      "jetton_mint",
      {
        opcode,
        query_id: 5,
        to_address: rawAlice,
        ton_amount: "3",
        master_msg_query_id: 6,
        master_msg_jetton_amount: "1000",
      },
      [rawAlice!],
    );
    expectUnknown(mint(), opcode);
    expectUnknown(mint().storeRef(query(0x178d4519).endCell()), opcode);
  });

  it("an NFT transfer", () => {
    const transfer = () =>
      query(0x5fcc3d14).storeAddress(alice).storeAddress(null).storeMaybeRef(null).storeCoins(2);
    const members = {
      query_id: 5,
      new_owner: rawAlice,
      response_destination: null,
      custom_payload: null,
      forward_amount: "2",
    };
    const shown = (content: Builder, forward_payload: string | null) =>
      expectBody(content, "nft_transfer", { ...members, forward_payload }, [rawAlice!]);
    shown(transfer().storeBit(true).storeRef(text("hi")), boc(text("hi")));
    shown(transfer().storeBit(false), boc(empty));
    shown(transfer(), null);
    expectUnknown(query(0x5fcc3d14).storeAddress(alice), 0x5fcc3d14);
  });

  it("messages of the administrators of jettons", () => {
    expectBody(query(0xd372158c), "jetton_top_up", { query_id: 5 });
    expectUnknown(body(0xd372158c), 0xd372158c);
    expectUnknown(query(0x9fd3), 0x9fd3);
    expectBody(
      query(0x6501f354).storeAddress(alice),
      "jetton_change_admin",
      { query_id: 5, new_admin_address: rawAlice },
      [rawAlice!],
    );
    expectUnknown(query(0x6501f354), 0x6501f354);
    expectBody(query(0xfb88e119), "jetton_claim_admin", { query_id: 5 });
    expectUnknown(body(0xfb88e119).storeUint(5, 63), 0xfb88e119);
    expectBody(query(0xcb862902).storeStringTail("https://a.example/b"), "jetton_change_content", {
      query_id: 5,
      new_metadata_url: "https://a.example/b",
    });
    expectUnknown(query(0xcb862902).storeUint(1, 7), 0xcb862902);
    expectBody(query(0xeed236d3).storeUint(3, 4), "jetton_set_status", { query_id: 5, new_status: 3 });
    expectUnknown(query(0xeed236d3), 0xeed236d3);
    expectUnknown(query(0xeed236d3).storeUint(3, 8), 0xeed236d3);
    // Contracts ignore trailing data.
    expectBody(query(0xfb88e119).storeUint(1, 1), "jetton_claim_admin", { query_id: 5 });
  });

  it.each([
    [query(0xeed236d3).storeUint(1, 4), "JettonSetStatus"],
    [query(0x0f8a7ea5).storeUint(1, 4), "JettonTransfer"],
    [query(0x595f07bc).storeCoins(1).storeAddress(null).storeMaybeRef(null), "JettonBurn"],
    [query(0x12345678), "Unknown"],
    [beginCell(), "Unknown"],
  ])("a call to a jetton wallet (%#)", (action, action_type) => {
    const call = query(0x235caf52).storeAddress(alice).storeCoins(4).storeRef(action);
    const action_data = boc(action.endCell());
    const members = { query_id: 5, to_address: rawAlice, ton_amount: "4", action_type, action_data };
    expectBody(call, "jetton_call_to", members, [rawAlice!]);
  });

  it("messages to single nominator pools", () => {
    expectBody(query(0x1000).storeCoins(8), "single_nominator_withdraw", { query_id: 5, coins: "8" });
    expectUnknown(query(0x1000), 0x1000);
    expectBody(
      query(0x1001).storeAddress(alice),
      "single_nominator_change_validator",
      { query_id: 5, validator_address: rawAlice },
      [rawAlice!],
    );
    expectUnknown(query(0x1001), 0x1001);
    expectUnknown(query(0x235caf52).storeAddress(alice).storeCoins(4), 0x235caf52);
  });

  it("a message through a vesting wallet", () => {
    const through = (message: MessageRelaxed) =>
      query(0x75097f5d)
        .storeUint(64, 8)
        .storeRef(beginCell().store(storeMessageRelaxed(message)));
    const members = { query_id: 5, send_mode: 64, destination: rawAlice, value: "6" };
    const sent = (content: Cell) => internal({ to: alice, value: 6n, body: content });
    expectBody(
      through(sent(text("wages"))),
      "vesting_internal_transfer",
      { ...members, message_body: boc(text("wages")), comment: "wages" },
      [rawAlice!],
    );
    expectBody(
      through(sent(encrypted)),
      "vesting_internal_transfer",
      { ...members, message_body: boc(encrypted), comment: "" },
      [rawAlice!],
    );
    expectBody(through(log), "vesting_internal_transfer", {
      query_id: 5,
      send_mode: 64,
      destination: null,
      value: null,
      message_body: null,
      comment: "",
    });
    expectUnknown(query(0x75097f5d).storeUint(64, 8).storeRef(empty), 0x75097f5d);
  });

  it("unknown with its opcode otherwise", () => {
    expectUnknown(query(0x12345678), 0x12345678);
    expectUnknown(body(0xffffffff), 0xffffffff);
  });
});

const log: MessageRelaxed = {
  info: { type: "external-out", createdLt: 0n, createdAt: 0 },
  body: text("log"),
};

describe("The actions of an order", () => {
  const update = (proposers: Dictionary<number, Address> | null, signers = list(alice, bob)) =>
    body(0x1d0cfbd3)
      .storeUint(2, 8)
      .storeRef(beginCell().storeDictDirect(signers))
      .storeDict(proposers)
      .endCell();

  it("may set new parameters of the multisig wallet, in the order of their keys", () => {
    const shown = (action: Cell, new_proposers: string[]) => {
      expect(only(action)).toEqual({
        destination: null,
        value: null,
        body_raw: null,
        parsed: true,
        error: null,
        parsed_body: { new_threshold: 2, new_signers: [rawAlice, rawBob], new_proposers },
        parsed_body_type: "multisig_update_params",
        send_mode: 0,
      });
    };
    shown(update(null), []);
    shown(update(list(master)), [rawMaster]);
    expect(present(orderOf(update(list(master)))).addresses.sort()).toEqual(
      [rawAlice, rawBob, rawMaster].sort(),
    );
  });

  it("come in the order of their keys and keep every digit of a query id", () => {
    const id = 2n ** 64n - 1n;
    const { actions, json } = present(
      orderOf(sendBody(query(0xd372158c, id).endCell()), send(log, 128), update(null)),
    );
    expect(actions!.map((action) => action["parsed_body_type"])).toEqual([
      "jetton_top_up",
      "ton_transfer",
      "multisig_update_params",
    ]);
    expect(json).toContain(`"query_id":${id}`);
    expect(actions![1]).toMatchObject({
      destination: null,
      value: "0",
      send_mode: 128,
      parsed_body: { comment: "log" },
    });
  });

  it("skip a state init and take a body in place or in a reference", () => {
    const init = { code: empty, data: text("data") };
    const long = text("x".repeat(100));
    for (const content of [text("hi"), long])
      expect(only(send(internal({ to: bob, value: 7n, init, body: content })))).toMatchObject({
        destination: rawBob,
        body_raw: boc(content),
        parsed_body_type: "ton_transfer",
      });
  });

  it.each<[string, Cell, string]>([
    ["another opcode", query(0x12345678).endCell(), "unknown order action type: 305419896"],
    ["no opcode", empty, "failed to load order action from cell"],
    ["no message", body(0xf1381e5b).storeUint(3, 8).endCell(), "failed to load order action from cell"],
    [
      "a message that is none",
      body(0xf1381e5b).storeUint(3, 8).storeRef(empty).endCell(),
      "failed to load order action from cell",
    ],
    [
      "a message from outside",
      body(0xf1381e5b)
        .storeUint(3, 8)
        .storeRef(beginCell().store(storeMessage(external({ to: bob, body: empty }))))
        .endCell(),
      "failed to load order action from cell",
    ],
    [
      "more than a message",
      body(0xf1381e5b)
        .storeUint(3, 8)
        .storeRef(beginCell().store(storeMessageRelaxed(internal({ to: bob, value: 7n }))))
        .storeBit(true)
        .endCell(),
      "failed to load order action from cell",
    ],
    [
      "a signer who is nobody",
      body(0x1d0cfbd3)
        .storeUint(2, 8)
        .storeRef(
          beginCell().storeDictDirect(
            Dictionary.empty<number, null>(Dictionary.Keys.Uint(8), {
              serialize: (_, builder) => builder.storeUint(0, 2),
              parse: () => null,
            }).set(0, null),
          ),
        )
        .storeMaybeRef(null)
        .endCell(),
      "failed to load order action from cell",
    ],
    [
      "no signers",
      body(0x1d0cfbd3).storeUint(2, 8).storeMaybeRef(null).endCell(),
      "failed to load order action from cell",
    ],
  ])("with %s fail one by one", (_, broken, reason) => {
    const { actions } = present(orderOf(broken, sendBody(text("hi"))));
    expect(actions![0]).toEqual(failure(reason));
    expect(actions![1]).toMatchObject({ parsed: true, parsed_body_type: "ton_transfer" });
  });

  it("that are not in separate cells fail one by one", () => {
    const bare = Dictionary.empty<number, number>(Dictionary.Keys.Uint(8), Dictionary.Values.Uint(8)).set(
      1,
      2,
    );
    expect(present(beginCell().storeDictDirect(bare).endCell()).actions).toEqual([
      failure("failed to load ref cell"),
    ]);
  });

  it("are null if the order is no dictionary, or no bag of cells", () => {
    expect(present(empty).actions).toBeNull();
    expect(present(query(0x12345678).endCell()).actions).toBeNull();
    expect(present(Buffer.from("no cells")).actions).toBeNull();
  });

  it("are left unread from where an order that shares its cells becomes too large", () => {
    const large = send(internal({ to: bob, value: 7n, body: wideBody(8) }));
    // 80 times one message of some 60 kB.
    const { actions, json } = present(orderOf(...Array.from({ length: 80 }, () => large)));
    expect(actions).toHaveLength(80);
    expect(actions![0]).toMatchObject({ parsed: true });
    expect(actions!.at(-1)).toEqual(failure("the order is too large"));
    expect(json!.length).toBeLessThan(2_000_000);
  });

  it("are bounded in depth", () => {
    let deep = text("innermost");
    for (let depth = 0; depth < 500; depth++) deep = query(0x12345678).storeRef(deep).endCell();
    expect(only(sendBody(deep))).toMatchObject({ parsed: true, parsed_body_type: "unknown" });
  });
});

function list(...addresses: Address[]): Dictionary<number, Address> {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  for (const [key, address] of addresses.entries()) dictionary.set(key, address);
  return dictionary;
}

/** A body of 2^levels different cells. */
function wideBody(levels: number, path = 1): Cell {
  const cell = body(0x12345678).storeBuffer(Buffer.alloc(80, path)).storeUint(path, 32);
  if (levels === 0) return cell.endCell();
  return cell
    .storeRef(wideBody(levels - 1, 2 * path))
    .storeRef(wideBody(levels - 1, 2 * path + 1))
    .endCell();
}
