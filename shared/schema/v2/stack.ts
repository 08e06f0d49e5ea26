import { z } from "zod";
import { bocBase64, bytesBase64 } from "../../forms/values.js";
import { tvmCell, typeName } from "./records.js";

// Values of the TVM stack in results.

const tvmSlice = z
  .object({
    "@type": typeName("tvm.slice"),
    bytes: bocBase64.describe("The remaining part of the slice, as a cell."),
  })
  .describe("A slice.");

const tvmNumber = z
  .object({
    "@type": typeName("tvm.numberDecimal"),
    number: z
      .string()
      .regex(/^-?\d+$/)
      .describe("The integer, decimal."),
  })
  .describe("An integer of up to 257 bits.");

const tvmTuple = z
  .object({
    "@type": typeName("tvm.tuple"),
    get elements() {
      return z.array(stackEntry).describe("The items.");
    },
  })
  .meta({ id: "tvm.tuple", description: "A tuple." });

const tvmList = z
  .object({
    "@type": typeName("tvm.list"),
    get elements() {
      return z.array(stackEntry).describe("The items; empty for null.");
    },
  })
  .meta({ id: "tvm.list", description: "Null, or a list of nested pairs that ends in null." });

/** A stack value in the typed form; tuples and lists are nested. */
export const stackEntry: z.ZodType<StackEntry> = z
  .lazy(() =>
    z.discriminatedUnion("@type", [
      z
        .object({ "@type": typeName("tvm.stackEntryNumber"), number: tvmNumber.describe("The integer.") })
        .describe("An integer."),
      z
        .object({ "@type": typeName("tvm.stackEntryCell"), cell: tvmCell.describe("The cell.") })
        .describe("A cell."),
      z
        .object({ "@type": typeName("tvm.stackEntrySlice"), slice: tvmSlice.describe("The slice.") })
        .describe("A slice."),
      z
        .object({ "@type": typeName("tvm.stackEntryTuple"), tuple: tvmTuple.describe("The tuple.") })
        .describe("A tuple."),
      z
        .object({ "@type": typeName("tvm.stackEntryList"), list: tvmList.describe("The list.") })
        .describe("Null, or a list of nested pairs that ends in null."),
      z
        .object({ "@type": typeName("tvm.stackEntryUnsupported") })
        .describe("A value that cannot be represented: a builder, a continuation, or NaN."),
    ]),
  )
  .meta({ id: "tvm.StackEntry", description: "A value on the stack." });

/** A stack value in the typed form. */
export type StackEntry =
  | { "@type": "tvm.stackEntryNumber"; number: z.output<typeof tvmNumber> }
  | { "@type": "tvm.stackEntryCell"; cell: z.output<typeof tvmCell> }
  | { "@type": "tvm.stackEntrySlice"; slice: z.output<typeof tvmSlice> }
  | { "@type": "tvm.stackEntryTuple"; tuple: Tuple }
  | { "@type": "tvm.stackEntryList"; list: List }
  | { "@type": "tvm.stackEntryUnsupported" };
type Tuple = { "@type": "tvm.tuple"; elements: StackEntry[] };
type List = { "@type": "tvm.list"; elements: StackEntry[] };

/** A cell tree as nested objects. */
export type CellObject = { data: { b64: string; len: number }; refs: CellObject[]; special: boolean };

const cellObject: z.ZodType<CellObject> = z
  .object({
    data: z
      .object({
        b64: bytesBase64.describe("The bits, padded with zeros to whole bytes."),
        len: z.int().describe("Number of bits."),
      })
      .describe("Data of the cell."),
    get refs() {
      return z.array(cellObject).describe("Referenced cells.");
    },
    special: z.boolean().describe("Whether it is an exotic cell."),
  })
  .meta({ id: "CellObject", description: "A cell tree as nested objects." });

export const legacyCell = z
  .object({
    bytes: bocBase64.describe("The cell as a bag of cells."),
    object: cellObject.optional().describe("The same cell as nested objects; omitted if there are too many."),
  })
  .meta({ id: "LegacyCell", description: "A cell, or a slice as a cell." });

/** A stack value in the legacy form: a pair of type and value. */
export const legacyStackEntry = z
  .union([
    z.tuple([z.literal("num"), z.string().regex(/^-?0x[0-9a-f]+$/)]),
    z.tuple([z.literal("cell"), legacyCell]),
    z.tuple([z.literal("tuple"), tvmTuple]),
    z.tuple([z.literal("list"), tvmList]),
    z.tuple([z.literal("unsupported"), z.literal("")]),
  ])
  .describe("Type and value: `num` with hex, `cell` also for slices, `list` also for null.");

export type LegacyStackEntry = z.output<typeof legacyStackEntry>;
