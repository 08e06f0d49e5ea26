import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunPool } from "../../../../client/verified/executor/run-pool.js";
import { ExecutorThreads } from "../../../../server/chain/executor/threads/executor-threads.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { ProofError } from "../../../../shared/ton/proofs/verify/proof-error.js";
import type { MethodRequest } from "../../../../shared/ton/run/method-request.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import { storeStack } from "../../../../shared/ton/tvm/store-stack.js";
import { account as address, testConfig, testTime } from "../../../helpers/chain/sample-chain.js";
import { codeOf } from "../../../helpers/contracts/contracts.js";
import { script, wasm } from "../tvm/emulator.js";

const int = (value: bigint): StackValue => ({ type: "int", value });

let theirs: ExecutorThreads;
let ours: RunPool;
beforeAll(() => {
  theirs = new ExecutorThreads({ threads: 1, deadlineMs: 100_000 });
  ours = new RunPool({ wasm, script });
});
afterAll(() => theirs.close());

function request(hex: string, more: Partial<MethodRequest> = {}): MethodRequest {
  return {
    ...{ code: codeOf(hex), data: Cell.empty, address, methodId: 1, stack: [], balance: 5n },
    ...{ config: testConfig, now: testTime, randSeed: new Uint8Array(32), gasLimit: 1_000_000 },
    ...more,
  };
}

async function same(asked: MethodRequest) {
  const [proven, believed] = [await ours.runMethod(asked), await theirs.runMethod(asked)];
  const shown = ({ exitCode, gasUsed, stack, missingLibrary }: typeof proven) =>
    [exitCode, gasUsed, storeStack(stack).hashHex(), missingLibrary] as const;
  expect(shown(proven)).toEqual(shown(believed));
  return proven;
}

describe("a run in a page", () => {
  it.each<[name: string, hex: string, more?: Partial<MethodRequest>]>([
    ["the balance", "30F827"],
    ["the balance with another currency", "30F827", { extraCurrencies: new Map([[7, 3n]]) }],
    [
      "the balance with several currencies",
      "30F827",
      {
        extraCurrencies: new Map([
          [9, 3n],
          [7, 4n],
          [8, 0n],
          [300, 2n ** 100n],
        ]),
      },
    ],
    ["the time", "30F823"],
    ["the address", "30F828"],
    ["the random seed", "30F826"],
    ["a parameter of the configuration", "3080 08F832".replace(" ", "")],
    [
      "earlier blocks",
      "30F83400",
      { previousBlocks: { type: "tuple", items: [int(4n), int(5n), { type: "null" }] } },
    ],
    ["the data", "30ED44", { data: beginCell().storeUint(77, 32).endCell() }],
    [
      "arguments",
      "30",
      { stack: [int(-(2n ** 256n)), { type: "nan" }, { type: "tuple", items: [int(1n)] }] },
    ],
    ["the method", ""],
  ])("sees the same as in the service: %s", async (_, hex, more) => {
    expect(await same(request(hex, more))).toMatchObject({ exitCode: 0 });
  });

  it("has the gas of its request, or else that of the pool", async () => {
    const endless = request("FF0090EA", { gasLimit: 5000 });
    expect(await same(endless)).toMatchObject({ exitCode: -14 });
    const small = new RunPool({ wasm, script, gasLimit: 3000 });
    const { gasUsed } = await small.runMethod({ ...endless, gasLimit: undefined });
    expect([gasUsed > 2900, gasUsed < 3200]).toEqual([true, true]);
  });

  it("names the library that it lacks", async () => {
    const library = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32).fill(9)).endExotic();
    const { missingLibrary } = await same({ ...request(""), code: library });
    expect(missingLibrary).toEqual(new Uint8Array(32).fill(9));
  });

  it("gets no pruned cells", async () => {
    const pruned = beginCell()
      .storeUint(0x0101, 16)
      .storeBytes(new Uint8Array(32))
      .storeUint(0, 16)
      .endExotic();
    const data = beginCell().storeRef(pruned).endCell();
    await expect(ours.runMethod(request("30", { data }))).rejects.toBeInstanceOf(ProofError);
  });

  it("takes turns with others, whose results do not depend on it", async () => {
    const requests = [..."123456"].map((digit) => request(`307${digit}`));
    const results = await Promise.all(requests.map((each) => ours.runMethod(each)));
    expect(results.map(({ stack }) => stack)).toEqual([..."123456"].map((digit) => [int(BigInt(digit))]));
  });

  it.each<[name: string, status: number, body: BodyInit | null, text: RegExp]>([
    ["is not there", 404, null, /status 404/],
    ["is too long", 200, new Uint8Array(wasm.length + 1), /more than 5051942 bytes/],
    ["is cut", 200, wasm.subarray(0, 1000), /has the hash/],
    ["is changed", 200, wasm.map((byte, index) => (index === 9999 ? byte ^ 1 : byte)), /has the hash/],
  ])("refuses an emulator that %s", async (_, status, body, message) => {
    const pool = new RunPool({ wasm: new Response(body, { status }), script });
    await expect(pool.runMethod(request("3077"))).rejects.toMatchObject({
      ...{ name: "TvmError", reason: "build" },
      message: expect.stringMatching(message),
    });
  });

  it("reads no emulator without end", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1 << 20));
      },
    });
    const pool = new RunPool({ wasm: new Response(endless), script });
    await expect(pool.runMethod(request("3077"))).rejects.toMatchObject({ reason: "build" });
    expect(pulled).toBeLessThan(10);
  });

  it("tries to load the emulator again after a failure", async () => {
    const files = [new Uint8Array(8), wasm];
    const pool = new RunPool({
      get wasm() {
        return files.shift()!;
      },
      script,
    });
    await expect(pool.runMethod(request("3077"))).rejects.toMatchObject({ reason: "build" });
    expect(await pool.runMethod(request("3077"))).toMatchObject({ exitCode: 0 });
  });
});
