import { type LoggedValue, readLoggedValue, splitValues } from "../tvm/logged-values.js";
import type { MachineLog } from "../tvm/machine-log.js";
import type { StackValue } from "../tvm/stack.js";
import type { Mark } from "./maps/marks.js";
import type { SourceMap } from "./maps/source-map.js";
import type { RunCode } from "./run-code.js";
import { type FrameListener, FrameWalk } from "./run-frames.js";

/** A variable, and the values of the stack that it is made of. */
export type Local = {
  readonly name: string;
  /** Its type in words; undefined if the map has none. */
  readonly type: string | undefined;
  /** Bottom to top; undefined for those that the compiler left out. */
  readonly values: readonly (LoggedValue | undefined)[];
  /** The value by its type, as JSON; undefined if it cannot be read. */
  readonly typed: unknown;
  /** The last step at which the values were known to be on the stack. */
  readonly seen: number | undefined;
};

type LocalFrame = { readonly function: string; readonly locals: readonly Local[] };

/** Variables of a frame that are read. */
const maxLocals = 256;

type Variable = { name: string; type: number | undefined; slots: readonly number[] };
type Seen = { readonly step: number; readonly fromTop: number };

type Open = {
  readonly function: string;
  map: SourceMap | undefined;
  variables: Variable[];
  /** How many variables there were where each scope began. */
  readonly scopes: number[];
  /** Where slots were last on the stack; functions that are inlined share those of their caller. */
  seen: Map<number, Seen>;
  names: { readonly names: readonly string[]; readonly step: number } | undefined;
};

/** The functions that are open before a step, the innermost one first, with their variables. */
export function localsBefore(log: MachineLog, code: RunCode, n: number): LocalFrame[] {
  return new LocalsWalk(log, code).before(n);
}

/** Walks along the steps of a run, and knows the variables before each. */
export class LocalsWalk {
  readonly #log: MachineLog;
  readonly #open = new OpenVariables();
  readonly #walk: FrameWalk;
  #next: number;

  constructor(log: MachineLog, code: RunCode) {
    this.#log = log;
    this.#walk = new FrameWalk(log, code, this.#open);
    this.#next = log.first;
  }

  /** The functions that are open before a step, the innermost one first. Steps are asked for in their order. */
  before(n: number): LocalFrame[] {
    this.#walk.read(n + 1 - this.#next);
    this.#next = n + 1;
    return [...this.#open.frames]
      .reverse()
      .map((frame) => ({ function: frame.function, locals: readLocals(frame, this.#log) }));
  }
}

class OpenVariables implements FrameListener {
  readonly frames: Open[] = [];

  opened(name: string): void {
    const frame = {
      function: name,
      map: undefined,
      variables: [],
      scopes: [],
      seen: new Map(),
      names: undefined,
    };
    this.frames.push(frame);
  }

  closed(count: number): void {
    this.frames.length = count;
  }

  passed(mark: Mark, n: number, map: SourceMap): void {
    const frame = this.frames.at(-1);
    if (!frame) return;
    frame.map = map;
    switch (mark.kind) {
      case "enter": {
        const caller = this.frames.at(-2);
        if (mark.isBuiltin) break;
        if (mark.isInlined && caller) frame.seen = caller.seen;
        else layOut(frame, mark.slots, n);
        break;
      }
      case "stack":
        layOut(frame, mark.slots, n);
        break;
      case "names":
        frame.names = { names: mark.names, step: n };
        break;
      case "variable":
        declare(frame, mark);
        break;
      case "narrowed": {
        const known = frame.variables.findLast(({ name }) => name === mark.name);
        if (known) Object.assign(known, { type: mark.type, slots: mark.slots });
        break;
      }
      case "scope":
        frame.scopes.push(frame.variables.length);
        break;
      case "scopeEnd":
        frame.variables.length = Math.min(
          frame.variables.length,
          frame.scopes.pop() ?? frame.variables.length,
        );
        break;
    }
  }
}

function layOut(frame: Open, slots: readonly number[], step: number): void {
  for (const [at, slot] of slots.entries()) frame.seen.set(slot, { step, fromTop: slots.length - 1 - at });
}

function declare(frame: Open, { name, type, slots }: Variable): void {
  const inScope = frame.variables.slice(frame.scopes.at(-1) ?? 0).find((each) => each.name === name);
  if (inScope) Object.assign(inScope, { type, slots });
  else if (frame.variables.length < maxLocals) frame.variables.push({ name, type, slots });
}

function readLocals({ map, variables, seen, names }: Open, log: MachineLog): Local[] {
  const stacks = new Map<number, readonly string[]>();
  const loggedAt = ({ step, fromTop }: Seen): LoggedValue | undefined => {
    const stack = stacks.get(step) ?? splitValues(log.stackBefore(step) ?? "");
    stacks.set(step, stack);
    const text = stack.at(-1 - fromTop);
    return text === undefined ? undefined : readLoggedValue(text);
  };
  const named = (names?.names ?? []).map((name, at, all): Local => {
    const step = names?.step ?? 0;
    const values = [loggedAt({ step, fromTop: all.length - 1 - at })];
    return { name, type: undefined, values, typed: undefined, seen: step };
  });
  const typed = variables.map(({ name, type, slots }): Local => {
    const places = slots.map((slot) => seen.get(slot));
    const values = places.map((place) => place && loggedAt(place));
    const steps = places.flatMap((place) => place?.step ?? []);
    return {
      name,
      type: type === undefined ? undefined : typeName(map, type),
      values,
      typed: type === undefined ? undefined : readTyped(map, type, values),
      seen: steps.length > 0 ? Math.max(...steps) : undefined,
    };
  });
  return [...typed, ...named];
}

function typeName(map: SourceMap | undefined, type: number): string | undefined {
  const { types } = map ?? {};
  return types && type < types.abi.types.length ? types.nameOf(type) : undefined;
}

function readTyped(
  map: SourceMap | undefined,
  type: number,
  values: readonly (LoggedValue | undefined)[],
): unknown {
  const { types } = map ?? {};
  if (!types || type >= types.abi.types.length) return undefined;
  const stack = values.map((value) => value && stackValueOf(value));
  if (stack.some((value) => value === undefined)) return undefined;
  const method = { name: "", id: 0, parameters: [], returns: type, description: "" };
  return types.readResult(method, stack as StackValue[]);
}

/** A value of the log as values of get-methods are; undefined for continuations and what is not understood. */
function stackValueOf(value: LoggedValue): StackValue | undefined {
  switch (value.type) {
    case "int":
      return value.value === "NaN" ? { type: "nan" } : { type: "int", value: BigInt(value.value) };
    case "null":
      return { type: "null" };
    case "cell":
    case "slice":
    case "builder":
      return { type: value.type, cell: value.cell };
    case "tuple": {
      const items = value.items.map(stackValueOf);
      return items.includes(undefined) ? undefined : { type: "tuple", items: items as StackValue[] };
    }
    case "list": {
      const items = value.items.map(stackValueOf);
      if (items.includes(undefined)) return undefined;
      return (items as StackValue[]).reduceRight<StackValue>(
        (tail, item) => ({ type: "tuple", items: [item, tail] }),
        { type: "null" },
      );
    }
    default:
      return undefined;
  }
}
