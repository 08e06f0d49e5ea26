import type { DebugRegisters } from "../../../schema/v3/debug-values.js";
import type { Cell } from "../../cells/cell.js";
import type { C7 } from "../../debug/c7-walk.js";
import type { Registers } from "../../debug/registers.js";
import { decodeOutList } from "../../tlb/out-action.js";
import { ifReadable } from "../../tlb/readable.js";
import type { LoggedValue } from "../../tvm/logged-values.js";
import { actionKinds, amountsOf } from "./debug-run.js";
import type { ShownValues } from "./debug-values.js";

/** How registers are shown. */
export type RegisterWords = {
  /** The contract's data by an ABI; undefined if none fits. */
  readonly storageOf?: ((data: Cell) => unknown) | undefined;
  /** Names of global variables, from number 1. */
  readonly globals: readonly string[];
};

/** Registers, or those of them that changed. */
export function presentRegisters(
  registers: Partial<Registers>,
  values: ShownValues,
  { storageOf, globals }: RegisterWords,
): DebugRegisters {
  return {
    ...("c4" in registers && { c4: registers.c4 ? presentData(registers.c4, values, storageOf) : null }),
    ...("c5" in registers && { c5: registers.c5 ? presentActions(registers.c5, values) : null }),
    ...("c7" in registers && presentC7(registers.c7, values, globals)),
  };
}

function presentData(cell: Cell, values: ShownValues, storageOf: RegisterWords["storageOf"]) {
  const storage = storageOf?.(cell);
  return { cell: values.cell(cell), ...(storage !== undefined && { storage }) };
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
