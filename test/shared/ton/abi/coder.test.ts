import { describe, expect, test } from "vitest";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../../../shared/ton/abi/tolk.js";
import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { MadeTypes } from "../../../helpers/abi/made-abi.js";

const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell, { crc32: false }));

describe("bodies", () => {
  const types = new MadeTypes();
  const uint32 = types.type({ kind: "uintN", n: 32 });
  const coins = types.type({ kind: "coins" });
  const up = types.struct("Up", { by: uint32 }, { num: 0x10, len: 32 });
  const pay = types.struct(
    "Pay",
    { amount: coins, note: types.type({ kind: "string" }) },
    { num: 0x20, len: 32 },
  );
  const loose = types.struct("Loose", { a: uint32 });
  const either = types.type({
    kind: "union",
    variants: [up, pay].map((variant, i) => ({
      variant_ty_idx: variant,
      prefix_num: 0x10 * (i + 1),
      prefix_len: 32,
    })),
  });
  const coder = new AbiCoder(
    readTolkAbi(
      types.abi({
        incoming_messages: [{ body_ty_idx: either }],
        incoming_external: [{ body_ty_idx: loose }],
        outgoing_messages: [{ body_ty_idx: pay }],
      }),
    ),
  );

  test("are told apart by their prefix", () => {
    const body = coder.writeBody("incoming", "Pay", { amount: "5000000000", note: "rent" });
    expect(body.parse().loadUint(32)).toBe(0x20);
    const read = { message: "Pay", fields: { amount: "5000000000", note: "rent" } };
    expect(coder.readBody(body, ["incoming"])).toEqual(read);
    expect(coder.readBody(body, ["outgoing"])).toEqual(read);
    expect(coder.opcodeName(0x20, ["incoming"])).toBe("Pay");
    expect(coder.opcodeName(0x30, ["incoming"])).toBeUndefined();
  });

  test("may have data after their fields", () => {
    const body = beginCell().storeUint(0x10, 32).storeUint(7, 32).storeUint(1, 3).endCell();
    expect(coder.readBody(body, ["incoming"])).toEqual({ message: "Up", fields: { by: "7" } });
  });

  test("are not guessed: other prefixes and too few bits fit nothing", () => {
    expect(
      coder.readBody(beginCell().storeUint(0x11, 32).storeUint(7, 32).endCell(), ["incoming"]),
    ).toBeUndefined();
    expect(
      coder.readBody(beginCell().storeUint(0x10, 32).storeUint(7, 31).endCell(), ["incoming"]),
    ).toBeUndefined();
    expect(coder.readBody(beginCell().endCell(), ["incoming"])).toBeUndefined();
  });

  test("without a prefix are read if there is one such message", () => {
    const body = beginCell().storeUint(0x30, 32).endCell();
    expect(coder.readBody(body, ["external"])).toEqual({ message: "Loose", fields: { a: "48" } });
  });

  test.each([
    ["Up", { by: "4294967296" }, "Up.by: 4294967296 does not fit 32 unsigned bits"],
    ["Up", { by: "1.5" }, "Up.by: expected an integer, as decimal or hex text"],
    ["Up", { by: 0.1 }, "Up.by: expected an integer, as decimal or hex text"],
    ["Up", { by: 1, to: 2 }, "Up: there is no to"],
    ["Up", {}, "Up.by: expected an integer"],
    ["Pay", { amount: -1, note: "" }, "Pay.amount: -1 does not fit 120 unsigned bits"],
    ["Gone", {}, "the contract has no message Gone"],
  ])("are refused with the place of the fault: %s %j", (name, fields, reason) => {
    expect(() => coder.writeBody("incoming", name, fields)).toThrow(reason);
  });
});

