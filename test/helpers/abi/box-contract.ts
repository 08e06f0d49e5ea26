import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { MadeTypes } from "./made-abi.js";

/** A contract that stores what it gets from outside: values of the kinds that the counter does not have. */
export const boxSource = `
  fun acceptExternalMessage(): void
    asm "ACCEPT";
  enum Color: uint8 { Red = 1, Blue = 5 }
  type Owner = address
  struct Pair<A, B> { first: A; second: B }
  struct (0x00000020) Fill {
    small: varint16
    large: varuint32
    key: bits128
    color: Color
    owner: Owner
    pair: Pair<int8, bool>
    wherever: any_address
    choice: Cell<Pair<int8, bool>> | Color
    shape: [int32, bool]
    note: cell?
    rest: RemainingBitsAndRefs
  }
  fun onInternalMessage(in: InMessage) { }
  fun onExternalMessage(body: slice) {
    acceptExternalMessage();
    Fill.fromSlice(body);
    contract.setData(beginCell().storeSlice(body).endCell());
  }
  get fun box(): Cell<Fill> { return contract.getData() as Cell<Fill>; }
  get fun turned(shape: [int, bool], color: Color): [bool, Color] { return [!shape.1, color]; }
`;

/** Its ABI, as Tolk's compiler writes it from 1.4 on. */
export function boxAbi(): Record<string, unknown> {
  const types = new MadeTypes();
  const plain = (kind: string) => types.type({ kind });
  const [int, bool, address, cell] = [plain("int"), plain("bool"), plain("address"), plain("cell")];
  const int8 = types.type({ kind: "intN", n: 8 });
  const int32 = types.type({ kind: "intN", n: 32 });
  const color = types.type({ kind: "EnumRef", enum_name: "Color" });
  const owner = types.type({ kind: "AliasRef", alias_name: "Owner" });
  const parameters = ["A", "B"].map((name_t) => types.type({ kind: "genericT", name_t }));
  const pair = types.type({ kind: "StructRef", struct_name: "Pair", type_args_ty_idx: [int8, bool] });
  const packed = types.type({ kind: "cellOf", inner_ty_idx: pair });
  const variant = (type: number, prefix: number) => ({
    variant_ty_idx: type,
    prefix_num: prefix,
    prefix_len: 1,
    is_prefix_implicit: true,
  });
  const fill = types.struct(
    "Fill",
    {
      small: types.type({ kind: "varintN", n: 16 }),
      large: types.type({ kind: "varuintN", n: 32 }),
      key: types.type({ kind: "bitsN", n: 128 }),
      color,
      owner,
      pair,
      wherever: plain("addressAny"),
      choice: types.type({
        kind: "union",
        stack_width: 2,
        variants: [variant(packed, 0), variant(color, 1)],
      }),
      shape: types.type({ kind: "shapedTuple", items_ty_idx: [int32, bool] }),
      note: types.type({ kind: "nullable", inner_ty_idx: cell }),
      rest: plain("remaining"),
    },
    { num: 0x20, len: 32 },
  );
  const uint8 = types.type({ kind: "uintN", n: 8 });
  types.declarations.push(
    {
      kind: "enum",
      name: "Color",
      encoded_as_ty_idx: uint8,
      members: [
        { name: "Red", value: "1" },
        { name: "Blue", value: "5" },
      ],
    },
    { kind: "alias", name: "Owner", target_ty_idx: address },
    {
      kind: "struct",
      name: "Pair",
      fields: ["first", "second"].map((name, i) => ({ name, ty_idx: parameters[i] })),
    },
  );
  const shape = (...items: number[]) => types.type({ kind: "shapedTuple", items_ty_idx: items });
  const method = (name: string, returns: number, given: Record<string, number> = {}) => ({
    tvm_method_id: methodId(name),
    name,
    parameters: Object.entries(given).map(([parameter, ty_idx]) => ({ name: parameter, ty_idx })),
    return_ty_idx: returns,
  });
  return types.abi({
    contract_name: "Box",
    incoming_external: [{ body_ty_idx: fill }],
    storage: { storage_ty_idx: fill },
    struct_instantiations: [{ ty_idx: pair, monomorphic_fields_ty_idx: [int8, bool] }],
    get_methods: [
      method("box", types.type({ kind: "cellOf", inner_ty_idx: fill })),
      method("turned", shape(bool, color), { shape: shape(int, bool), color }),
    ],
  });
}
