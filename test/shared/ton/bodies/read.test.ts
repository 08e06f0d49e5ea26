import { type Builder, beginCell, Address as CoreAddress, internal, storeMessageRelaxed } from "@ton/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { BodyFields, BodyName } from "../../../../shared/ton/bodies/declared.js";
import { bodyOf, bodyStart, readBody, readTyped } from "../../../../shared/ton/bodies/read.js";
import type { Value } from "../../../../shared/ton/bodies/value.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Address } from "../../../../shared/values/address.js";

const bytes = new Uint8Array(32).fill(1);
const alice = new Address(0, bytes);
const coreAlice = new CoreAddress(0, Buffer.from(bytes));
const cellOf = (from: Builder) => parseBocRoot(from.endCell().toBoc());
const query = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(5, 64);
const comment = beginCell().storeUint(0, 32).storeStringTail("hi").endCell();
const transfer = query(0x0f8a7ea5)
  .storeCoins(2n ** 90n)
  .storeAddress(coreAlice)
  .storeAddress(null)
  .storeMaybeRef(null)
  .storeCoins(1)
  .storeBit(true)
  .storeRef(comment);

describe("A body", () => {
  it("has the name of its scheme, its opcode and typed fields; cells in it are not decoded", () => {
    const body = readBody(cellOf(transfer))!;
    expect(body).toMatchObject({ name: "jetton_transfer", opcode: 0x0f8a7ea5 });
    const { forward_payload, ...fields } = body.fields;
    expect(fields).toEqual({
      query_id: 5n,
      amount: 2n ** 90n,
      destination: alice,
      response_destination: undefined,
      custom_payload: undefined,
      forward_ton_amount: 1n,
    });
    expect(readBody(forward_payload as Cell)).toEqual({
      name: "text_comment",
      opcode: 0,
      fields: { text: "hi" },
    });
    expectTypeOf(body.fields).toEqualTypeOf<{ readonly [name: string]: Value }>();
  });

  it("is unknown if no scheme fits, and if it exceeds its budget", () => {
    expect(readBody(cellOf(query(0x12345678)))).toBeUndefined();
    expect(readBody(cellOf(beginCell().storeUint(0xf96f7324, 32).storeUint(5, 63)))).toBeUndefined();
    // Every fork leads to one cell twice: 2^16 entries in 17 cells.
    let node = beginCell().storeUint(0, 2).storeUint(0, 32).endCell();
    for (let bit = 0; bit < 32; bit++)
      node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
    const burn = beginCell().storeUint(0x73403c43, 32).storeUint(5, 64).storeBit(true).storeRef(node);
    expect(readBody(cellOf(burn.storeBit(false)))).toBeUndefined();
  });

  it("nested in others does not count for the typed budget", () => {
    let cell = comment;
    for (let depth = 0; depth < 20; depth++) cell = query(0xc0ffee44).storeRef(cell).storeRef(cell).endCell();
    expect(readBody(parseBocRoot(cell.toBoc()))?.name).toBe("coffee_update_code_cells");
  });
});

