import { z } from "zod";
import { shownValue } from "../values/beginning.js";
import { longest, matchingAnyLength, patternIn } from "./patterns.js";

/**
 * Why a parameter was refused. `parse`: malformed; `missing`: required but absent; `range`: well-formed but not
 * allowed; `bare`: like `parse`, but the error text has no prefix.
 */
export type FaultStage = "parse" | "missing" | "range" | "bare";

/** The refusal of a parameter whose name is not known yet: `message` makes the error text from the name. */
export class Fault {
  readonly stage: FaultStage;
  readonly message: (name: string) => string;
  /** For `missing` only: the refusal of an empty text in the same place. */
  readonly whenEmpty: Fault | undefined;
  /** Index of the refused item of a list. */
  readonly index: number | undefined;
  /** The refused item. */
  readonly item: Misfit | undefined;
  /** HTTP status if it is not 422. */
  readonly status: number | undefined;

  constructor(
    stage: FaultStage,
    message: (name: string) => string,
    more: { whenEmpty?: Fault; index?: number; item?: Misfit; status?: number } = {},
  ) {
    this.stage = stage;
    this.message = message;
    this.whenEmpty = more.whenEmpty;
    this.index = more.index;
    this.item = more.item;
    this.status = more.status;
  }
}

/** A value, and the schema that it does not fit; `undefined` if it is missing. */
export type Misfit = { readonly schema: InputSchema; readonly given: unknown };

/** Parses a parameter. Never called with `undefined`, and with JSON `null` only if the schema has the type `null`. */
export type Read<Out> = (given: unknown) => Out | Fault;

/** JSON Schema of the accepted input, for the documents, which share it by the name that `x-name` gives it. */
export type InputSchema = Readonly<Record<string, unknown>>;

/**
 * A parameter of a method: `readShort` parses its text forms and refuses with the API's exact error text; `schema`
 * describes it in documents, and its `maxLength` bounds the texts that are parsed; `missing` is the refusal if it is
 * absent. (A zod codec would derive its schema, but has its own error texts.)
 */
export function input<In, Out>(
  schema: InputSchema,
  readShort: Read<Out>,
  missing?: ((name: string) => string) | Fault,
) {
  const read = bounded(schema, readShort);
  const refuseMissing = () => {
    if (missing instanceof Fault) return missing;
    const empty = read("");
    const whenEmpty = empty instanceof Fault ? empty : unreadable;
    return missing
      ? new Fault("parse", missing)
      : new Fault("missing", (name) => `${name} is required`, { whenEmpty });
  };
  return z
    .custom<In>()
    .meta(schema)
    .transform((given, context): Out => {
      const value = given === undefined ? refuseMissing() : read(given);
      if (!(value instanceof Fault)) return value;
      context.issues.push(issueOf(value, given, value.item ?? { schema, given }));
      return z.NEVER;
    });
}

/** Reads no text that is longer than the schema allows. */
function bounded<Out>(schema: InputSchema, read: Read<Out>): Read<Out> {
  const most = maxLengthOf(schema);
  if (most === undefined) return read;
  return (given) => {
    if (typeof given !== "string" || given.length <= most) return read(given);
    // Most types refuse the beginning of such a text, with their own error text and status.
    const refusal = read(given.slice(0, most + 1));
    if (refusal instanceof Fault) return refusal;
    return new Fault("range", (name) => `${name} is too long: at most ${most} characters`);
  };
}

/** The longest text among the text forms of the parameter. */
function maxLengthOf({ maxLength, anyOf = [] }: InputSchema): number | undefined {
  const ofForms = (anyOf as InputSchema[]).map(maxLengthOf);
  return [maxLength as number | undefined, ...ofForms].find((each) => each !== undefined);
}

/** The refusal of malformed values, unless a type has its own text. */
export const unreadable = new Fault("parse", (name) => `failed to parse ${name}`);

/** Rules of a list parameter. */
export type ListRules = {
  /** Error text for an absent or empty list; without it, such a list is accepted. */
  missing?: string;
  /** Maximum number of items, and the error text for more. */
  atMost?: { count: number; text: string };
  /** Keep empty items, because the answer has one entry per item. */
  keepEmpty?: boolean;
  /** Name of the schema in the documents. */
  name?: string;
};

/**
 * A list sent as an array, as a repeated parameter, or as text with commas. Empty items are dropped. An invalid item
 * is reported with its index among the repetitions; commas do not count.
 */
