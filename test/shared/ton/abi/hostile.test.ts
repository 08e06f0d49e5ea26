import { describe, expect, onTestFinished, test, vi } from "vitest";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { readTlb } from "../../../../shared/ton/abi/tlb.js";
import { readTolkAbi } from "../../../../shared/ton/abi/tolk.js";
import { Types } from "../../../../shared/ton/abi/types.js";
import { Work } from "../../../../shared/ton/abi/work.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Slice } from "../../../../shared/ton/cells/slice.js";
import { listOfZeros } from "../../../helpers/abi/hostile-abis.js";
import { MadeTypes, tolkAbi } from "../../../helpers/abi/made-abi.js";
import { sized } from "../../../helpers/effort.js";
import { pseudoRandom } from "../../../helpers/pseudo-random.js";

const cell = beginCell().storeBytes(new Uint8Array(100)).endCell();

/** Reads and writes everything of an ABI; nothing of it may fail in another way than by AbiError or `undefined`. */
function useAll(json: unknown): void {
  attempt(() => use(new AbiCoder(readTolkAbi(json))));
}

function use(coder: AbiCoder): void {
  coder.readBody(cell, ["incoming", "external", "outgoing", "events"]);
  coder.readStorage(cell);
  for (const method of coder.abi.getMethods) {
    coder.readResult(method, [{ type: "int", value: 1n }]);
    coder.nameOf(method.returns);
    attempt(() => coder.writeArguments(method, ["1"]));
  }
  attempt(() => coder.writeStorage({}));
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if ((error as Error).name !== "AbiError") throw error;
  }
}

const uses = (index: number) => ({
  storage: { storage_ty_idx: index },
  incoming_messages: [{ body_ty_idx: index }],
  get_methods: [
    { name: "get", tvm_method_id: 1, parameters: [{ name: "x", ty_idx: index }], return_ty_idx: index },
  ],
});

describe("messages of unions", () => {
  /** A union of 255 variants, whose names have 16,000 characters. */
  function union(types: MadeTypes): number {
    const parts = Array.from({ length: 62 }, (_, i) => types.struct(`${i}`.padEnd(256, "x"), {}));
    const tensor = types.type({ kind: "tensor", items_ty_idx: parts });
    const long = types.type({ kind: "nullable", inner_ty_idx: tensor });
    const variants = Array.from({ length: 255 }, (_, i) => ({
      ...{ variant_ty_idx: long, prefix_num: i, prefix_len: 32 },
    }));
    return types.type({ kind: "union", variants });
  }
  const named = (count: number, body_ty_idx: number) =>
    Array.from({ length: count }, () => ({ body_ty_idx }));

  test.each([
    ["one", (_: MadeTypes, of: number) => of],
    [
      "one behind an alias",
      (types: MadeTypes, of: number) => {
        types.declarations.push({ kind: "alias", name: "Alias", target_ty_idx: of });
        return types.type({ kind: "AliasRef", alias_name: "Alias" });
      },
    ],
  ])("are counted before they are made, of %s that is named again and again", (_, messageOf) => {
    const types = new MadeTypes();
    const of = messageOf(types, union(types));
    const most = types.abi({ incoming_messages: named(32, of), emitted_events: named(32, of) });
    expect(new AbiCoder(readTolkAbi(most)).opcodes()).toHaveLength(255);
    const more = types.abi({ incoming_messages: named(64, of), emitted_events: named(64, of) });
    expect(() => new AbiCoder(readTolkAbi(more))).toThrow("an ABI has at most 16384 messages");
  });

  test("have short labels that differ, and whole names in TON Center's form", () => {
    const types = new MadeTypes();
    const part = (end: string) => types.struct(end.padStart(256, "x"), {});
    const both = (end: string) =>
      types.type({
        kind: "nullable",
        inner_ty_idx: types.type({ kind: "tensor", items_ty_idx: [part("same"), part(end)] }),
      });
    const [one, other] = [both("one"), both("other")];
    const variant = (type: number, i: number) => ({
      ...{ variant_ty_idx: type, prefix_num: i, prefix_len: 1, is_prefix_implicit: true },
    });
    const choice = types.type({
      kind: "union",
      variants: [variant(one, 0), variant(other, 1), variant(one, 1)],
    });
    const json = types.abi({ storage: { storage_ty_idx: types.struct("S", { choice }) } });
    const coder = new AbiCoder(readTolkAbi(json));
    const labels = coder.variantsOf(choice)!.map(({ label }) => label);
    expect(new Set(labels).size).toBe(3);
    expect(labels.every((label) => label.length <= 256)).toBe(true);
    for (const [bit, name] of [coder.wholeNameOf(one), coder.wholeNameOf(other)].entries()) {
      const stored = beginCell().storeUint(bit, 1).storeUint(0, 1).endCell();
      const storage = coder.readStorage(stored);
      expect(storage).toEqual({ choice: { "@type": labels[bit], value: null } });
      expect(coder.writeStorage(storage).equals(stored)).toBe(true);
      expect(name.length).toBeGreaterThan(512);
      expect(coder.readStorage(stored, "ton-center")).toEqual({ choice: { $: name, value: null } });
    }
  });
});

