import { z } from "zod";
import { bocBase64, extraCurrencies, integerText, opcodeHex, rawAddressUpper } from "../forms/values.js";

/** An address in raw form, upper case. Text, because classification compares addresses and uses them as keys. */
export type AddressText = string;
/** A bag of cells in base64. */
export type BocText = string;
/** Amounts of extra currencies, decimal, by their ids. */
export type ExtraCurrencies = Readonly<Record<string, string>>;

/** Whether families give a member: in each action, in some, or never, because it is not stored. */
type Presence = "always" | "sometimes" | "never";

/** Columns of addresses. */
export const addressColumns = [
  "source",
  "source_secondary",
  "destination",
  "destination_secondary",
  "asset",
  "asset_secondary",
  "asset2",
  "asset2_secondary",
] as const;

type Column = (typeof addressColumns)[number] | "amount" | "value" | "value_extra_currencies" | "opcode";

/** A column, an object in `data`, or a member of one: `.name` in the object of its type, `object.name` in another one. */
export type Place = Column | `${string}_data` | `${string}.${string}`;

type Settings<Schema> = {
  /** What callers receive; undefined if they do not receive the member. */
  readonly schema: Schema;
  /** Integers of any size: stored as decimal text. */
  readonly isAmount?: boolean;
  /** Omitted instead of `null` if it is unknown, or if its condition does not hold. */
  readonly isOptional?: boolean;
  readonly isStored?: boolean;
  /** See `in`. */
  readonly places?: readonly Place[];
  readonly condition?: { readonly name: string; readonly values: readonly unknown[] };
  /** Converts the stored value. */
  readonly sent?: (stored: unknown) => unknown;
  /** Gives the value from the stored members of the action. */
  readonly calculate?: (stored: never, readers: Readers) => unknown;
  /** The members of an object, or of each object of a list. */
  readonly parts?: Members;
  readonly isList?: boolean;
};

/** Readers of cells, which are given to this room. */
export type Readers = {
  readonly commentOf: (payload: BocText | undefined) => { text?: string | undefined; isEncrypted?: boolean };
};

/**
 * A member of an action's details: its values in the classification (`Value`), and the schema of what callers receive.
 * Undefined values are unknown; callers receive `null` for them.
 */
export class Member<Value, Schema extends z.ZodType | undefined, Given extends Presence> {
  declare readonly value: Value;
  declare readonly given: Given;
  readonly settings: Settings<Schema>;

  constructor(settings: Settings<Schema>) {
    this.settings = settings;
  }

  /** Where it is stored; it is read from the first place. Default: in the object of its type, under its own name. */
  in(...places: readonly Place[]): Member<Value, Schema, Given> {
    return new Member({ ...this.settings, places });
  }

  /** Families may leave it out. */
  rare(): Member<Value, Schema, "sometimes"> {
    return new Member(this.settings);
  }

  /** Known only if another stored member has one of some values. */
  if(name: string, ...values: readonly unknown[]): Member<Value, Schema, Given> {
    return new Member({ ...this.settings, condition: { name, values } });
  }