describe("storage", () => {
  test("has no bits left over", () => {
    const types = new MadeTypes();
    const storage = types.struct("Storage", { a: types.type({ kind: "uintN", n: 8 }) });
    const coder = new AbiCoder(readTolkAbi(types.abi({ storage: { storage_ty_idx: storage } })));
    expect(coder.readStorage(beginCell().storeUint(1, 8).endCell())).toEqual({ a: "1" });
    expect(coder.readStorage(beginCell().storeUint(1, 9).endCell())).toBeUndefined();
  });

  test("of an unknown kind stays raw, with what follows it", () => {
    const types = new MadeTypes();
    const uint8 = types.type({ kind: "uintN", n: 8 });
    const storage = types.struct("Storage", {
      a: uint8,
      later: types.type({ kind: "quantumN", n: 3 }),
      b: uint8,
    });
    const coder = new AbiCoder(readTolkAbi(types.abi({ storage: { storage_ty_idx: storage } })));
    const rest = beginCell().storeUint(0xabc, 12).endCell();
    const cell = beginCell().storeUint(1, 8).storeSlice(rest.parse()).endCell();
    const json = { a: "1", later: base64(rest) };
    expect(coder.readStorage(cell)).toEqual(json);
    expect(coder.writeStorage(json).hash()).toEqual(cell.hash());
  });

  test("of a type that packs itself stays raw in cells, and is read on the stack", () => {
    const types = new MadeTypes();
    const uint8 = types.type({ kind: "uintN", n: 8 });
    const custom = types.struct("Custom", { x: uint8, y: uint8 });
    Object.assign(types.declarations[0] as object, { custom_pack_unpack: { unpack_from_slice: true } });
    const held = types.struct("Held", { inner: types.type({ kind: "cellOf", inner_ty_idx: custom }) });
    const get = { name: "get", tvm_method_id: 1, parameters: [], return_ty_idx: custom };
    const coder = new AbiCoder(
      readTolkAbi(types.abi({ storage: { storage_ty_idx: held }, get_methods: [get] })),
    );
    const packed = beginCell().storeUint(5, 3).endCell();
    const cell = beginCell().storeRef(packed).endCell();
    expect(coder.readStorage(cell)).toEqual({ inner: base64(packed) });
    expect(coder.writeStorage({ inner: base64(packed) }).hash()).toEqual(cell.hash());
    const stack = [1n, 2n].map((value) => ({ type: "int" as const, value }));
    expect(coder.readResult(coder.getMethod(1)!, stack)).toEqual({ x: "1", y: "2" });
  });

  test("of a generic structure has the types of its instance, and the client's type of a field", () => {
    const types = new MadeTypes();
    const [uint8, uint16] = [8, 16].map((n) => types.type({ kind: "uintN", n })) as [number, number];
    const parameter = types.type({ kind: "genericT", name_t: "T" });
    types.struct("Box", { item: parameter, wire: uint8 });
    Object.assign(types.declarations[0] as object, { type_params: ["T"] });
    const boxed = types.type({ kind: "StructRef", struct_name: "Box", type_args_ty_idx: [uint16] });
    const other = types.struct("Other", { value: uint8, box: boxed });
    Object.assign((types.declarations[1] as { fields: object[] }).fields[0]!, { client_ty_idx: uint16 });
    const instance = { ty_idx: boxed, struct_name: "Box", monomorphic_fields_ty_idx: [uint16, uint8] };
    const coder = new AbiCoder(
      readTolkAbi(types.abi({ storage: { storage_ty_idx: other }, struct_instantiations: [instance] })),
    );
    const cell = beginCell().storeUint(0x0102, 16).storeUint(0x0304, 16).storeUint(5, 8).endCell();
    expect(coder.readStorage(cell)).toEqual({ value: "258", box: { item: "772", wire: "5" } });
    expect(coder.nameOf(boxed)).toBe("Box<uint16>");
  });
});