describe("what a body costs", () => {
  const label = "L".repeat(256);
  /** A list of a union of 255 variants, told apart by a byte, each with a field of a long name. */
  function listAbi(items: number): { coder: AbiCoder; body: Cell } {
    const types = new MadeTypes();
    const variants = Array.from({ length: 255 }, (_, i) => ({
      ...{ prefix_num: i, prefix_len: 8, is_prefix_implicit: true },
      variant_ty_idx: types.struct(`${i}${label}`.slice(0, 256), {
        [`F${label}`.slice(0, 256)]: types.type({ kind: "void" }),
      }),
    }));
    const list = types.type({ kind: "lispListOf", inner_ty_idx: types.type({ kind: "union", variants }) });
    const message = types.struct("Message", { list }, { num: 7, len: 32 });
    const coder = new AbiCoder(readTolkAbi(types.abi({ incoming_messages: [{ body_ty_idx: message }] })));
    return { coder, body: listOfZeros(items, 8, beginCell().storeUint(7, 32)) };
  }

  test("long labels and names of fields count as what they add to an answer", () => {
    for (const items of [1, 10, 25]) {
      const { coder, body } = listAbi(items);
      expect(coder.readBody(body, ["incoming"])?.fields["list"]).toHaveLength(items);
    }
    const { coder, body } = listAbi(500);
    expect(coder.readBody(body, ["incoming"])).toBeUndefined();
  });

  test("a variant is found without a look at the others", () => {
    const { coder, body } = listAbi(20);
    const looks = vi.spyOn(Slice.prototype, "preloadBigUint");
    onTestFinished(() => looks.mockRestore());
    expect(coder.readBody(body, ["incoming"])).toBeDefined();
    expect(looks.mock.calls.length).toBeLessThan(3 * 20);
  });

  test("values end with their time, unless the types are a program's own", () => {
    const types = new MadeTypes();
    const list = types.type({ kind: "lispListOf", inner_ty_idx: types.type({ kind: "bool" }) });
    const message = types.struct("Message", { list }, { num: 7, len: 32 });
    const abi = readTolkAbi(types.abi({ incoming_messages: [{ body_ty_idx: message }] }));
    const bodyOf = (items: number) => listOfZeros(items, 1, beginCell().storeUint(7, 32));
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
    onTestFinished(() => clock.mockRestore());
    const isRead = (coder: AbiCoder, items: number) =>
      coder.readBody(bodyOf(items), ["incoming"]) !== undefined;
    expect([10, 500].map((items) => isRead(new AbiCoder(abi), items))).toEqual([true, false]);
    expect(isRead(new AbiCoder(abi, "program"), 500)).toBe(true);
    // A long pause is no work.
    let looks = 0;
    clock.mockImplementation(() => (now += ++looks === 10 ? 1000 : 0));
    expect(isRead(new AbiCoder(abi), 500)).toBe(true);
  });

  test("types that refer to one declaration share what is made for it", () => {
    const types = new MadeTypes();
    const enums = [1, 2].map((of) => types.type({ kind: "EnumRef", enum_name: "E", of }));
    types.declarations.push({
      ...{ kind: "enum", name: "E", encoded_as_ty_idx: types.type({ kind: "bool" }), members: [] },
    });
    const made = new Types(readTolkAbi(types.abi({})));
    expect(made.kind(enums[0]!)).toBe(made.kind(enums[1]!));
  });

  test("names in each other of a scheme in TL-B are cut", () => {
    const name = "n".repeat(200);
    const scheme = readTlb(`m#00000001 ${`${name}:^[ `.repeat(20)} a:# ${"]".repeat(20)} = M;`)!;
    const names = [...scheme.declarations.keys()];
    expect(names).toHaveLength(21);
    expect(names.every((each) => each.length <= 256)).toBe(true);
    expect(readTlb(`m#00000001 = M; ${"n".repeat(300)}#00000002 = M;`)!.declarations.size).toBe(1);
  });
});

describe("hostile type tables", () => {
  test.each([
    ["a structure of itself", { kind: "StructRef", struct_name: "Self" }],
    ["an alias of itself", { kind: "AliasRef", alias_name: "Loop" }],
    ["a nullable of itself", { kind: "nullable", inner_ty_idx: 0, stack_width: 2, stack_type_id: 1 }],
    ["a cell of itself", { kind: "cellOf", inner_ty_idx: 0 }],
    ["a list of itself", { kind: "lispListOf", inner_ty_idx: 0 }],
    ["an array of itself", { kind: "arrayOf", inner_ty_idx: 0 }],
    ["a tensor of itself", { kind: "tensor", items_ty_idx: [0, 0, 0] }],
    ["a map by itself", { kind: "mapKV", key_ty_idx: 0, value_ty_idx: 0 }],
    ["a union of itself", { kind: "union", variants: [{ variant_ty_idx: 0, prefix_num: 0, prefix_len: 0 }] }],
    ["an enum of itself", { kind: "EnumRef", enum_name: "Round" }],
  ])("%s", (_, type) => {
    const declarations = [
      { kind: "struct", name: "Self", ty_idx: 0, fields: [{ name: "self", ty_idx: 0 }] },
      { kind: "alias", name: "Loop", ty_idx: 0, target_ty_idx: 0 },
      { kind: "enum", name: "Round", ty_idx: 0, encoded_as_ty_idx: 0, members: [] },
    ];
    useAll(tolkAbi({ unique_types: [type], declarations, ...uses(0) }));
  });

  test("types that double at each level cost no more than their limits", () => {
    const types = new MadeTypes();
    let last = types.type({ kind: "void" });
    for (let level = 0; level < 100; level++) last = types.struct(`L${level}`, { a: last, b: last });
    useAll(types.abi(uses(last)));
  });

  test("attempts of several ABIs share the limits of one body", () => {
    const types = new MadeTypes();
    let last = types.type({ kind: "void" });
    for (let level = 0; level < 12; level++) last = types.struct(`L${level}`, { a: last, b: last });
    const long = types.struct(
      "Long",
      { last, by: types.type({ kind: "uintN", n: 256 }) },
      { num: 7, len: 32 },
    );
    const body = beginCell().storeUint(7, 32).endCell();
    const work = Work.onCell(body);
    const hostile = new AbiCoder(readTolkAbi(types.abi({ incoming_messages: [{ body_ty_idx: long }] })));
    for (let tries = 0; tries < 3; tries++) hostile.readBody(body, ["incoming"], work);
    expect(work.isExhausted).toBe(true);
    const empty = new MadeTypes();
    const fits = empty.abi({
      incoming_messages: [{ body_ty_idx: empty.struct("Fits", {}, { num: 7, len: 32 }) }],
    });
    const coder = new AbiCoder(readTolkAbi(fits));
    expect(coder.readBody(body, ["incoming"])).toEqual({ message: "Fits", fields: {} });
    expect(coder.readBody(body, ["incoming"], work)).toBeUndefined();
  });

  test("a chain of a thousand aliases and one of tensors", () => {
    for (const kind of ["AliasRef", "tensor", "nullable", "cellOf"]) {
      const types = Array.from({ length: 1000 }, (_, i) => ({
        kind,
        alias_name: `A${i}`,
        inner_ty_idx: Math.min(i + 1, 999),
        items_ty_idx: [Math.min(i + 1, 999)],
      }));
      const declarations = types.map((_, i) => ({
        kind: "alias",
        name: `A${i}`,
        ty_idx: i,
        target_ty_idx: Math.min(i + 1, 999),
      }));
      useAll(tolkAbi({ unique_types: types, declarations, ...uses(0) }));
    }
  });

  test.each([
    ["a million types", { unique_types: Array(1_000_000).fill({ kind: "int" }) }, "at most 16384 items"],
    ["a huge name", { contract_name: "x".repeat(1_000_000) }, "a name of at most 256 characters"],
    ["a type outside of the table", { storage: { storage_ty_idx: 0 } }, "expected an integer from 0 to -1"],
    [
      "a structure that is not declared",
      { unique_types: [{ kind: "StructRef", struct_name: "S" }] },
      "struct S is not declared",
    ],
    [
      "a width of the whole stack",
      { unique_types: [{ kind: "nullable", inner_ty_idx: 0, stack_width: 1e6 }] },
      "from 0 to 255",
    ],
    [
      "a prefix beyond its length",
      { unique_types: [{ kind: "union", variants: [{ variant_ty_idx: 0, prefix_num: 2, prefix_len: 1 }] }] },
      "does not fit its length",
    ],
    ["another version", { abi_schema_version: "2.0" }, "the schema of an ABI is 1.0, not 2.0"],
    ["a list that is none", { unique_types: "int" }, "abi.unique_types: expected a list"],
  ])("%s is refused", (_, members, reason) => {
    expect(() => readTolkAbi(tolkAbi(members))).toThrow(reason);
  });

  test("a field cannot replace the prototype of a record", () => {
    const fields = JSON.parse('[{"name":"__proto__","ty_idx":0}]');
    const abi = tolkAbi({
      unique_types: [{ kind: "StructRef", struct_name: "S" }],
      declarations: [{ kind: "struct", name: "S", ty_idx: 0, fields }],
    });
    expect(() => readTolkAbi(abi)).toThrow("the name is reserved");
  });

  test("random tables are refused or used within their limits", () => {
    const kinds =
      "int intN coins nullable cellOf arrayOf lispListOf mapKV tensor shapedTuple union StructRef AliasRef EnumRef genericT string".split(
        " ",
      );
    for (let seed = 0; seed < sized(500, 100_000); seed++) {
      const random = pseudoRandom(seed);
      const below = (bound: number) => Math.floor(random.next().value * bound);
      const size = 1 + below(12);
      const types = Array.from({ length: size }, () => ({
        kind: kinds[below(kinds.length)]!,
        n: 1 + below(256),
        inner_ty_idx: below(size),
        key_ty_idx: below(size),
        value_ty_idx: below(size),
        items_ty_idx: [below(size), below(size)],
        variants: [0, 1].map((bit) => ({
          variant_ty_idx: below(size),
          prefix_num: bit,
          prefix_len: 1,
          is_prefix_implicit: below(2) === 0,
          stack_type_id: bit,
        })),
        stack_width: below(4),
        ...(below(2) === 0 && { stack_type_id: 1 + below(3) }),
        struct_name: "S",
        alias_name: "A",
        enum_name: "E",
        name_t: "T",
      }));
      const declarations = [
        {
          kind: "struct",
          name: "S",
          ty_idx: 0,
          fields: [
            { name: "a", ty_idx: below(size) },
            { name: "b", ty_idx: below(size) },
          ],
        },
        { kind: "alias", name: "A", ty_idx: 0, target_ty_idx: below(size) },
        { kind: "enum", name: "E", ty_idx: 0, encoded_as_ty_idx: below(size), members: [] },
      ];
      useAll(tolkAbi({ unique_types: types, declarations, ...uses(0) }));
    }
  });
});
