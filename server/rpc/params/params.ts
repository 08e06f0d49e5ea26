import { z } from "zod";
import type { Definition } from "../../../shared/methods/define.js";
import { faultOf, misfitOf } from "../../../shared/schema/input.js";
import { type Api, ServiceError } from "../../errors.js";
import { refuseV2, refuseV3 } from "./refusals.js";
import { unknownParam } from "./unknown-param.js";

/** Query parameters in the order sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Parameters before parsing. For a name in both, the object takes precedence. */
export type RawParams = {
  readonly query?: QueryPairs;
  /** The query as it was sent. Only with it the parameters of a query are read once for equal queries. */
  readonly queryText?: string;
  readonly object?: Readonly<Record<string, unknown>>;
};

/** The inputs for the points of a call. */
type Demand = { limit: number; values: number };

/** The largest `limit` of any method. */
const maxLimit = 1000;
/** Values of lists that are counted. A call with more is as dear as one with these. */
const maxValues = 10_000;

/** Parameters as their method takes them. */
export type ReadParams = {
  readonly values: Readonly<Values>;
  /** The cache key of the call, once it was needed. */
  key?: string;
  /** Names that the method does not have, once they were needed. */
  unknown?: readonly string[];
};

/** Unknown names that are noted of a call, and characters of each. */
const maxUnknown = 5;
const maxNameLength = 64;

/** Parameters kept per method. */
const maxRecent = 256;
/** Characters of the text that stands for them. */
const maxBrief = 300;

/** Names of an object above which it is searched once. */
const manyNames = 100;

type Field = { readonly key: string; readonly list: boolean; readonly nullable: boolean };
type Values = Record<string, unknown>;
/** What the definition of a method says of its parameters beside their schema. */
type Rules = Pick<Definition, "winsInQuery" | "secrets">;

/** Parses the parameters of one method from query and object, with TON Center's error texts. */
export class ParamReader {
  readonly #schema: z.ZodObject;
  readonly #api: Api;
  #fields: ReadonlyMap<string, Field> | undefined;
  /** Read before. Callers repeat themselves, and reading costs more than the rest of a cached call. */
  readonly #recent = new Map<string, ReadParams>();
  readonly #rules: Rules;
  /** The parts of objects of many names that their calls can need. */
  readonly #parts = new WeakMap<object, Readonly<Values>>();

  constructor(schema: z.ZodObject, api: Api, rules: Rules = {}) {
    this.#schema = schema;
    this.#api = api;
    this.#rules = rules;
  }

  /** Throws `invalid-params`; with `knownOnly` also for names that the method does not have. */
  read(given: RawParams, knownOnly = false): ReadParams {
    const raw = this.#withFewNames(given);
    const brief = briefText(raw);
    const known = brief === undefined ? undefined : this.#recent.get(brief);
    if (knownOnly) this.#refuseUnknown(this.#unknownOf(raw, known));
    if (known) return known;
    const parsed = this.#schema.safeParse(this.#collect(raw));
    if (!parsed.success) throw this.#refusal(parsed.error.issues, raw);
    const params: ReadParams = { values: parsed.data };
    if (brief !== undefined) {
      if (this.#recent.size === maxRecent) this.#recent.clear();
      this.#recent.set(brief, params);
    }
    return params;
  }

  #refuseUnknown([first]: readonly string[]): void {
    if (first !== undefined) throw unknownParam(first, Object.keys(this.#schema.shape));
  }

  /** The parameters that the method knows, as they were sent. */
  sent(raw: RawParams): Readonly<Values> {
    try {
      return this.#collect(this.#withFewNames(raw));
    } catch (error) {
      // Names that cannot be read.
      if (error instanceof ServiceError) return {};
      throw error;
    }
  }

  /** Names that the method does not have, the first of them, cut. */
  unknown(given: RawParams): readonly string[] {
    const raw = this.#withFewNames(given);
    const brief = briefText(raw);
    return this.#unknownOf(raw, brief === undefined ? undefined : this.#recent.get(brief));
  }

  /** A query that was read before is not parsed again for its names. */
  #unknownOf(raw: RawParams, known: ReadParams | undefined): readonly string[] {
    if (!known) return this.#unknownIn(raw);
    known.unknown ??= this.#unknownIn(raw);
    return known.unknown;
  }

  #unknownIn(raw: RawParams): readonly string[] {
    const names: string[] = [];
    const note = (name: string, field: Field | undefined) => {
      if (!field && names.length < maxUnknown && isNoted(name)) names.push(name.slice(0, maxNameLength));
    };
    for (const [name] of raw.query ?? []) note(name, this.#field(withoutBrackets(name)));
    for (const name in raw.object) note(name, this.#field(name));
    return names;
  }

  #collect(raw: RawParams): Values {
    const values: Values = {};
    if (raw.query) this.#takeQuery(values, raw.query);
    const { winsInQuery } = this.#rules;
    if (winsInQuery && raw.object === undefined) {
      const [winner, loser] = winsInQuery;
      if (values[winner] !== undefined) delete values[loser];
    }
    for (const name in raw.object) {
      const value = raw.object[name];
      const field = this.#field(name);
      // JSON `null` counts as absent, unless the parameter is nullable.
      if (field && (value !== null || field.nullable)) values[field.key] = value;
    }
    return values;
  }

  /** The requested rows and list values, as sent. */
  demand(given: RawParams): Demand {
    const raw = this.#withFewNames(given);
    const demand = { limit: 0, values: 0 };
    for (const [name, text] of raw.query ?? []) this.#addDemand(demand, withoutBrackets(name), text);
    for (const name in raw.object) this.#addDemand(demand, name, raw.object[name]);
    return demand;
  }

  /** A parameter as sent in an object; undefined also if the method does not have it. */
  given(raw: RawParams, key: string): unknown {
    if (!raw.object || !(key in this.#schema.shape)) return undefined;
    const object = this.#partOf(raw.object);
    const name = Object.keys(object).findLast((each) => this.#field(each)?.key === key);
    return name === undefined ? undefined : object[name];
  }

  #withFewNames(raw: RawParams): RawParams {
    if (!raw.object) return raw;
    const object = this.#partOf(raw.object);
    return object === raw.object ? raw : { ...raw, object };
  }

  /**
   * An object, or of one with many names those of the method and the first unknown ones: listing 100,000 names takes longer
   * than the rest of a call, and they are needed several times.
   */
  #partOf(object: Readonly<Values>): Readonly<Values> {
    const known = this.#parts.get(object);
    if (known) return known;
    const names = Object.keys(object);
    if (names.length <= manyNames) return object;
    const kept = new Map<string, string>();
    let unknown = 0;
    for (const name of names) {
      const key = this.#field(name)?.key;
      if (key !== undefined) kept.set(key, name);
      else if (isNoted(name) && unknown++ < maxUnknown) kept.set(name, name);
    }
    const part = Object.fromEntries(Array.from(kept.values(), (name) => [name, object[name]]));
    this.#parts.set(object, part);
    return part;
  }

  #addDemand(demand: Demand, name: string, value: unknown): void {
    const field = this.#field(name);
    if (field?.list) demand.values = Math.min(maxValues, demand.values + countScalars(value));
    // Above the maximum the call is refused, as are objects, whose conversion could throw.
    else if (field?.key === "limit" && typeof value !== "object")
      demand.limit = Math.min(Math.max(Number(value), 0) || 0, maxLimit);
  }

  #takeQuery(values: Values, query: QueryPairs): void {
    for (const [name, text] of query) {
      if (this.#api === "v3" && !bracketsMatch(name)) {
        throw new ServiceError("invalid-params", "unmatched brackets");
      }
      const field = this.#field(withoutBrackets(name));
      if (!field) continue;
      if (!field.list) values[field.key] = text;
      else if (Array.isArray(values[field.key])) (values[field.key] as string[]).push(text);
      else values[field.key] = [text];
    }
  }

