import { z } from "zod";
import { bocBase64, bytesBase64 } from "./results.js";
import { tvmCell, typeName } from "./v2-records.js";

// Values on the TVM's stack as answers have them.

const tvmSlice = z
  .object({
    "@type": typeName("tvm.slice"),
    bytes: bocBase64.describe("What is left of the slice, as a cell of its own."),
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
  .meta({ id: "tvm.tuple" });

const tvmList = z
  .object({
    "@type": typeName("tvm.list"),
    get elements() {
      return z.array(stackEntry).describe("The items; none for null.");
    },
  })
  .meta({ id: "tvm.list" });

/** A value in the typed form, where tuples and lists hold values of the same form. */
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
        .describe("Null, or pairs that end in null, each of a value and the rest."),
      z
        .object({ "@type": typeName("tvm.stackEntryUnsupported") })
        .describe("A value without a form: a builder, a continuation, a NaN."),
    ]),
  )
  .meta({ id: "tvm.StackEntry", description: "A value on the stack." });

export type StackEntry =
  | { "@type": "tvm.stackEntryNumber"; number: z.output<typeof tvmNumber> }
  | { "@type": "tvm.stackEntryCell"; cell: z.output<typeof tvmCell> }
  | { "@type": "tvm.stackEntrySlice"; slice: z.output<typeof tvmSlice> }
  | { "@type": "tvm.stackEntryTuple"; tuple: Tuple }
  | { "@type": "tvm.stackEntryList"; list: List }
  | { "@type": "tvm.stackEntryUnsupported" };
type Tuple = { "@type": "tvm.tuple"; elements: StackEntry[] };
type List = { "@type": "tvm.list"; elements: StackEntry[] };

/** A cell with all below it as nested objects. */
export type CellObject = { data: { b64: string; len: number }; refs: CellObject[]; special: boolean };

const cellObject: z.ZodType<CellObject> = z
  .object({
    data: z
      .object({
        b64: bytesBase64.describe("The bits, filled up with zeros to whole bytes."),
        len: z.int().describe("How many bits there are."),
      })
      .describe("The cell's own data."),
    get refs() {
      return z.array(cellObject).describe("The cells it refers to.");
    },
    special: z.boolean().describe("Whether it is an exotic cell."),
  })
  .meta({ id: "CellObject", description: "A cell with all below it as nested objects." });

const legacyCell = z.object({
  bytes: bocBase64.describe("The cell as a bag of cells."),
  object: cellObject
    .optional()
    .describe("The same cell as nested objects; left out when there are too many."),
});

/** A value as a pair of its type and the value, the older form. */
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
