import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { Address } from "../../../shared/values/address.js";
import { MadeTypes } from "./made-abi.js";

/** A counter that anybody may call from outside, and get-methods of types with a layout of their own on the stack. */
export const counterSource = `
  import "@stdlib/lisp-lists"
  fun acceptExternalMessage(): void
    asm "ACCEPT";
  struct Point { x: int; y: int }
  struct Storage { count: int32; owner: address; points: map<int32, coins> }
  struct (0x00000010) Add { by: uint32 }
  struct Held { items: array<int32>; list: lisp_list<uint8>; name: string }
  fun onInternalMessage(in: InMessage) { }
  fun onExternalMessage(body: slice) {
    if (body.isEmpty()) { throw 1234; }
    acceptExternalMessage();
    val add = Add.fromSlice(body);
    if (add.by > 1000) { throw 1234; }
    var storage = Storage.fromCell(contract.getData());
    storage.count += add.by;
    contract.setData(storage.toCell());
  }
  get fun state(): Storage { return Storage.fromCell(contract.getData()); }
  get fun mixed(flag: bool, point: Point, who: address?): (bool, Point, address?) { return (!flag, point, who); }
  get fun echo(point: Point?, any: Point | int | null): (Point?, Point | int | null) { return (point, any); }
  get fun points(): array<Point> { return [Point { x: 1, y: 2 }, Point { x: 3, y: 4 }]; }
  get fun takes(items: array<Point?>, list: lisp_list<Point>): int {
    return items.size() * 10 + (list.isEmpty() ? 0 : 1);
  }
  get fun held(): cell {
    var list = createEmptyList<uint8>();
    list.prependHead(3); list.prependHead(2); list.prependHead(1);
    var items: array<int32> = [];
    var i = 0;
    while (i < 70) { items.push(i); i += 1; }
    return Held { items: items, list: list, name: "hello" }.toCell();
  }
  get fun reads(held: cell): (int, string) {
    val read = Held.fromCell(held);
    return (read.items.size() * 10 + (read.list.isEmpty() ? 0 : 1), read.name);
  }
`;

export const counterOwner = new Address(0, new Uint8Array(32).fill(7)).toRawUpper();

/** Its ABI, as Tolk's compiler writes it from 1.4 on; with the ids of types that 1.3 uses on the stack. */
export function counterAbi({ tooLarge = "ERR_TOO_LARGE" } = {}): Record<string, unknown> {
  const types = new MadeTypes();
  const plain = (kind: string) => types.type({ kind });
  const [int, bool, address] = [plain("int"), plain("bool"), plain("address")];
  const int32 = types.type({ kind: "intN", n: 32 });
  const uint32 = types.type({ kind: "uintN", n: 32 });
  const uint8 = types.type({ kind: "uintN", n: 8 });
  const point = types.struct("Point", { x: int, y: int });
  const points = types.type({ kind: "mapKV", key_ty_idx: int32, value_ty_idx: plain("coins") });
  const storage = types.struct("Storage", { count: int32, owner: address, points });
  const add = types.struct("Add", { by: uint32 }, { num: 0x10, len: 32 });
  const held = types.struct("Held", {
    items: types.type({ kind: "arrayOf", inner_ty_idx: int32 }),
    list: types.type({ kind: "lispListOf", inner_ty_idx: uint8 }),
    name: plain("string"),
  });
  const maybePoint = types.type({
    kind: "nullable",
    inner_ty_idx: point,
    stack_width: 3,
    stack_type_id: 129,
  });
  const variant = (type: number, prefix: number, id: number, width: number) => ({
    variant_ty_idx: type,
    prefix_num: prefix,
    prefix_len: 2,
    is_prefix_implicit: true,
    stack_type_id: id,
    stack_width: width,
  });
  const any = types.type({
    kind: "union",
    stack_width: 3,
    variants: [variant(point, 0, 129, 2), variant(int, 1, 1, 1), variant(plain("nullLiteral"), 2, 0, 0)],
  });
  const tensor = (...items: number[]) => types.type({ kind: "tensor", items_ty_idx: items });
  const list = (kind: string, inner: number) => types.type({ kind, inner_ty_idx: inner });
  const method = (name: string, returns: number, parameters: Record<string, number> = {}) => ({
    tvm_method_id: methodId(name),
    name,
    parameters: Object.entries(parameters).map(([parameter, ty_idx]) => ({ name: parameter, ty_idx })),
    return_ty_idx: returns,
  });
  const maybeAddress = plain("addressOpt");
  return types.abi({
    contract_name: "Counter",
    incoming_external: [{ body_ty_idx: add }],
    storage: { storage_ty_idx: storage },
    thrown_errors: [
      { kind: "constant", name: tooLarge, err_code: 1234, description: "More than 1000 at once" },
      { kind: "plain_int", err_code: 9 },
    ],
    get_methods: [
      method("state", storage),
      method("mixed", tensor(bool, point, maybeAddress), { flag: bool, point, who: maybeAddress }),
      method("echo", tensor(maybePoint, any), { point: maybePoint, any }),
      method("points", list("arrayOf", point)),
      method("takes", int, { items: list("arrayOf", maybePoint), list: list("lispListOf", point) }),
      method("held", types.type({ kind: "cellOf", inner_ty_idx: held })),
      method("reads", tensor(int, plain("string")), {
        held: types.type({ kind: "cellOf", inner_ty_idx: held }),
      }),
    ],
  });
}