export function list<Out, In = string>(item: InputSchema, read: Read<Out>, rules: ListRules = {}) {
  const { atMost, keepEmpty = false } = rules;
  const missing = refusing(rules.missing);
  const readItem = bounded(item, read);
  const schema = listSchema(item, rules);
  const tooMany = refusing(atMost?.text);
  const readAll: Read<Out[]> = (given) => {
    const repetitions: readonly unknown[] = Array.isArray(given) ? given : [given];
    // Before an item is read: a list that is too long costs nothing else.
    if (atMost && tooMany && hasMore(repetitions, atMost.count, keepEmpty)) return tooMany;
    const values: Out[] = [];
    for (const [index, repetition] of repetitions.entries()) {
      for (const part of partsOf(repetition)) {
        if (part === "" && !keepEmpty) continue;
        const value = readItem(part);
        if (value instanceof Fault) {
          const misfit = { schema: item, given: part };
          return new Fault(value.stage, value.message, { index, item: misfit });
        }
        values.push(value);
      }
    }
    return missing && values.length === 0 ? missing : values;
  };
  return input<string | readonly In[], Out[]>(schema, readAll, missing);
}

/** Whether a list has more than `most` items. */
function hasMore(repetitions: readonly unknown[], most: number, keepEmpty: boolean): boolean {
  let count = 0;
  for (const repetition of repetitions) {
    for (const part of partsOf(repetition)) {
      if (part === "" && !keepEmpty) continue;
      if (++count > most) return true;
    }
  }
  return false;
}

/** The items of a repetition: those between the commas of a text, one by one, or any other value. */
function* partsOf(repetition: unknown): Generator<unknown> {
  if (typeof repetition !== "string") return yield repetition;
  let start = 0;
  for (let end = repetition.indexOf(","); end >= 0; end = repetition.indexOf(",", start)) {
    yield repetition.slice(start, end);
    start = end + 1;
  }
  yield start === 0 ? repetition : repetition.slice(start);
}

function listSchema(
  { "x-name": _, ...item }: InputSchema,
  { missing, atMost, name }: ListRules,
): InputSchema {
  const one = [item, ...((item["anyOf"] ?? []) as InputSchema[])]
    .map(patternIn)
    .find((each) => each !== undefined);
  const more = atMost === undefined ? "*" : `{0,${atMost.count - 1}}`;
  const joined = `${one}(?:,${one})${more}`;
  // If a list must not be empty, its text has more than commas.
  const someText = missing === undefined ? { type: "string" } : { type: "string", pattern: "[^,]" };
  const text =
    one === undefined ? someText : matchingAnyLength(missing === undefined ? `(?:${joined})?` : joined);
  const items = one === undefined && !("anyOf" in item) ? { ...item, ...someText } : item;
  const counts = { ...(missing !== undefined && { minItems: 1 }), ...(atMost && { maxItems: atMost.count }) };
  return {
    ...(name !== undefined && { "x-name": name }),
    anyOf: [{ type: "array", items, ...counts }, text],
  };
}

function refusing(text: string | undefined): Fault | undefined {
  return text === undefined ? undefined : new Fault("range", () => text);
}

/** A check over several parameters, for `z.object(...).check(rule(...))`. `refuse` returns the error text, if any. */
export function rule<Params>(refuse: (params: Params) => string | Fault | undefined): z.core.CheckFn<Params> {
  return (context) => {
    const refusal = refuse(context.value);
    if (refusal === undefined) return;
    const fault = refusal instanceof Fault ? refusal : new Fault("range", () => refusal);
    context.issues.push(issueOf(fault, context.value));
  };
}

/**
 * The decimal text of a JSON number. Integers beyond 2^53 are bigint; a larger number has a fraction or an exponent and
 * may have lost digits: `undefined`, as for values of other types.
 */
export function textOfNumber(given: unknown): string | undefined {
  if (typeof given === "bigint") return String(given);
  const isExact = typeof given === "number" && Math.abs(given) <= Number.MAX_SAFE_INTEGER;
  return isExact ? String(given) : undefined;
}

/** A value as quoted in error texts, truncated. */
export function quote(given: unknown): string {
  return shownValue(given, longest.short);
}

function issueOf(fault: Fault, given: unknown, misfit?: Misfit): z.core.$ZodRawIssue<z.core.$ZodIssueCustom> {
  return { code: "custom", message: fault.message("the value"), input: given, params: { fault, misfit } };
}

/** The value behind a zod issue of one parameter. */
export function misfitOf(issue: z.core.$ZodIssue): Misfit | undefined {
  return issue.code === "custom" ? (issue.params?.["misfit"] as Misfit | undefined) : undefined;
}

/** The refusal behind a zod issue. Issues of zod's own checks count as `unreadable` or `missing`. */
export function faultOf(issue: z.core.$ZodIssue): Fault {
  if (issue.code === "custom" && issue.params?.["fault"] instanceof Fault) return issue.params["fault"];
  const missing = issue.code === "invalid_type" && issue.input === undefined && issue.path.length === 1;
  return missing
    ? new Fault("missing", (name) => `${name} is required`, { whenEmpty: unreadable })
    : unreadable;
}