  /** v3 names are case-insensitive. */
  #field(name: string): Field | undefined {
    // Made at the first call: that of all methods together would delay the start.
    this.#fields ??= fieldsOf(this.#schema, this.#api);
    return this.#fields.get(this.#api === "v3" ? name.toLowerCase() : name);
  }

  #refusal(issues: readonly z.core.$ZodIssue[], raw: RawParams): ServiceError {
    const problems = issues.map((issue) => ({
      key: String(issue.path[0] ?? ""),
      fault: faultOf(issue),
      misfit: misfitOf(issue),
    }));
    const { secrets = [] } = this.#rules;
    if (this.#api !== "v3") return refuseV2(problems, raw.object === undefined ? "get" : "post", secrets);
    const names = [
      ...(raw.query ?? []).map(([name]) => withoutBrackets(name)),
      ...Object.keys(raw.object ?? {}),
    ];
    const spelling = new Map(names.map((name) => [this.#field(name)?.key ?? "", name]));
    return refuseV3(problems, spelling, secrets);
  }
}

/** A text that only equal parameters have. Absent unless they are a short query, or a few short scalars of an object. */
function briefText(raw: RawParams): string | undefined {
  const { queryText, object } = raw;
  // Texts of objects begin with a digit.
  if (queryText !== undefined && !object) return queryText.length < maxBrief ? `?${queryText}` : undefined;
  if (raw.query || !object) return undefined;
  let text = "";
  for (const name in object) {
    const value = object[name];
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
      return undefined;
    const shown = String(value);
    // With both lengths, no name or value can pass for the beginning of another.
    text += `${name.length} ${shown.length} ${typeof value} ${name}${shown}`;
    if (text.length > maxBrief) return undefined;
  }
  return text;
}

function fieldsOf({ shape }: z.ZodObject, api: Api): Map<string, Field> {
  return new Map(
    Object.entries(shape).map(([key, field]) => [
      api === "v3" ? key.toLowerCase() : key,
      { key, list: takes(field as z.ZodType, "array"), nullable: takes(field as z.ZodType, "null") },
    ]),
  );
}

/** Entries of a stack are objects; they are no values to search for. */
function countScalars(value: unknown): number {
  if (!Array.isArray(value)) return countItems(value);
  let scalars = 0;
  for (const each of value) {
    if (typeof each === "object") continue;
    scalars += countItems(each);
    if (scalars >= maxValues) return maxValues;
  }
  return scalars;
}

/** A text has the items of a list between its commas. */
function countItems(value: unknown): number {
  if (typeof value !== "string") return 1;
  let items = 1;
  for (let at = value.indexOf(","); at >= 0 && items < maxValues; at = value.indexOf(",", at + 1)) items++;
  return items;
}

/** Callers pass on objects of answers, such as the id of a transaction, with `@type` and `@extra` in them. */
const isNoted = (name: string) => !name.startsWith("@");

const withoutBrackets = (name: string) => (name.endsWith("[]") ? name.slice(0, -2) : name);

function bracketsMatch(name: string): boolean {
  return name.split("[").length === name.split("]").length;
}

/** Whether the JSON schema of a parameter, or one of its alternatives, has the type. */
export function takes(field: z.ZodType, type: "array" | "object" | "null"): boolean {
  const schema = z.toJSONSchema(field, { io: "input", unrepresentable: "any" });
  return [schema, ...(schema.anyOf ?? [])].some((form) => [form.type].flat().includes(type));
}
