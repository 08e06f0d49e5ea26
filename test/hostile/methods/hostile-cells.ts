import fc from "fast-check";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { bocText } from "../../helpers/contracts/contracts.js";

// Cells and entries of stacks, whole and broken, in all forms that methods take.

const bytes = fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each).toString("base64"));
const goodBoc = fc
  .uint8Array({ maxLength: 100 })
  .map((each) => bocText(beginCell().storeBytes(each).endCell()));
/** A good bag of cells with one byte changed. */
const damagedBoc = fc.tuple(goodBoc, fc.nat(), fc.nat(255)).map(([boc, at, value]) => {
  const damaged = Buffer.from(boc, "base64");
  damaged[at % damaged.length] = value;
  return damaged.toString("base64");
});
export const boc = fc.oneof(goodBoc, damagedBoc, bytes, fc.string());
export const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), boc);
export const cellObject: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  cell: fc.record({
    data: fc.record({ b64: fc.oneof(bytes, anything), len: fc.oneof(fc.nat(500), anything) }),
    refs: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("cell"), { maxLength: 5 }), anything),
    special: fc.oneof(fc.boolean(), anything),
  }),
})).cell;
export const typed = fc.letrec((tie) => ({
  entry: fc.oneof(
    { maxDepth: 3 },
    anything,
    fc.record({
      "@type": fc.constantFrom("tvm.stackEntryCell", "tvm.stackEntrySlice", "tvm.stackEntryTuple"),
      cell: fc.record({ bytes: boc }),
      slice: fc.record({ bytes: boc }),
      tuple: fc.record({ elements: fc.array(tie("entry"), { maxLength: 3 }) }),
    }),
  ),
})).entry;
const kinds = ["num", "cell", "slice", "tvm.Cell", "tvm.Slice", "tvm.Builder", "tuple", "list", "null"];
export const pair = fc.oneof(
  anything,
  fc.tuple(
    fc.constantFrom(...kinds),
    fc.oneof(anything, cellObject, fc.record({ bytes: boc }), fc.record({ elements: fc.array(typed) })),
  ),
);

/** By the name of the parameter. */
export const hostileCells: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  boc,
  body: fc.oneof(boc, cellObject),
  init_code: fc.oneof(boc, cellObject),
  init_data: fc.oneof(boc, cellObject),
  cell: cellObject,
  stack: fc.oneof(fc.array(pair, { maxLength: 4 }), fc.array(typed, { maxLength: 4 })),
};