  /** Always unknown. */
  unknown(): Member<never, Schema, "never"> {
    return new Member({ ...this.settings, isStored: false });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: members of all kinds.
export type AnyMember = Member<any, z.ZodType | undefined, Presence>;
export type Members = Readonly<Record<string, AnyMember>>;

/** The values that a family gives for members. */
export type Given<M extends Members> = {
  readonly [Name in keyof M as M[Name]["given"] extends "always" ? Name : never]:
    | M[Name]["value"]
    | undefined;
} & {
  readonly [Name in keyof M as M[Name]["given"] extends "sometimes" ? Name : never]?:
    | M[Name]["value"]
    | undefined;
};

/** The schemas of the members that callers receive. */
export type Shape<M extends Members> = {
  [Name in keyof M as M[Name]["settings"]["schema"] extends z.ZodType ? Name : never]: Extract<
    M[Name]["settings"]["schema"],
    z.ZodType
  >;
};

// Module state: schemas with the same members are one, which clients' types name once.
const schemas: z.ZodObject<Readonly<Record<string, z.ZodType>>>[] = [];

export function schemaOf<M extends Members>(members: M): z.ZodObject<Shape<M>> {
  const sent = Object.entries(members).flatMap(([name, { settings }]) =>
    settings.schema ? [[name, settings.schema] as const] : [],
  );
  const known = schemas.find(({ shape }) => {
    const others = Object.entries(shape);
    return (
      others.length === sent.length &&
      others.every(([name, schema], i) => sent[i]![0] === name && sent[i]![1] === schema)
    );
  });
  const schema = known ?? z.object(Object.fromEntries(sent));
  if (!known) schemas.push(schema);
  return schema as never;
}

function of<Value, Schema extends z.ZodType>(
  schema: Schema,
  settings: Omit<Settings<Schema>, "schema"> = {},
) {
  return new Member<Value, Schema, "always">({ schema, ...settings });
}

const decimal = { isAmount: true } as const;
const optional = { isOptional: true } as const;

export const account = (description: string) =>
  of<AddressText, z.ZodNullable<typeof rawAddressUpper>>(rawAddressUpper.nullable().describe(description));
export const amount = (description: string) =>
  of<bigint, z.ZodNullable<typeof integerText>>(integerText.nullable().describe(description), decimal);
/** An integer of any size that is sent as a number. */
export const wideInteger = (description: string) =>
  of<bigint, z.ZodNullable<z.ZodInt>>(z.int().nullable().describe(description), {
    ...decimal,
    sent: (text) => (text === undefined ? undefined : Number(text)),
  });
export const integer = (description: string) =>
  of<number, z.ZodNullable<z.ZodInt>>(z.int().nullable().describe(description));
/** Stored as an opcode, which is unsigned. */
export const exitCode = (description: string) =>
  of<number, z.ZodNullable<z.ZodInt>>(z.int().nullable().describe(description), {
    sent: (stored) => (stored === undefined ? undefined : (stored as number) | 0),
  });
export const flag = (description: string) =>
  of<boolean, z.ZodNullable<z.ZodBoolean>>(z.boolean().nullable().describe(description));
export const text = (description: string) =>
  of<string, z.ZodNullable<z.ZodString>>(z.string().nullable().describe(description));
export const boc = (description: string) =>
  of<BocText, z.ZodNullable<typeof bocBase64>>(bocBase64.nullable().describe(description));
export const currencies = (description: string) =>
  of<ExtraCurrencies, z.ZodNullable<typeof extraCurrencies>>(
    extraCurrencies.nullable().describe(description),
    { sent: (stored) => stored ?? {} },
  );

/** Sent only if it is known. */
export const knownAccount = (description: string) =>
  of<AddressText, z.ZodOptional<typeof rawAddressUpper>>(
    rawAddressUpper.optional().describe(description),
    optional,
  );
/** Sent only if it is known. */
export const knownAmount = (description: string) =>
  of<bigint, z.ZodOptional<typeof integerText>>(integerText.optional().describe(description), {
    ...decimal,
    ...optional,
  });
/** Sent only if it is known. */
export const knownText = (description: string) =>
  of<string, z.ZodOptional<z.ZodString>>(z.string().optional().describe(description), optional);
/** Unsigned. */
export const opcode = of<number, z.ZodOptional<typeof opcodeHex>>(opcodeHex.optional(), {
  ...optional,
  places: ["opcode"],
  sent: (stored) =>
    stored === undefined ? undefined : `0x${(stored as number).toString(16).padStart(8, "0")}`,
});

/** A member that is omitted, not `null`, if it is unknown, or if its condition does not hold. */
export function optionally<Value, Schema extends z.ZodType, Given extends Presence>({
  settings,
}: Member<Value, Schema, Given>): Member<Value, z.ZodOptional<Schema>, Given> {
  return new Member({ ...settings, schema: settings.schema.optional(), ...optional });
}

/** An object of members; never `null`. */
export function object<M extends Members>(description: string, parts: M) {
  return of<Given<M>, z.ZodObject<Shape<M>>>(schemaOf(parts).describe(description), { parts });
}

/** A list of objects; empty if it is unknown. */
export function objects<M extends Members>(description: string, parts: M) {
  const schema = z.array(schemaOf(parts)).describe(description);
  return of<readonly Given<M>[], typeof schema>(schema, { parts, isList: true });
}

export const accounts = (description: string) =>
  of<readonly AddressText[], z.ZodArray<typeof rawAddressUpper>>(
    z.array(rawAddressUpper).describe(description),
    { isList: true },
  );

/** Stored, but not sent. */
export function unsent<Value>(...places: readonly Place[]): Member<Value, undefined, "always"> {
  return new Member({ schema: undefined, places });
}

/** Stored, but not sent. */
export function unsentList<Value>(settings: { readonly isAmount?: boolean } = {}) {
  return new Member<readonly Value[], undefined, "always">({ schema: undefined, isList: true, ...settings });
}

/** Sent, but not stored: follows from stored members, which have the names of the declaration. */
export function calculated<Stored, Schema extends z.ZodType>(
  schema: Schema | Member<unknown, Schema, Presence>,
  calculate: (stored: Stored, readers: Readers) => z.input<Schema> | undefined,
): Member<never, Schema, "never"> {
  const of = schema instanceof Member ? schema.settings.schema : schema;
  return new Member({ schema: of, isStored: false, calculate });
}
