import { describe, expect, test } from "vitest";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { readTactAbi } from "../../../../shared/ton/abi/tact.js";
import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { tactCounter as counter, simple, struct } from "../../../helpers/abi/tact-counter.js";

const owner = new Address(0, new Uint8Array(32).fill(7));
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell, { crc32: false }));
const coder = new AbiCoder(readTactAbi(counter));
const number = (value: bigint) => ({ type: "int" as const, value });

describe("an ABI of Tact", () => {
  test("has its messages, and those it may send", () => {
    const note = beginCell().storeBytes(new TextEncoder().encode("hi")).endCell();
    const body = beginCell()
      .storeUint(0x7e8764ef, 32)
      .storeUint(5, 32)
      .storeBit(true)
      .storeRef(note)
      .endCell();
    const read = { message: "Add", fields: { amount: "5", note: "hi" } };
    expect(coder.readBody(body, ["incoming"])).toEqual(read);
    expect(coder.writeBody("incoming", "Add", read.fields).hash()).toEqual(body.hash());
    expect(coder.opcodeName(0x1234, ["outgoing"])).toBe("Added");
    expect(coder.abi.errors.get(1234)).toEqual({ name: "", description: "too large" });
  });

  const json = {
    owner: owner.toRawUpper(),
    heir: null,
    count: "3",
    last: { x: "-1", y: "2" },
    points: { "5": { x: "1", y: "1" } },
    amounts: { [owner.toRawUpper()]: "9" },
    rest: base64(beginCell().storeUint(1, 3).endCell()),
  };

  test("has its storage, before and after `init` has run", () => {
    const begun = coder.writeStorage(json);
    expect(begun.parse().loadBit()).toBe(true);
    expect(coder.readStorage(begun)).toEqual(json);
    const slice = begun.parse().skip(1);
    expect(coder.readStorage(slice.toCell())).toEqual(json);
  });

  test("has structures in a row as results, and as tuples in arguments and where they can be absent", () => {
    const [count, point, maybe, nothing] = ["count", "point", "maybe", "nothing"].map(
      (name) => coder.getMethod(name)!,
    );
    expect(count!.id).toBe(70_000);
    expect(coder.readResult(count!, [number(4n)])).toBe("4");
    expect(coder.readResult(point!, [number(1n), number(2n)])).toEqual({ x: "1", y: "2" });
    const tuple = { type: "tuple", items: [number(1n), number(2n)] };
    expect(coder.writeArguments(point!, [{ x: 1, y: 2 }])).toEqual([tuple]);
    expect(coder.readResult(maybe!, [{ type: "null" }])).toBeNull();
    expect(coder.readResult(maybe!, [{ type: "tuple", items: [number(1n), number(2n)] }])).toEqual({
      x: "1",
      y: "2",
    });
    expect(coder.readResult(nothing!, [])).toBeNull();
    expect(coder.nameOf(maybe!.returns)).toBe("Point?");
  });

  test("divides a large structure among cells, as the compiler does", () => {
    const wide = struct("Wide", 1, {
      a: simple("uint", 256),
      b: simple("uint", 256),
      c: simple("uint", 256),
      d: simple("uint", 222),
      e: simple("uint", 1),
      f: simple("cell"),
      g: simple("cell"),
      h: simple("cell"),
    });
    const abi = {
      ...counter,
      types: [wide],
      receivers: [{ receiver: "internal", message: { kind: "typed", type: "Wide" } }],
      getters: [],
    };
    const large = new AbiCoder(readTactAbi(abi));
    const cell = base64(Cell.empty);
    const fields = { a: "1", b: "2", c: "3", d: "4", e: "1", f: cell, g: cell, h: cell };
    const body = large.writeBody("incoming", "Wide", fields);
    // 32 bits of the opcode and one more are reserved: `d` fills the rest, and `e` begins the next cell.
    expect([body.bits, body.refCount]).toEqual([32 + 3 * 256 + 222, 1]);
    expect([body.ref(0).bits, body.ref(0).refCount]).toEqual([1, 3]);
    expect(large.readBody(body, ["incoming"])).toEqual({ message: "Wide", fields });
  });

  test.each([
    [
      "a structure of itself",
      { types: [struct("A", null, { a: simple("A") })] },
      "structure A contains itself",
    ],
    [
      "a receiver of an unknown type",
      { types: [], receivers: [{ receiver: "internal", message: { kind: "typed", type: "B" } }] },
      "structure B is not declared",
    ],
    ["a field without a type", { types: [{ name: "A", fields: [{ name: "a" }] }] }, "expected an object"],
    ["a width beyond a cell", { types: [struct("A", null, { a: simple("uint", 9999) })] }, "from 1 to 256"],
    ["a million types", { types: Array(1_000_000).fill(null) }, "at most 4096 items"],
  ])("with %s is refused", (_, members, reason) => {
    expect(() => readTactAbi({ name: "X", receivers: [], getters: [], errors: {}, ...members })).toThrow(
      reason,
    );
  });

  test("keeps formats that it does not know raw", () => {
    const types = [struct("X$Data", null, { a: simple("uint", 8), b: simple("cell", "compressed") })];
    const other = new AbiCoder(readTactAbi({ name: "X", types, receivers: [], getters: [], errors: {} }));
    const rest = beginCell().storeUint(1, 5).endCell();
    const cell = beginCell().storeBit(true).storeUint(3, 8).storeSlice(rest.parse()).endCell();
    expect(other.readStorage(cell)).toEqual({ a: "3", b: base64(rest) });
  });
});
