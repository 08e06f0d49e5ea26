import { ZodNullable, ZodObject, ZodOptional, type ZodType } from "zod";
import { type ActionType, action } from "../../../../shared/schema/v3/actions.js";

/** The parts of the schema of an action that are needed here. */
type Kind = { readonly shape: { readonly type: { readonly value: ActionType }; readonly details: ZodType } };
type Parts = { readonly def: { readonly right: { readonly options: readonly Kind[] } } };

const kinds = (action as unknown as Parts).def.right.options;
const schemas = new Map(kinds.map(({ shape }) => [shape.type.value, shape.details]));

/** Values of every kind of member; the first one that fits stands for a member that is not given. */
const others = [
  `0:${"9".repeat(64)}`,
  "99",
  "9".repeat(64),
  `${"9".repeat(43)}=`,
  "0x99",
  "nEk=",
  99,
  true,
  [],
  {},
  null,
];

/** Details of a type: those given, and others, of which a sentence shows none. */
export function detailsWith(type: ActionType, given: object): object {
  return complete(schemas.get(type)!, given) as object;
}

function complete(schema: ZodType, given: unknown): unknown {
  const shape = shapeOf(schema);
  if (given === undefined && !shape) return others.find((each) => schema.safeParse(each).success);
  if (!shape || given === null) return given;
  const known = (given ?? {}) as Readonly<Record<string, unknown>>;
  const members = Object.entries(shape).map(([name, member]) => [name, complete(member, known[name])]);
  return Object.fromEntries(members);
}

/** The members of an object, which may be optional or null. */
function shapeOf(schema: ZodType): Readonly<Record<string, ZodType>> | undefined {
  if (schema instanceof ZodOptional || schema instanceof ZodNullable)
    return shapeOf(schema.unwrap() as ZodType);
  return schema instanceof ZodObject ? (schema.shape as Readonly<Record<string, ZodType>>) : undefined;
}
