import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { MadeTypes } from "./made-abi.js";
import { simple, struct } from "./tact-counter.js";

const opcode = 0x7e8764ef;

/** A counter as a user's first contract has it: one message, a storage, a get-method and an exit code. */
export const tallySource = `
  struct Storage { count: uint32; owner: address }
  struct (0x7e8764ef) Increase { by: uint32 }
  fun onInternalMessage(in: InMessage) {
    val by = Increase.fromSlice(in.body).by;
    if (by > 1000) { throw 1234; }
    var storage = Storage.fromCell(contract.getData());
    storage.count += by;
    contract.setData(storage.toCell());
  }
  get fun total(): int { return Storage.fromCell(contract.getData()).count; }
`;

type Names = { readonly message?: string; readonly tooLarge?: string };

/** Its ABI, as Tolk's compiler writes it from 1.4 on. */
export function tallyAbi({ message = "Increase", tooLarge = "ERR_TOO_LARGE" }: Names = {}) {
  const types = new MadeTypes();
  const uint32 = types.type({ kind: "uintN", n: 32 });
  const storage = types.struct("Storage", { count: uint32, owner: types.type({ kind: "address" }) });
  const increase = types.struct(message, { by: uint32 }, { num: opcode, len: 32 });
  return types.abi({
    contract_name: "Tally",
    incoming_messages: [{ body_ty_idx: increase }],
    storage: { storage_ty_idx: storage },
    thrown_errors: [
      { kind: "constant", name: tooLarge, err_code: 1234, description: "More than 1000 at once" },
    ],
    get_methods: [
      {
        tvm_method_id: methodId("total"),
        name: "total",
        parameters: [],
        return_ty_idx: types.type({ kind: "int" }),
      },
    ],
  });
}

/** The ABI of the same contract, as Tact's compiler writes it: it has no names of exit codes. */
export function tallyTactAbi({ message = "Increase" }: Names = {}) {
  return {
    name: "Tally",
    types: [
      struct(message, opcode, { by: simple("uint", 32) }),
      struct("Tally$Data", null, { count: simple("uint", 32), owner: simple("address") }),
    ],
    receivers: [{ receiver: "internal", message: { kind: "typed", type: message } }],
    getters: [{ name: "total", methodId: methodId("total"), arguments: [], returnType: simple("int") }],
    errors: { "1234": { message: "More than 1000 at once" } },
    interfaces: [],
  };
}
