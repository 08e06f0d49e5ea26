import { describe, expect, expectTypeOf, it } from "vitest";
import { readTokenRequest, type TokenRequest } from "../../../../shared/ton/bodies/token-requests.js";
import { BitString } from "../../../../shared/ton/bodies/value.js";
import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { Address } from "../../../../shared/values/address.js";
import { addressForms } from "../../../helpers/chain/address-forms.js";
import { cellWith, fieldsWith, maybe, none } from "../../../helpers/made-cells.js";

const alice = new Address(0, new Uint8Array(32).fill(1));
const payload = cellWith([0, 32], Buffer.from("hi"));
const standard = (builder: Builder) => builder.storeAddress(alice);

type Transfer = { to?: (builder: Builder) => Builder; excessesTo?: (builder: Builder) => Builder };

const transfer = ({ to = standard, excessesTo = standard }: Transfer = {}) => {
  const start = fieldsWith([0x0f8a7ea5, 32], [5, 64], 7n);
  return fieldsWith(excessesTo(to(start)), maybe(payload), 9n);
};
const fields = {
  name: "jetton_transfer",
  query_id: 5n,
  amount: 7n,
  destination: alice,
  response_destination: alice,
  custom_payload: payload,
  forward_ton_amount: 9n,
};

/** The first `bits` of a cell, without its references unless they are wanted. */
function cut(cell: Cell, bits: number, refs = cell.refs): Cell {
  const builder = beginCell();
  const slice = cell.parse();
  for (let bit = 0; bit < bits; bit++) builder.storeBit(slice.loadBit());
  for (const ref of refs) builder.storeRef(ref);
  return builder.endCell();
}

describe("A request to a token contract", () => {
  it("has typed fields, a payload only from a reference", () => {
    const referenced = transfer().storeMaybeRef(payload).endCell();
    expect(readTokenRequest(referenced)).toEqual({ ...fields, forward_payload: payload });
    const inline = cellWith(transfer(), false, [0, 32]);
    expect(readTokenRequest(inline)).toEqual({ ...fields, forward_payload: undefined });
    type Read = Extract<TokenRequest, { name: "jetton_transfer" }>;
    expectTypeOf<Read["destination"]>().toEqualTypeOf<Address | BitString | undefined>();
    expectTypeOf<Read["forward_payload"]>().toEqualTypeOf<Cell | undefined>();
  });

  it("is read from the front: data after its fields are ignored", () => {
    const longer = cellWith(transfer(), maybe(payload), [7, 7], payload);
    expect(readTokenRequest(longer)).toEqual({ ...fields, forward_payload: payload });
  });

  const burn = () => fieldsWith([0x595f07bc, 32], [5, 64], 7n, none);
  const item = () => fieldsWith([0x5fcc3d14, 32], [5, 64], alice, none, false, 9n);

  it("may be a burn or the transfer of an item", () => {
    expect(readTokenRequest(burn().storeMaybeRef(payload).endCell())).toEqual({
      name: "jetton_burn",
      query_id: 5n,
      amount: 7n,
      response_destination: undefined,
      custom_payload: payload,
    });
    expect(readTokenRequest(item().storeBit(false).endCell())).toEqual({
      name: "nft_transfer",
      query_id: 5n,
      new_owner: alice,
      response_destination: undefined,
      custom_payload: undefined,
      forward_amount: 9n,
      forward_payload: undefined,
    });
  });

  const whole: [string, Cell][] = [
    ["a jetton transfer", transfer().storeMaybeRef(payload).endCell()],
    ["a burn", burn().storeMaybeRef(payload).endCell()],
    ["the transfer of an item", item().storeMaybeRef(payload).endCell()],
  ];

  it.each(whole)("is none if it ends anywhere before its last field: %s", (_, body) => {
    expect(readTokenRequest(body)).toBeDefined();
    for (let bits = 0; bits < body.bits; bits++)
      expect([bits, readTokenRequest(cut(body, bits))]).toEqual([bits, undefined]);
    if (body.refCount > 0) expect(readTokenRequest(cut(body, body.bits, []))).toBe(undefined);
  });

  it.each(Object.entries(addressForms(alice)))("reads an address of the form %s", (_, { store, account }) => {
    const body = transfer({ to: store, excessesTo: store }).storeBit(false).endCell();
    const expected = account === "none" ? undefined : account === "other" ? expect.any(BitString) : account;
    expect(readTokenRequest(body)).toEqual({
      ...fields,
      destination: expected,
      response_destination: expected,
      forward_payload: undefined,
    });
  });

  it("is none with an anycast prefix that cannot be", () => {
    const impossible = (builder: Builder) => builder.storeUint(0b101, 3).storeUint(0, 5).storeUint(0, 264);
    expect(readTokenRequest(transfer({ to: impossible }).storeBit(false).endCell())).toBe(undefined);
    const tooLong = (builder: Builder) => builder.storeUint(0b101, 3).storeUint(31, 5).storeUint(0, 295);
    expect(readTokenRequest(transfer({ excessesTo: tooLong }).storeBit(false).endCell())).toBe(undefined);
  });

  it("is none of another opcode", () => {
    expect(readTokenRequest(Cell.empty)).toBe(undefined);
    expect(readTokenRequest(payload)).toBe(undefined);
    expect(readTokenRequest(cellWith([0xffffffff, 32], [0x0f8a7ea5, 32]))).toBe(undefined);
  });
});
