import type { DebugRegisters } from "../../../shared/schema/v3/debug-values.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
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
    ...("c7" in registers && { c7: registers.c7 ? presentGlobals(registers.c7, values, globals) : null }),
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

function presentGlobals(
  variables: ReadonlyMap<number, LoggedValue>,
  values: ShownValues,
  names: readonly string[],
) {
  return [...variables]
    .sort(([a], [b]) => a - b)
    .map(([index, value]) => {
      const name = names[index - 1];
      return { index, ...(name !== undefined && { name }), value: values.present(value) };
    });
}
