import { z } from "zod";
import type { Definition } from "../../shared/methods/define.js";
import { type Fault, faultOf } from "../../shared/schema/input.js";
import { type Api, ServiceError } from "../errors.js";

/** Query parameters in the order they came. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Parameters as the request holds them. Where both name one, the object wins. */
export type Given = {
  readonly query?: QueryPairs;
  readonly object?: Readonly<Record<string, unknown>>;
};

type Field = { readonly key: string; readonly list: boolean };
type Values = Record<string, unknown>;
type Problem = { readonly key: string; readonly fault: Fault };

/** Reads the parameters of one method from any wire form, and words what is wrong with them. */
export class ParamReader {
  readonly #schema: z.ZodObject;
  readonly #api: Api;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #winsInQuery: Definition["winsInQuery"];

  constructor(schema: z.ZodObject, api: Api, winsInQuery?: Definition["winsInQuery"]) {
    this.#schema = schema;
    this.#api = api;
    this.#winsInQuery = winsInQuery;
    this.#fields = new Map(
      Object.entries(schema.shape).map(([key, field]) => [
        api === "v3" ? key.toLowerCase() : key,
        { key, list: takesList(field as z.ZodType) },
      ]),
    );
  }

  /** Throws `invalid-params`. */
  read(given: Given): Readonly<Values> {
    const values: Values = {};
    if (given.query) this.#takeQuery(values, given.query);
    if (this.#winsInQuery && given.object === undefined) {
      const [winner, loser] = this.#winsInQuery;
      if (values[winner] !== undefined) delete values[loser];
    }
    for (const name in given.object) {
      const value = given.object[name];
      // JSON `null` means not given.
      const field = value === null ? undefined : this.#field(name);
      if (field) values[field.key] = value;
    }
    const parsed = this.#schema.safeParse(values);
    if (parsed.success) return parsed.data;
    throw this.#refusal(parsed.error.issues, given);
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

  /** v3 takes names in any letter case. */
  #field(name: string): Field | undefined {
    return this.#fields.get(this.#api === "v3" ? name.toLowerCase() : name);
  }

  #refusal(issues: readonly z.core.$ZodIssue[], given: Given): ServiceError {
    const problems = issues.map((issue) => ({ key: String(issue.path[0] ?? ""), fault: faultOf(issue) }));
    if (this.#api === "v2") return refuseV2(problems, given.object === undefined ? "get" : "post");
    const names = [
      ...(given.query ?? []).map(([name]) => withoutBrackets(name)),
      ...Object.keys(given.object ?? {}),
    ];
    return refuseV3(problems, new Map(names.map((name) => [this.#field(name)?.key ?? "", name])));
  }
}

/** Unparsable parameters come before range checks, within each the order of the definition holds. */
function refuseV2(problems: readonly Problem[], form: "get" | "post"): ServiceError {
  const { key, fault } = problems.find((problem) => problem.fault.stage !== "range") ?? problems[0]!;
  const shown = fault.stage === "missing" && form === "get" ? (fault.whenEmpty ?? fault) : fault;
  const prefix = { bare: "", range: "failed to validate request: ", parse: undefined, missing: undefined };
  const text = (prefix[shown.stage] ?? `failed to parse ${form} request: `) + shown.message(key);
  return invalidParams(key, text, shown.status);
}

/** The first value that could not be converted, in the order sent, and how many more there are; then the rest. */
function refuseV3(problems: readonly Problem[], spelling: ReadonlyMap<string, string>): ServiceError {
  const sent = [...spelling.keys()];
  const unconverted = problems
    .filter(({ fault }) => fault.stage === "parse")
    .sort((a, b) => sent.indexOf(a.key) - sent.indexOf(b.key));
  const { key, fault } = unconverted[0] ?? problems[0]!;
  if (fault.stage !== "parse") return invalidParams(key, fault.message(key), fault.status);
  const place = fault.index === undefined ? "" : `index ${fault.index} of `;
  const more = unconverted.length - 1;
  const suffix = more === 0 ? "" : ` (and ${more} other error${more === 1 ? "" : "s"})`;
  const name = spelling.get(key) ?? key;
  return invalidParams(
    key,
    `failed to decode: schema: error converting value for ${place}"${name}"${suffix}`,
    undefined,
  );
}

function invalidParams(key: string, text: string, status: number | undefined): ServiceError {
  return new ServiceError("invalid-params", text, {
    ...(status !== undefined && { status }),
    ...(key !== "" && { data: { param: key } }),
  });
}

/** The documents' description of a field says whether several values make sense. */
function takesList(field: z.ZodType): boolean {
  const schema = z.toJSONSchema(field, { io: "input", unrepresentable: "any" });
  return [schema, ...(schema.anyOf ?? [])].some((form) => form.type === "array");
}

const withoutBrackets = (name: string) => (name.endsWith("[]") ? name.slice(0, -2) : name);

function bracketsMatch(name: string): boolean {
  return name.split("[").length === name.split("]").length;
}
