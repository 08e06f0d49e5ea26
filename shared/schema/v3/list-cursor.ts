import { z } from "zod";
import { ListCursor } from "../../values/list-cursor.js";
import { Fault, input } from "../input.js";
import { longest, matching } from "../patterns.js";

/** The place where a page of a list begins; it takes the place of an offset. */
export const listCursor = input<string, ListCursor>(
  { "x-name": "v3.ListCursor", ...matching("start", longest.cursor) },
  (given) =>
    (typeof given === "string" ? ListCursor.read(given) : undefined) ??
    new Fault("range", (name) => `${name} is none of this service: begin with ${name}=start`),
)
  .optional()
  .describe("`start`, then the `cursor` of the page before; not with `offset`.");

/** Member of a list's answer. */
export const nextCursor = {
  cursor: z
    .string()
    .nullable()
    .optional()
    .describe("Next page's `cursor`, `null` at the end; only with `cursor`."),
};
