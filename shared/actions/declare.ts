import type { z } from "zod";
import { type AnyMember, type Members, type Place, type Readers, type Shape, schemaOf } from "./member.js";

/**
 * The number of the type in stored kinds, to which a new type adds one; the first of TON Center's sets that has the type,
 * unless only its name selects it; the object in `data` that has its members. A name that only answers have has no code.
 */
type Facts = readonly [code?: number, since?: SetVersion | undefined, data?: string];
export type SetVersion = "v1" | "v2" | "v3" | "v4" | "v5";

/** A member with the places where it is stored: a column, or an object in `data` and a name in it. */
type Placed = {
  readonly name: string;
  readonly member: AnyMember;
  readonly paths: readonly (readonly [string, string?])[];
};

/** What is declared about a type of action. */
export type Declaration<M extends Members = Members> = {
  readonly code: number | undefined;
  readonly since: SetVersion | undefined;
  readonly members: M;
  readonly placed: readonly Placed[];
  /** The details that callers receive. */
  readonly schema: z.ZodObject<Shape<M>>;
};

export function action<M extends Members>([code, since, data]: Facts, members: M): Declaration<M> {
  const placed = Object.entries(members).map(([name, member]) => {
    const { isStored = true, places = [`.${name}` as const] } = member.settings;
    return { name, member, paths: isStored ? places.map((place) => pathOf(place, data)) : [] };
  });
  return { code, since, members, placed, schema: schemaOf(members) };
}

function pathOf(place: Place, data: string | undefined): readonly [string, string?] {
  const [object = "", name] = place.split(".");
  if (name === undefined) return [object];
  if (object === "" && data === undefined) throw new TypeError(`no object has the member ${name}`);
  return [object === "" ? data! : object, name];
}

/** An action as stored, with addresses as text and `data` as members of it. */
type Stored = { readonly [name: string]: unknown };

/** The members that a family gives, by the names of columns and of objects in `data`. */
export function columnsOf({ placed }: Declaration, given: Stored): Stored {
  const columns: Record<string, unknown> = {};
  for (const { name, paths } of placed)
    for (const [column, inside] of paths) {
      if (inside === undefined) {
        columns[column] = given[name];
        continue;
      }
      const object = (columns[column] ?? {}) as Record<string, unknown>;
      object[inside] = given[name];
      columns[column] = object;
    }
  return columns;
}

/** The details of a stored action as callers receive them. */
export function sentDetails({ placed }: Declaration, stored: Stored, readers: Readers): object {
  const values: Record<string, unknown> = {};
  for (const { name, paths } of placed) {
    const [path] = paths;
    if (path) values[name] = valueAt(stored, path);
  }
  const sent: Record<string, unknown> = {};
  for (const { name, member } of placed) {
    const { schema, condition, calculate, isOptional } = member.settings;
    if (!schema) continue;
    const holds = !condition || condition.values.includes(values[condition.name]);
    const value = calculate
      ? calculate(values as never, readers)
      : sentValue(member, holds ? values[name] : undefined);
    if (value !== undefined) sent[name] = value;
    else if (!isOptional || (condition && holds)) sent[name] = null;
  }
  return sent;
}

function valueAt(stored: Stored, [column, name]: readonly [string, string?]): unknown {
  const value = stored[column];
  return name === undefined ? value : (value as Stored | undefined)?.[name];
}

function sentValue({ settings: { parts, isList, sent } }: AnyMember, stored: unknown): unknown {
  if (isList) return ((stored ?? []) as unknown[]).map((each) => (parts ? sentObject(parts, each) : each));
  if (parts) return sentObject(parts, stored);
  return sent ? sent(stored) : stored;
}

function sentObject(parts: Members, stored: unknown): object {
  const members = Object.entries(parts).filter(([, { settings }]) => settings.schema);
  return Object.fromEntries(
    members.map(([name, part]) => [name, sentValue(part, (stored as Stored | undefined)?.[name]) ?? null]),
  );
}
