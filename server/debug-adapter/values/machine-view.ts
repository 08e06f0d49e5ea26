import type { z } from "zod";
import type { DebugRunRecord } from "../../../shared/schema/v3/debug.js";
import type { debugState } from "../../../shared/schema/v3/debug-state.js";
import type { DebugLocal } from "../../../shared/schema/v3/debug-values.js";
import type { AbiCoder } from "../../../shared/ton/abi/coder.js";
import { decode } from "./decode.js";
import type { Names } from "./expression.js";
import { type Cells, group, jsonTree, leaf, list, type Part, type Tree, valueTree } from "./tree.js";

export type MachineState = z.output<typeof debugState>;

type ScopeHint = "locals" | "registers";
type Scope = Part & { readonly hint?: ScopeHint; readonly isDear?: boolean };

/** The machine before a step, as a user sees it from one of the open functions. */
export class MachineView {
  readonly #run: DebugRunRecord;
  readonly #state: MachineState;
  /** How many functions are inside of the one that is looked at. */
  readonly #level: number;
  readonly #abis: readonly AbiCoder[];

  /** `abis`: for `decode` of expressions, the best first. */
  constructor(
    { run, state, level }: { run: DebugRunRecord; state: MachineState; level: number },
    abis: readonly AbiCoder[],
  ) {
    this.#run = run;
    this.#state = state;
    this.#level = level;
    this.#abis = abis;
  }

  get scopes(): Scope[] {
    const locals = this.#locals;
    const { storage } = this.#state.registers.c4 ?? {};
    const globals = this.#globals;
    return [
      ...(locals.length > 0 ? [{ name: "Locals", value: group("", locals), hint: "locals" as const }] : []),
      ...(storage === undefined ? [] : [{ name: "Storage", value: jsonTree(storage) }]),
      ...(this.#run.message ? [{ name: "Message", value: jsonTree(this.#run.message) }] : []),
      { name: "Stack", value: this.#stack },
      ...(globals.length > 0 ? [{ name: "Globals", value: group("", globals) }] : []),
      { name: "Registers", value: group("", this.#registers), hint: "registers", isDear: true },
      { name: "Gas", value: group("", this.#gas) },
    ];
  }

  /** What names mean in expressions. */
  get names(): Names {
    return { lookup: this.#lookup, decode: (value, type) => decode(value, type, this.#abis) };
  }

  /** Names that an expression can begin with. */
  get completions(): string[] {
    return [...[...this.#locals, ...this.#globals].map(({ name }) => name), ...this.#named.keys()];
  }

  readonly #lookup: Names["lookup"] = (name) => {
    const { stack, cells } = this.#state;
    const place = /^s(\d{1,6})$/.exec(name)?.[1];
    const known = [...this.#locals, ...this.#globals].find((part) => part.name === name)?.value;
    if (known || place === undefined) return known ?? this.#named.get(name)?.();
    const value = stack[stack.length - 1 - Number(place)];
    return value && valueTree(value, cells);
  };

  /** Names that are known at each step; their values are made when they are asked for. */
  get #named(): ReadonlyMap<string, () => Tree> {
    const { registers, step } = this.#state;
    const register = (name: string) => () => this.#registers.find((each) => each.name === name)!.value;
    return new Map([
      ["storage", () => jsonTree(registers.c4?.storage)],
      ["message", () => jsonTree(this.#run.message)],
      ["stack", () => this.#stack],
      ["c4", register("c4")],
      ["c5", register("c5")],
      ["c7", register("c7")],
      ["gas", () => jsonTree(step.left)],
      ["step", () => jsonTree(step.n)],
    ]);
  }

  get #locals(): Part[] {
    const { frames, cells } = this.#state;
    return (frames[this.#level]?.locals ?? []).map((local) => ({
      name: local.name,
      value: localTree(local, cells, this.#state.step.n),
    }));
  }

  /** The top of the stack is s0. */
  get #stack(): Tree {
    const { stack, cells } = this.#state;
    const { length } = stack;
    const at = (index: number): Part => ({
      name: `s${index}`,
      value: valueTree(stack[length - 1 - index]!, cells),
    });
    return {
      text: `${length} values`,
      ...(length > 0 && { parts: { count: length, isList: false, at } }),
    };
  }

  get #globals(): Part[] {
    const { registers, cells } = this.#state;
    return (registers.c7 ?? []).map(({ index, name, value }) => ({
      name: name ?? `global ${index}`,
      value: valueTree(value, cells),
    }));
  }

  get #registers(): Part[] {
    const { registers, cells } = this.#state;
    const { c4, c5, parameters } = registers;
    const unknown = leaf("not known", null);
    return [
      { name: "c4", value: c4 ? valueTree(c4.cell, cells) : unknown },
      { name: "c5", value: c5 ? actionsTree(c5, cells) : unknown },
      {
        name: "c7",
        value: parameters
          ? group(
              `${parameters.length} parameters`,
              parameters.map(({ index, name, value }) => ({
                name: name ?? String(index),
                value: value ? valueTree(value, cells) : unknown,
              })),
            )
          : unknown,
      },
    ];
  }

  get #gas(): Part[] {
    const { step } = this.#state;
    const { used, limit, credit } = this.#run.gas ?? {};
    const known = { left_after_step: step.left, of_step: step.gas, used_by_run: used, limit, credit };
    return Object.entries(known).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value: jsonTree(value) }],
    );
  }
}

type Actions = NonNullable<MachineState["registers"]["c5"]>;

function actionsTree({ cell, actions }: Actions, cells: Cells): Tree {
  const whole = valueTree(cell, cells);
  const items = list("", actions.length, (index) => jsonTree(actions[index]));
  const parts = [
    { name: "actions", value: { ...items, text: `${actions.length} actions` } },
    { name: "cell", value: whole },
  ];
  return {
    ...group(`${actions.length} actions`, parts),
    ...(whole.scalar !== undefined && { scalar: whole.scalar }),
    ...(whole.cell && { cell: whole.cell }),
  };
}

function localTree({ type, values, typed, seen }: DebugLocal, cells: Cells, n: number): Tree {
  const value = typed === undefined ? slots(values, cells) : jsonTree(typed);
  const old = seen !== undefined && seen < n ? ` (last seen before step ${seen})` : "";
  return { ...value, text: `${value.text}${old}`, type: type ?? value.type };
}

function slots(values: DebugLocal["values"], cells: Cells): Tree {
  const treeOf = (value: DebugLocal["values"][number] | undefined) =>
    value ? valueTree(value, cells) : leaf("left out by the compiler", null);
  return values.length === 1
    ? treeOf(values[0])
    : list(`${values.length} values`, values.length, (at) => treeOf(values[at]));
}
