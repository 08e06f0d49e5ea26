import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { MadeTypes, tolkAbi } from "./made-abi.js";

/** An ABI as a file has it, and bodies that it makes dear. */
type HostileAbi = { readonly name: string; readonly text: string; readonly bodies: readonly Cell[] };

/** Members of one union, and of all types of an ABI. */
const most = { variants: 255, types: 16_384, declarations: 4096, members: 65_536 } as const;

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const repeated = <T>(count: number, item: T): T[] => times(count, () => item);
/** The longest name, with another beginning or another end. */
const longName = (i: number) => `N${i}`.padEnd(256, "x");
const nameWithEnd = (i: number) => `${i}`.padStart(256, "x");

/** Bodies of bits that are zeros, in a chain of cells with these references each. */
function zeros(bytes: number, refs = 1): Cell {
  let body = beginCell();
  for (let left = bytes; left > 0; left -= 127) {
    const next = beginCell().storeBytes(new Uint8Array(Math.min(127, left)));
    for (let ref = 0; ref < refs; ref++) next.storeRef(body.endCell());
    body = next;
  }
  return body.endCell();
}

/** A list of Tolk whose items take these bits of zeros. */
export function listOfZeros(items: number, bits: number, prefix?: Builder): Cell {
  let list = Cell.empty;
  for (let i = 0; i < items; i++) list = beginCell().storeUint(0, bits).storeRef(list).endCell();
  return (prefix ?? beginCell()).storeRef(list).endCell();
}

const bodies = [Cell.empty, zeros(5000), zeros(5000, 4), listOfZeros(1000, 8)];

const variant = (type: number, i: number, len = 32) => ({
  variant_ty_idx: type,
  prefix_num: i,
  prefix_len: len,
  ...(len < 9 && { is_prefix_implicit: true }),
});

const named = (indices: readonly number[]) => indices.map((body_ty_idx) => ({ body_ty_idx }));
const inAllLists = (indices: readonly number[]) => ({
  incoming_messages: named(indices),
  incoming_external: named(indices),
  outgoing_messages: named(indices),
  emitted_events: named(indices),
});
const used = (index: number) => ({
  incoming_messages: named([index]),
  storage: { storage_ty_idx: index },
  get_methods: [
    { name: "get", tvm_method_id: 1, parameters: [{ name: "x", ty_idx: index }], return_ty_idx: index },
  ],
});

/** A type whose name in Tolk has 16,000 characters. */
function longType(types: MadeTypes): number {
  const parts = times(62, (i) => types.struct(longName(i), {}));
  return types.type({
    kind: "nullable",
    inner_ty_idx: types.type({ kind: "tensor", items_ty_idx: parts }),
    stack_width: 1,
  });
}

const largeUnion = (types: MadeTypes, of: number, count: number = most.variants, len = 32) =>
  types.type({ kind: "union", variants: times(count, (i) => variant(of, i, len)) });

