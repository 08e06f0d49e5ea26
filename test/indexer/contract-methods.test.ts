import { beginCell, Dictionary } from "@ton/core";
import { describe, expect, test } from "vitest";
import { contractMethods } from "../../server/indexer/decode/contract-methods.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";

/** Code as compilers write it: SETCP0, DICTPUSHCONST with methods by ids of `bits` bits. */
function codeWith(ids: readonly bigint[], bits: number) {
  const methods = Dictionary.empty(Dictionary.Keys.BigUint(bits), Dictionary.Values.Bool());
  for (const id of ids) methods.set(id, true);
  const code = beginCell().storeUint(0xff00, 16).storeUint(0b1111010010100, 13).storeDict(methods);
  return parseBocRoot(code.storeUint(bits, 10).endCell().toBoc());
}

describe("The get-methods of a code", () => {
  test.each([
    ["-2 and -1 of 19 bits", [524_286n, 0n, 85_143n, 524_287n], 19, [0, 85_143, 524_286, 524_287]],
    ["17 bits", [131_070n, 65_536n], 17, [65_536, 131_070]],
    ["31 bits", [2n ** 31n - 1n, 7n], 31, [7, 2 ** 31 - 1]],
    ["too many bits for an id", [1n], 40, []],
  ])("are unsigned and ascending: %s", (_, ids, bits, expected) => {
    expect(contractMethods(codeWith(ids, bits))).toEqual(expected);
  });
});
