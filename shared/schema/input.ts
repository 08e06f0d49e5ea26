import { z } from "zod";

/**
 * Why a parameter was refused. `parse`: the text is not of its form; `missing`: required and not given;
 * `range`: well-formed, but not allowed; `bare`: like `parse`, but answered without the interface's prefix.
 */
export type FaultStage = "parse" | "missing" | "range" | "bare";

/** A refusal that does not know its parameter's name yet: the text is made when the name is known. */
export class Fault {
  readonly stage: FaultStage;
  readonly tell: (name: string) => string;
  /** `missing` only: what an empty text in the same place would have been refused with. */
  readonly whenEmpty: Fault | undefined;
  /** Which item of a list. */
  readonly index: number | undefined;
  /** HTTP status where it is not 422. */
  readonly status: number | undefined;

  constructor(
    stage: FaultStage,
    tell: (name: string) => string,
    more: { whenEmpty?: Fault; index?: number; status?: number } = {},
  ) {
    this.stage = stage;
    this.tell = tell;
    this.whenEmpty = more.whenEmpty;
    this.index = more.index;
    this.status = more.status;
  }
}

/** Turns what the request holds into a value. Gets `undefined` never, JSON `null` neither. */
export type Read<Out> = (given: unknown) => Out | Fault;

/** What documents say about the accepted forms: a JSON Schema of the input. */
export type InputSchema = Readonly<Record<string, unknown>>;

/**
 * A parameter of a method: reads its text forms, refuses with exactly the text the interface has for it, and
 * appears in documents as `schema`. (A zod codec would describe itself, but words its own errors.) `missing` is how it
 * is refused when it is not given.
 */
export function input<In, Out>(
  schema: InputSchema,
  read: Read<Out>,
  missing?: ((name: string) => string) | Fault,
) {
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
      context.issues.push(issueOf(value, given));
      return z.NEVER;
    });
}

/** The refusal of most forms. */
export const unreadable = new Fault("parse", (name) => `failed to parse ${name}`);

/** What documents say of an integer as text. */
export const digits = (atLeast: 0 | 1) => (atLeast === 0 ? "^\\d+$" : "^0*[1-9]\\d*$");

export type ListRules = {
  /** How a list is refused that names nothing. */
  missing?: string;
  atMost?: { count: number; text: string };
  /** Items are answered one by one, so that an empty one counts too. */
  keepEmpty?: boolean;
};

/**
 * A list, however it was sent: an array, one text, and commas inside a text. Empty items are dropped; a bad one
 * is reported with its place among the repetitions, commas not counted.
 */
export function list<Out>(item: InputSchema, read: Read<Out>, rules: ListRules = {}) {
  const { atMost, keepEmpty = false } = rules;
  const missing = refusing(rules.missing);
  const items = { type: "array", items: item, ...(missing && { minItems: 1 }) };
  const schema = {
    anyOf: [
      { ...items, ...(atMost && { maxItems: atMost.count }) },
      { type: "string", ...(missing && { minLength: 1 }) },
    ],
  };
  const readAll: Read<Out[]> = (given) => {
    const values: Out[] = [];
    for (const [index, repetition] of (Array.isArray(given) ? given : [given]).entries()) {
      const parts = typeof repetition === "string" ? repetition.split(",") : [repetition];
      for (const part of parts) {
        if (part === "" && !keepEmpty) continue;
        const value = read(part);
        if (value instanceof Fault) return new Fault(value.stage, value.tell, { index });
        values.push(value);
      }
    }
    if (missing && values.length === 0) return missing;
    return (atMost && values.length > atMost.count && refusing(atMost.text)) || values;
  };
  return input<string | readonly string[], Out[]>(schema, readAll, missing);
}

function refusing(text: string | undefined): Fault | undefined {
  return text === undefined ? undefined : new Fault("range", () => text);
}

/** A rule over several parameters, for `z.object(...).check(rule(...))`: the text says what is wrong. */
export function rule<Params>(refuse: (params: Params) => string | Fault | undefined): z.core.CheckFn<Params> {
  return (context) => {
    const refusal = refuse(context.value);
    if (refusal === undefined) return;
    const fault = refusal instanceof Fault ? refusal : new Fault("range", () => refusal);
    context.issues.push(issueOf(fault, context.value));
  };
}

/** A value as error texts quote it: bounded, whatever the caller sent. */
export function quote(given: unknown): string {
  const text = typeof given === "string" ? given : (JSON.stringify(given) ?? "");
  return text.length > 128 ? `${text.slice(0, 128)}...` : text;
}

function issueOf(fault: Fault, given: unknown): z.core.$ZodRawIssue<z.core.$ZodIssueCustom> {
  return { code: "custom", message: fault.tell("the value"), input: given, params: { fault } };
}

/** The refusal behind a zod issue; issues of zod's own checks count as unreadable, or missing. */
export function faultOf(issue: z.core.$ZodIssue): Fault {
  if (issue.code === "custom" && issue.params?.["fault"] instanceof Fault) return issue.params["fault"];
  const missing = issue.code === "invalid_type" && issue.input === undefined && issue.path.length === 1;
  return missing
    ? new Fault("missing", (name) => `${name} is required`, { whenEmpty: unreadable })
    : unreadable;
}
