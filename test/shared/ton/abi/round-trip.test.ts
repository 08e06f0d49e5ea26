import { expect, test } from "vitest";
import { AbiError } from "../../../../shared/ton/abi/abi-error.js";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../../../shared/ton/abi/tolk.js";
import { RandomTypes } from "../../../helpers/abi/random-types.js";
import { sized } from "../../../helpers/effort.js";
import { pseudoRandom } from "../../../helpers/pseudo-random.js";

test("values of random types are read as they were written, in cells and on the stack", () => {
  const runs = sized(800, 30_000);
  let written = 0;
  for (let seed = 0; seed < runs; seed++) {
    const random = pseudoRandom(seed);
    const types = new RandomTypes((bound) => Math.floor(random.next().value * bound));
    const { index, value } = types.any(3);
    const field = types.struct("Storage", { value: index });
    const method = {
      name: "get",
      tvm_method_id: 70_000,
      parameters: [{ name: "given", ty_idx: index }],
      return_ty_idx: index,
    };
    const abi = readTolkAbi(types.abi({ storage: { storage_ty_idx: field }, get_methods: [method] }));
    const coder = new AbiCoder(abi);
    const given = value();
    const get = coder.getMethod("get")!;
    const stack = ifWritable(() => coder.writeArguments(get, [given]));
    const cell = ifWritable(() => coder.writeStorage({ value: given }));
    if (stack) expect(coder.readResult(get, stack), `stack of seed ${seed}`).toEqual(given);
    if (cell) expect(coder.readStorage(cell), `cell of seed ${seed}`).toEqual({ value: given });
    if (stack && cell) written++;
  }
  expect(written / runs).toBeGreaterThan(0.7);
});

/** Random fields may need more than a cell has, and items of random arrays none of it. */
function ifWritable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof AbiError && /a cell has at most|without bits/.test(error.message)) return undefined;
    throw error;
  }
}
