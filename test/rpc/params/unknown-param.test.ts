import { expect, it } from "vitest";
import { unknownParam } from "../../../server/rpc/params/unknown-param.js";

const known = ["address", "limit", "to_lt"];

it.each([
  ["adress", known, "unknown parameter adress: did you mean address?", "address"],
  ["Address", known, "unknown parameter Address: did you mean address?", "address"],
  ["to_lt2", known, "unknown parameter to_lt2: did you mean to_lt?", "to_lt"],
  // Two edits of six characters are the most.
  ["limi_x", known, "unknown parameter limi_x: did you mean limit?", "limit"],
  ["li_i_x", known, "unknown parameter li_i_x: the method takes address, limit, to_lt", undefined],
  ["nothing", known, "unknown parameter nothing: the method takes address, limit, to_lt", undefined],
  ["nothing", [], "unknown parameter nothing: the method takes none", undefined],
  ["a b", known, 'unknown parameter "a b": the method takes address, limit, to_lt', undefined],
  ["x\n", known, 'unknown parameter "x\\n": the method takes address, limit, to_lt', undefined],
  // The nearest one counts, not the first one.
  ["hashes", ["hasher1", "hash_s"], "unknown parameter hashes: did you mean hash_s?", "hash_s"],
  ["ab", ["ba", "b"], "unknown parameter ab: the method takes ba, b", undefined],
  ["abc", ["ab"], "unknown parameter abc: did you mean ab?", "ab"],
  ["ab", ["abc"], "unknown parameter ab: did you mean abc?", "abc"],
] as const)("the refusal of %s with %j", (name, names, message, meant) => {
  const error = unknownParam(name, names);
  expect([error.code, error.message, error.data]).toEqual([
    "invalid-params",
    message,
    { param: name, ...(meant && { did_you_mean: meant }) },
  ]);
});
