import fc from "fast-check";
import type { JsonSchema, OpenRpcDocument, OpenRpcMethod } from "../../../shared/rpc/open-rpc.js";
import { documentedValues } from "../../helpers/http/documented-values.js";
import { pseudoRandom } from "../../helpers/pseudo-random.js";
import { hostileCells } from "./hostile-cells.js";
import { damagedText, hostileValues } from "./hostile-values.js";

export type HostileCall = { readonly method: string; readonly params: unknown };

type Params = Readonly<Record<string, unknown>>;
type Parameter = {
  readonly name: string;
  /** Whether it has these values only. */
  readonly isBounded: boolean;
  /** Values that the documents allow. */
  readonly allowed: () => readonly unknown[];
};
type Method = {
  readonly name: string;
  /** The parameters of its examples. */
  readonly examples: readonly Params[];
  readonly parameters: readonly Parameter[];
};

/** Values of each parameter that are made of its schema. */
const perSchema = 6;
const perCells = 40;

const refused = [-1, 2 ** 31, "", "x", null, {}];
/** Parameters whose other values would keep a devnet busy, or calls waiting, for seconds. */
const bounded: Readonly<Record<string, readonly unknown[]>> = {
  "devnet.mine blocks": [...refused, 1, 2, 3],
  "devnet.settle timeout_ms": [...refused, 0, 1],
  "devnet.setConditions latency_ms": [...refused, 0, 1],
  "devnet.setConditions fail_rate": [...refused, 0, 0.01],
  "devnet.setMining interval_ms": [...refused, 1000, 60_000],
};

/** Methods after which most others find nothing: called once in so many rounds. */
export const sparing: ReadonlyMap<string, number> = new Map([
  ["devnet.reset", 30],
  ["devnet.rollback", 10],
  ["devnet.importState", 20],
]);

/** Calls of every method of a service by a seed: its examples with some parameters replaced by hostile values. */
export class HostileCalls {
  readonly #methods: readonly Method[];
  readonly #random: () => number;
  /** Values by the name of a parameter, or of a member of an answer. */
  readonly #known = new Map<string, unknown[]>();
  #round = 0;

  constructor({ methods, components }: OpenRpcDocument, seed: number) {
    const numbers = pseudoRandom(seed);
    this.#random = () => numbers.next().value;
    const made = new Map<string, readonly unknown[]>();
    const valuesOf = (name: string, schema: JsonSchema) => {
      const key = `${name} ${JSON.stringify(schema)}`;
      const values = made.get(key) ?? [
        ...fc.sample(documentedValues(schema, components.schemas), { seed, numRuns: perSchema }),
        ...(hostileCells[name] ? fc.sample(hostileCells[name], { seed, numRuns: perCells }) : []),
      ];
      made.set(key, values);
      return values;
    };
    this.#methods = methods.map((method) => methodOf(method, valuesOf));
    for (const { examples } of this.#methods) for (const params of examples) this.learn(params);
  }

  /** Notes the members of an answer, so that later calls have values that the chain and the index have. */
  learn(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === "object") this.learn(member);
      else this.#note(name, member);
    }
  }

  /** Each method once, in a new order each time. */
  *round(): Generator<HostileCall> {
    this.#round++;
    const shuffled = this.#methods
      .filter(({ name }) => this.#round % (sparing.get(name) ?? 1) === 0)
      .map((method) => [this.#random(), method] as const)
      .sort(([a], [b]) => a - b);
    for (const [, method] of shuffled) yield this.#callOf(method);
  }

  #note(name: string, value: unknown): void {
    const values = this.#known.get(name) ?? [];
    this.#known.set(name, values);
    if (values.includes(value)) return;
    if (values.length < 50) values.push(value);
    else values[Math.floor(this.#random() * values.length)] = value;
  }

  #callOf({ name, examples, parameters }: Method): HostileCall {
    if (this.#isRare(100)) return { method: name, params: this.#oneOf(hostileValues) };
    const params: Record<string, unknown> = structuredClone(this.#oneOf(examples));
    for (const parameter of parameters)
      if (parameter.name in params ? this.#isRare(8) : this.#isRare(5))
        params[parameter.name] = this.#fitting(parameter);
    for (let left = parameters.length === 0 ? 0 : Math.floor(this.#random() * 3); left > 0; left--) {
      const parameter = this.#oneOf(parameters);
      const value = this.#replaced(params[parameter.name], parameter);
      if (value === undefined) delete params[parameter.name];
      else params[parameter.name] = value;
    }
    return { method: name, params };
  }

  /** A value that the parameter may take. */
  #fitting({ name, isBounded, allowed }: Parameter): unknown {
    const known = this.#known.get(name) ?? [];
    return !isBounded && known.length > 0 && !this.#isRare(3) ? this.#oneOf(known) : this.#oneOf(allowed());
  }

  /** Another value in its place, or in the place of something in it. */
  #replaced(value: unknown, parameter: Parameter): unknown {
    if (parameter.isBounded || this.#isRare(4)) return this.#fitting(parameter);
    const members = typeof value === "object" && value !== null ? Object.keys(value) : [];
    if (members.length > 0 && !this.#isRare(3)) {
      const name = this.#oneOf(members);
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[name] = this.#replaced(copy[name], { name, isBounded: false, allowed: () => hostileValues });
      return copy;
    }
    if (typeof value === "string" && this.#isRare(3)) return damagedText(value, this.#random);
    if (this.#isRare(8)) return this.#oneOf(this.#oneOf([...this.#known.values()]));
    return this.#isRare(12) ? undefined : this.#oneOf(hostileValues);
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)]!;
  }

  /** True once in so many times. */
  #isRare(times: number): boolean {
    return this.#random() * times < 1;
  }
}

function methodOf(
  { name, params, examples }: OpenRpcMethod,
  valuesOf: (name: string, schema: JsonSchema) => readonly unknown[],
): Method {
  return {
    name,
    examples: examples.map((example) =>
      Object.fromEntries(example.params.map(({ name: param, value }) => [param, value])),
    ),
    parameters: params.map(({ name: param, schema }) => {
      const values = bounded[`${name} ${param}`];
      return {
        name: param,
        isBounded: values !== undefined,
        allowed: () => values ?? valuesOf(param, schema),
      };
    }),
  };
}