describe("get-methods", () => {
  const types = new MadeTypes();
  const int = types.type({ kind: "int" });
  const slice = types.type({ kind: "slice" });
  const text = types.type({ kind: "string" });
  const pair = types.struct("Pair", { left: int, right: int });
  const maybePair = types.type({ kind: "nullable", inner_ty_idx: pair, stack_width: 3, stack_type_id: 12 });
  const method = {
    name: "find",
    tvm_method_id: 90_000,
    parameters: [
      { name: "at", ty_idx: int },
      { name: "text", ty_idx: text, default_value: { kind: "string", str: "all" } },
    ],
    return_ty_idx: types.type({ kind: "tensor", items_ty_idx: [maybePair, types.type({ kind: "bool" })] }),
  };
  const raw = {
    name: "raw",
    tvm_method_id: 90_001,
    parameters: [{ name: "x", ty_idx: slice }],
    return_ty_idx: types.type({ kind: "unknown" }),
  };
  const coder = new AbiCoder(readTolkAbi(types.abi({ get_methods: [method, raw] })));
  const find = coder.getMethod("find")!;
  const number = (value: bigint) => ({ type: "int" as const, value });

  test("take arguments in order or by name, with defaults", () => {
    const all = beginCell().storeBytes(new TextEncoder().encode("all")).endCell();
    const stack = [number(-3n), { type: "cell", cell: all }];
    expect(coder.writeArguments(find, ["-3"])).toEqual(stack);
    expect(coder.writeArguments(find, { at: "-0x3" })).toEqual(stack);
    expect(() => coder.writeArguments(find, { to: 1 })).toThrow("find does not take to");
    expect(() => coder.writeArguments(find, [1, "", 2])).toThrow("find does not take more than 2 arguments");
    expect(() => coder.writeArguments(find, [])).toThrow("at: expected an integer");
    expect(() => coder.writeArguments(find, [1n << 256n])).toThrow("at: ");
  });

  test("return a structure or none, by the id after its places", () => {
    const none = [{ type: "null" as const }, { type: "null" as const }, number(0n), number(-1n)];
    expect(coder.readResult(find, none)).toEqual([null, true]);
    expect(coder.readResult(find, [number(1n), number(2n), number(12n), number(0n)])).toEqual([
      { left: "1", right: "2" },
      false,
    ]);
    expect(coder.readResult(find, [number(1n)])).toBeUndefined();
  });

  test("of unknown types return what is on the stack, without its types", () => {
    const cell = beginCell().storeUint(1, 8).endCell();
    const tuple = {
      type: "tuple" as const,
      items: [number(1n), { type: "null" as const }, { type: "slice" as const, cell }],
    };
    expect(coder.readResult(coder.getMethod("raw")!, [tuple])).toEqual(["1", null, base64(cell)]);
    expect(coder.writeArguments(coder.getMethod("raw")!, [base64(cell)])).toMatchObject([{ type: "slice" }]);
  });
});

test("storage has TON Center's form on request", () => {
  const types = new MadeTypes();
  const [uint8, uint5] = [8, 5].map((n) => types.type({ kind: "uintN", n })) as [number, number];
  const bits = (n: number) => types.type({ kind: "bitsN", n });
  const pair = types.struct("Pair", { x: uint8, y: uint8 });
  types.declarations.push({
    kind: "enum",
    name: "Color",
    encoded_as_ty_idx: uint5,
    members: [{ name: "Red", value: "3" }],
  });
  const variants = [
    pair,
    types.type({ kind: "cellOf", inner_ty_idx: pair }),
    types.type({ kind: "nullLiteral" }),
  ];
  const choice = types.type({
    kind: "union",
    variants: variants.map((type, i) => ({
      variant_ty_idx: type,
      prefix_num: i,
      prefix_len: 2,
      is_prefix_implicit: true,
    })),
  });
  const storage = types.struct("Storage", {
    color: types.type({ kind: "EnumRef", enum_name: "Color" }),
    whole: bits(16),
    part: bits(5),
    none: bits(0),
    external: types.type({ kind: "addressExt" }),
    map: types.type({ kind: "mapKV", key_ty_idx: uint8, value_ty_idx: pair }),
    first: choice,
    second: choice,
    third: choice,
  });
  const coder = new AbiCoder(readTolkAbi(types.abi({ storage: { storage_ty_idx: storage } })));
  const json = {
    color: "Red",
    whole: "0102",
    part: "AC_",
    none: "",
    external: "AC_",
    map: { "2": { x: "1", y: "2" } },
    first: { "@type": "Pair", x: "1", y: "2" },
    second: { "@type": "Cell", value: { x: "3", y: "4" } },
    third: null,
  };
  const cell = coder.writeStorage(json);
  expect(coder.readStorage(cell)).toEqual(json);
  expect(coder.readStorage(cell, "ton-center")).toEqual({
    color: "3",
    whole: { bits: 16, hex: "0102" },
    part: { bits: 5, hex: "a8" },
    none: { bits: 0, hex: "" },
    external: { bits: 5, hex: "a8" },
    map: [{ key: "2", value: { x: "1", y: "2" } }],
    first: { $: "Pair", value: { x: "1", y: "2" } },
    second: { $: "Cell<Pair>", value: { x: "3", y: "4" } },
    third: null,
  });
});