const tolk: Readonly<Record<string, (types: MadeTypes) => Record<string, unknown>>> = {
  "one union named 64 times": (types) =>
    types.abi(inAllLists(repeated(16, largeUnion(types, types.struct("S", {}))))),
  "one union named 1,024 times": (types) =>
    types.abi({ incoming_messages: named(repeated(1024, largeUnion(types, longType(types)))) }),
  "one union named 16,384 times": (types) =>
    types.abi(inAllLists(repeated(4096, largeUnion(types, longType(types))))),
  "one union behind long chains of aliases": (types) => {
    let last = largeUnion(types, longType(types));
    for (let i = 0; i < 120; i++) {
      types.declarations.push({ kind: "alias", name: `A${i}`, target_ty_idx: last });
      last = types.type({ kind: "AliasRef", alias_name: `A${i}` });
    }
    const heads = times(4096, (i) => types.type({ kind: "AliasRef", alias_name: "A119", of: i }));
    return types.abi(inAllLists(heads));
  },
  "structures behind long chains of aliases": (types) => {
    let last = types.struct("S", {}, { num: 1, len: 32 });
    for (let i = 0; i < 120; i++) {
      types.declarations.push({ kind: "alias", name: `A${i}`, target_ty_idx: last });
      last = types.type({ kind: "AliasRef", alias_name: `A${i}` });
    }
    return types.abi(
      inAllLists(times(4096, (i) => types.type({ kind: "AliasRef", alias_name: "A119", of: i }))),
    );
  },
  "unions of unions": (types) => {
    let last = types.struct(longName(0), {});
    for (let i = 0; i < 50; i++) last = largeUnion(types, last, most.variants, 8);
    return types.abi(used(last));
  },
  "a list of a union of long names": (types) => {
    const label = types.struct(longName(0), { [longName(1)]: types.type({ kind: "bool" }) });
    return types.abi(
      used(types.type({ kind: "lispListOf", inner_ty_idx: largeUnion(types, label, 255, 8) })),
    );
  },
  "variants whose names differ at their ends": (types) => {
    const parts = times(64, (i) => types.struct(nameWithEnd(i), {}));
    const tensors = times(most.variants, (i) =>
      types.type({
        kind: "nullable",
        inner_ty_idx: types.type({ kind: "tensor", items_ty_idx: [...parts.slice(0, 40), parts[i % 64]] }),
        of: i,
      }),
    );
    const union = types.type({ kind: "union", variants: tensors.map((each, i) => variant(each, i, 8)) });
    return types.abi(used(types.type({ kind: "lispListOf", inner_ty_idx: union })));
  },
  "variants with prefixes of all lengths": (types) => {
    const of = types.struct("S", { s: types.type({ kind: "bool" }) });
    const variants = times(most.variants, (i) => ({ ...variant(of, 1, 1 + (i % 64)), prefix_num: "1" }));
    const union = types.type({ kind: "union", variants: [...variants.slice(1), variant(of, 0, 8)] });
    return types.abi(used(types.type({ kind: "lispListOf", inner_ty_idx: union })));
  },
  "messages with one prefix": (types) =>
    types.abi(
      inAllLists(
        times(most.declarations - 1, (i) =>
          types.struct(`S${i}`, { a: types.type({ kind: "address" }) }, { num: 0, len: 32 }),
        ),
      ),
    ),
  "a structure of itself": (types) => {
    const self = types.type({ kind: "StructRef", struct_name: "Self" });
    return types.abi(used(types.struct("Self", { a: self, b: self })));
  },
  "structures that double at each level": (types) => {
    let last = types.type({ kind: "void" });
    for (let i = 0; i < 100; i++)
      last = types.struct(longName(i), { [longName(1)]: last, [longName(2)]: last });
    return types.abi(used(last));
  },
  "maps of maps by enums": (types) => {
    types.declarations.push({
      ...{ kind: "enum", name: "E", encoded_as_ty_idx: types.type({ kind: "uintN", n: 1 }) },
      members: times(4096, (i) => ({ name: `M${i}`, value: i })),
    });
    let last = types.type({ kind: "bool" });
    for (let i = 0; i < 2000; i++)
      last = types.type({
        ...{ kind: "mapKV", value_ty_idx: last, of: i },
        key_ty_idx: types.type({ kind: "EnumRef", enum_name: "E", of: i }),
      });
    return types.abi(used(last));
  },
  "many types of one enum": (types) => {
    types.declarations.push({
      ...{ kind: "enum", name: "E", encoded_as_ty_idx: types.type({ kind: "uintN", n: 1 }) },
      members: times(4096, (i) => ({ name: `M${i}`, value: i })),
    });
    const fields = times(4096, (i) => types.type({ kind: "EnumRef", enum_name: "E", of: i }));
    return types.abi(used(types.struct("S", Object.fromEntries(fields.map((each, i) => [`f${i}`, each])))));
  },
  "many types of one structure": (types) => {
    const bit = types.type({ kind: "bool" });
    const wide = types.struct("Wide", Object.fromEntries(times(4096, (i) => [`f${i}`, bit])));
    const refs = times(4000, (i) =>
      types.type({
        kind: "cellOf",
        inner_ty_idx: types.type({ kind: "StructRef", struct_name: "Wide", of: i }),
      }),
    );
    return types.abi({
      ...used(types.struct("S", Object.fromEntries(refs.map((each, i) => [`f${i}`, each])))),
      get_methods: refs.map((each, i) => ({
        ...{ name: `g${i}`, tvm_method_id: i, return_ty_idx: wide },
        parameters: [{ name: "x", ty_idx: each }],
      })),
    });
  },
  "as many types as there can be": (types) => {
    const all = times(most.types - 1, (i) => types.type({ kind: "intN", n: 1 + (i % 257), of: i }));
    return types.abi(used(types.type({ kind: "tensor", items_ty_idx: all.slice(0, 255) })));
  },
  "get-methods of long types": (types) => {
    const long = longType(types);
    return types.abi({
      get_methods: times(2000, (i) => ({
        ...{ name: `g${i}`, tvm_method_id: i, return_ty_idx: long },
        parameters: times(10, (p) => ({ name: `p${p}`, ty_idx: long })),
      })),
    });
  },
};

/** An ABI of Tact with as many fields as there can be, each as large as a cell. */
function tact(): Record<string, unknown> {
  const field = (i: number) => ({
    ...{ name: `f${i}` },
    type: { kind: "simple", type: "fixed-bytes", optional: false, format: 127 },
  });
  const types = times(3, (i) => ({ name: `T${i}`, header: i, fields: times(2900, field) }));
  const messages = times(2000, (i) => ({ name: `M${i}`, header: 100 + i, fields: [] }));
  return {
    ...{ name: "Hostile", types: [...types, ...messages], getters: [], errors: {} },
    receivers: messages.map(({ name }) => ({ receiver: "internal", message: { kind: "typed", type: name } })),
  };
}

const tlb: Readonly<Record<string, () => string>> = {
  "a scheme of long names in each other": () => {
    const name = "n".repeat(250);
    return `m#00000001 ${`${name}:^[ `.repeat(60)} a:# ${"]".repeat(60)} = M;\n`.repeat(50);
  },
  "a scheme of very long names": () =>
    `${"n".repeat(500_000)}#00000001 = M;\nm#00000002 a:^[ ${"b".repeat(100_000)}:# ] = M;`,
  "a scheme of a type with as many constructors as there can be": () =>
    times(4000, (i) => `c${i}#${i.toString(16).padStart(8, "0")} a:^T b:^T = T;`).join("\n"),
  "a scheme of as many words as there can be": () => `m#00000001 ${"a:^T ".repeat(900)} = T;\n`.repeat(70),
};

/** ABIs that are as dear to read and to use as the length allows that a call may have. */
export const hostileAbis: readonly HostileAbi[] = [
  ...Object.entries(tolk).map(([name, make]) => ({
    name,
    text: JSON.stringify(make(new MadeTypes())),
    bodies,
  })),
  { name: "no ABI", text: JSON.stringify(tolkAbi({ unique_types: "int" })), bodies },
  { name: "fields that are as large as a cell", text: JSON.stringify(tact()), bodies },
  ...Object.entries(tlb).map(([name, make]) => ({ name, text: make(), bodies })),
];