describe("The fields of a body by name", () => {
  it("have precise types and values", () => {
    const fields = bodyOf("jetton_transfer", cellOf(transfer))!;
    expect([fields.amount, fields.destination?.equals(alice)]).toEqual([2n ** 90n, true]);
    expect(bodyOf("text_comment", fields.forward_payload)).toEqual({ text: "hi" });
    expect(bodyOf("jetton_burn", cellOf(transfer))).toBeUndefined();
    expectTypeOf(fields).toEqualTypeOf<{
      readonly query_id: bigint;
      readonly amount: bigint;
      readonly destination: Address | undefined;
      readonly response_destination: Address | undefined;
      readonly custom_payload: Cell | undefined;
      readonly forward_ton_amount: bigint;
      readonly forward_payload: Cell;
    }>();
  });

  it("of declared types are distinguished by $type", () => {
    const vault = query(0x21cfe02b).storeUint(1, 4).storeInt(0, 8).storeBuffer(Buffer.from(bytes));
    const { asset } = bodyOf("dedust_create_vault", cellOf(vault))!;
    expect(asset).toEqual({ $type: "jetton", workchain_id: 0n, address: bytes });
    expectTypeOf(asset).toEqualTypeOf<
      | { readonly $type: "native" }
      | { readonly $type: "jetton"; readonly workchain_id: bigint; readonly address: Uint8Array }
    >();
  });

  it("are of one of several layouts", () => {
    const burn = query(0x595f07bc).storeCoins(7).storeAddress(coreAlice);
    const fields = bodyOf("jetton_burn", cellOf(burn))!;
    expect(fields).toEqual({ query_id: 5n, amount: 7n, response_destination: alice });
    expectTypeOf(fields.amount).toEqualTypeOf<bigint>();
    if ("custom_payload" in fields) expectTypeOf(fields.custom_payload).toEqualTypeOf<Cell | undefined>();
  });

  it("are read by this name also where another scheme of the opcode comes first", () => {
    const payload = beginCell()
      .storeUint(0x25938561, 32)
      .storeAddress(coreAlice)
      .storeCoins(3)
      .storeAddress(coreAlice)
      .storeBit(false);
    const fields = bodyOf("stonfi_swap_forward_payload", cellOf(payload));
    expect(fields).toEqual({
      token_wallet: alice,
      min_out: 3n,
      to_address: alice,
      referral_address: undefined,
    });
    expect(bodyOf("stonfi_swap", cellOf(payload))).toBeUndefined();
  });

  it("are read where the body goes on behind them, if that is asked for", () => {
    const longer = query(0x595f07bc).storeCoins(7).storeAddress(coreAlice).storeUint(0, 100);
    expect(bodyOf("jetton_burn", cellOf(longer))).toBeUndefined();
    expect(bodyStart("jetton_burn", cellOf(longer))).toMatchObject({ query_id: 5n, amount: 7n });
    expect(bodyStart("jetton_burn", cellOf(query(0x595f07bc)))).toBeUndefined();
    expect(bodyStart("jetton_burn", cellOf(transfer))).toBeUndefined();
  });

  it("are read by layouts that bodies are not shown by", () => {
    const short = query(0x0f8a7ea5)
      .storeCoins(7)
      .storeUint(0, 2)
      .storeUint(0, 2)
      .storeBit(false)
      .storeCoins(1);
    expect(bodyOf("jetton_transfer_start", cellOf(short))).toMatchObject({ amount: 7n });
    expect(readBody(cellOf(short))).toBeUndefined();
    expect(readBody(cellOf(short.storeUint(0, 9)))).toMatchObject({ name: "jetton_transfer" });
    expect(readBody(cellOf(transfer))?.name).toBe("jetton_transfer");
  });

  it("have types for every notation of the declarations", () => {
    expectTypeOf<"jetton_transfer" | "text_comment" | "layerzero_uln_uln_verify">().toExtend<BodyName>();
    expectTypeOf<"jetton_transferred">().not.toExtend<BodyName>();
    // Text, numbers, bits, flags.
    expectTypeOf<BodyFields<"encrypted_text_comment">>().toEqualTypeOf<{
      readonly cipher_text: Uint8Array;
    }>();
    expectTypeOf<BodyFields<"change_dns_record">["key"]>().toEqualTypeOf<Uint8Array>();
    expectTypeOf<BodyFields<"whales_nominators_deposit">["query_id"]>().toEqualTypeOf<bigint>();
    expectTypeOf<BodyFields<"elector_new_stake">>().toExtend<{ readonly query_id: bigint }>();
    // A reference to a record without a name, and unnamed fields.
    expectTypeOf<BodyFields<"tonstake_pool_request_loan">["controller_data"]>().toEqualTypeOf<{
      readonly $type: "data";
      readonly controller_id: bigint;
      readonly validator: Address | undefined;
      readonly pool: Address | undefined;
      readonly governor: Address | undefined;
      readonly approver: Address | undefined;
      readonly halter: Address | undefined;
    }>();
    expectTypeOf<BodyFields<"layerzero_nilify">>().toEqualTypeOf<
      | { readonly query_id: bigint; readonly donation_nanos: bigint; readonly md: Cell }
      | {
          readonly query_id: bigint;
          readonly donation_nanos: bigint;
          readonly origin: Address | undefined;
          readonly md: Cell;
        }
    >();
    // Dictionaries, lists, alternatives, and types of all families.
    expectTypeOf<BodyFields<"jvault_claim_rewards_msg">["jettons_to_claim"]>().toEqualTypeOf<
      ReadonlyMap<Address, bigint>
    >();
    expectTypeOf<BodyFields<"evaa_debug_principals_edit_user">["new_principals"]>().toEqualTypeOf<
      ReadonlyMap<Uint8Array, bigint>
    >();
    expectTypeOf<BodyFields<"bidask_swap">["slippage"]>().toEqualTypeOf<bigint>();
    type Action = BodyFields<"highload_v3_internal_request">["actions"][number];
    expectTypeOf<Action["$type"]>().toEqualTypeOf<
      "action_send_msg" | "action_set_code" | "action_reserve_currency" | "action_change_library"
    >();
    expectTypeOf<Extract<Action, { $type: "action_send_msg" }>["out_msg"]["body"]>().toEqualTypeOf<Cell>();
    // A type that contains itself.
    type Step = NonNullable<BodyFields<"coffee_swap">["next"]>;
    expectTypeOf<NonNullable<Step["next"]>["min_output_amount"]>().toEqualTypeOf<bigint>();
    expectTypeOf<BodyFields<"evaa_user_execute_action">>().toEqualTypeOf<{ readonly extra: Cell }>();
  });
});

describe("A signed request", () => {
  it("has typed messages", () => {
    const message = beginCell().store(
      storeMessageRelaxed(internal({ to: coreAlice, value: 3n, body: comment })),
    );
    const signed = beginCell()
      .storeBuffer(Buffer.alloc(64, 0xcd))
      .storeUint(698983191, 32)
      .storeUint(1700000000, 32)
      .storeUint(9, 32)
      .storeUint(3, 8)
      .storeRef(message);
    const request = readTyped("SignedRequest", cellOf(signed))!;
    if (request.$type !== "wallet_signed_v3") throw new Error(request.$type);
    expect([request.msg_seqno, request.signature.length]).toEqual([9n, 64]);
    const [{ mode, msg }] = request.msgs as [(typeof request.msgs)[number]];
    if (msg.info.$type !== "int_msg_info") throw new Error(msg.info.$type);
    expect([mode, msg.info.dest, msg.info.value.grams]).toEqual([3n, alice, 3n]);
    expect(bodyOf("text_comment", msg.body)).toEqual({ text: "hi" });
  });
});
