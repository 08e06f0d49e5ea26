import type { z } from "zod";
import { listCursor } from "../schema/v3/list-cursor.js";
import { type Definition, defineMethod } from "./define.js";

type PageParams = { limit: z.ZodType<number> };
type WithCursor<Params extends z.ZodObject> = z.ZodObject<
  z.core.util.Extend<Params["shape"], { cursor: typeof listCursor }>,
  Params["_zod"]["config"]
>;

/** A method that answers a page of a list. It takes a cursor, as its last parameter unless the definition has it before others. */
export function defineList<Params extends z.ZodObject<PageParams>, Result extends z.ZodType>(
  definition: Omit<Definition<Params, Result>, "params"> & { params: Params },
): Definition<WithCursor<Params>, Result> {
  // With a generic shape the compiler does not see that the object is of this type.
  const params = definition.params.safeExtend({ cursor: listCursor });
  return defineMethod({ ...definition, params } as unknown as Definition<WithCursor<Params>, Result>);
}
