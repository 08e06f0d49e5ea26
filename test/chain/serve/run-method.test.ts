import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Devnet } from "../../../server/devnet/devnet.js";
import { openDevnet } from "../../../server/devnet/open-devnet.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { loadStack } from "../../../shared/ton/tvm/load-stack.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { storeStack } from "../../../shared/ton/tvm/store-stack.js";
import { bytesCell } from "../../helpers/chain/sample-chain.js";

const account = { workchain: 0, id: new Uint8Array(32).fill(0x77) };

let devnet: Devnet;
beforeAll(async () => {
  devnet = await openDevnet(
    {
      seed: "tonwire",
      directory: undefined,
      mining: { mode: "manual", intervalMs: 1000 },
      clock: "fixed",
      rewards: false,
      story: false,
    },
    {
      nowMs: Date.now,
      onError(error) {
        throw error;
      },
      onDegraded: () => undefined,
    },
  );
  // DROP, then repeated by the argument: pushes 1.
  await devnet.controls.setCode(account, serializeBoc(bytesCell("309171E4")));
  await devnet.controls.setData(account, serializeBoc(Cell.empty));
});
afterAll(() => devnet.close());

async function run(count: number) {
  const { last: id } = await devnet.api.getMasterchainInfo();
  const params = serializeBoc(storeStack([{ type: "int", value: BigInt(count) }]));
  return devnet.api.runSmcMethod({ id, account, methodId: 0n, params, result: true });
}

describe("runSmcMethod", () => {
  it("answers a stack as deep as a tree of cells can be", async () => {
    const { exitCode, result } = await run(1024);
    const expected = Array<StackValue>(1024).fill({ type: "int", value: 1n });
    expect([exitCode, loadStack(parseBocRoot(result!))]).toEqual([0, expected]);
  });

  it.each([1025, 8000, 12_000])("refuses a stack of %d values", async (count) => {
    await expect(run(count)).rejects.toMatchObject({
      code: -400,
      message: expect.stringContaining("cannot serialize resulting stack"),
    });
  });
});
