import type { DebugRegisters } from "../../../shared/schema/v3/debug-values.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { C7 } from "../../../shared/ton/debug/c7-walk.js";
import type { Registers } from "../../../shared/ton/debug/registers.js";
import { decodeOutList } from "../../../shared/ton/tlb/out-action.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import type { LoggedValue } from "../../../shared/ton/tvm/logged-values.js";
import type { ChosenAbi } from "../../artifacts/store.js";
import { abiStorageOf } from "./abi.js";
import { actionKinds, amountsOf } from "./debug-run.js";
import type { ShownValues } from "./debug-values.js";

/** How registers are shown: `globals` are the names of global variables, from number 1. */
type RegisterWords = { readonly abis: readonly ChosenAbi[]; readonly globals: readonly string[] };

/** Registers, or those of them that changed. */
export function presentRegisters(
  registers: Partial<Registers>,
  values: ShownValues,
  { abis, globals }: RegisterWords,
): DebugRegisters {
  return {
    ...("c4" in registers && { c4: registers.c4 ? presentData(registers.c4, values, abis) : null }),
    ...("c5" in registers && { c5: registers.c5 ? presentActions(registers.c5, values) : null }),
    ...("c7" in registers && presentC7(registers.c7, values, globals)),
  };
}

function presentData(cell: Cell, values: ShownValues, abis: readonly ChosenAbi[]) {
  const read = abiStorageOf(abis, cell);
  return { cell: values.cell(cell), ...(read && "storage" in read && { storage: read.storage }) };
}

function presentActions(cell: Cell, values: ShownValues) {
  const actions = ifReadable(() => decodeOutList(cell)) ?? [];
  return {
    cell: values.cell(cell),
    actions: actions.map((action) => ({
      kind: actionKinds[action.kind],
      mode: "mode" in action ? action.mode : null,
      ...amountsOf(action),
    })),
  };
}

/** The names of what a contract can ask the machine for, by their numbers. */
const parameterNames = [
  ...["tag", "actions", "msgs_sent", "unixtime", "block_lt", "trans_lt", "rand_seed", "balance_remaining"],
  ...["myself", "global_config", "mycode", "incoming_value", "storage_fees", "prev_blocks_info"],
  ...["unpacked_config", "due_payment", "precompiled_gas", "in_msg_params"],
];

function presentC7(
  c7: C7 | undefined,
  values: ShownValues,
  names: readonly string[],
): Pick<DebugRegisters, "c7" | "parameters"> {
  if (!c7) return { c7: null, parameters: null };
  const globals = numbered(c7.globals, names, 1);
  const parameters = c7.parameters && numbered(c7.parameters, parameterNames, 0);
  const presentOne = (value: LoggedValue | undefined) => (value ? values.presentSmall(value) : null);
  return {
    c7: globals.map(({ value, ...known }) => ({ ...known, value: values.present(value) })),
    ...(parameters?.length !== 0 && {
      parameters: parameters?.map(({ value, ...known }) => ({ ...known, value: presentOne(value) })) ?? null,
    }),
  };
}

/** Values in the order of their numbers. `first`: the number that the first name is of. */
function numbered<T>(values: ReadonlyMap<number, T>, names: readonly string[], first: number) {
  return [...values]
    .sort(([a], [b]) => a - b)
    .map(([index, value]) => {
      const name = names[index - first];
      return { index, ...(name !== undefined && { name }), value };
    });
}
