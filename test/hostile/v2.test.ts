import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { sized } from "../helpers/effort.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { anything, boc, cellObject, pair, typed } from "./methods/hostile-cells.js";

// Every input gets a result or a deliberate refusal: never an internal error, never no answer.

const echo = testAddress("1");

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
  await place(service, { address: echo, code: codeOf("FF0030"), balance: "1000000000" });
});
afterAll(() => service.close());

const address = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(echo, testAddress("2")) }, anything);
const method = fc.oneof(fc.string(), fc.integer(), anything);

const calls: Record<string, fc.Arbitrary<object>> = {
  runGetMethod: fc.record({ address, method, stack: fc.oneof(fc.array(pair, { maxLength: 4 }), anything) }),
  runGetMethodStd: fc.record({
    address,
    method,
    stack: fc.oneof(fc.array(typed, { maxLength: 4 }), anything),
  }),
  sendBoc: fc.record({ boc: fc.oneof(boc, anything) }),
  sendBocReturnHashNoError: fc.record({ boc: fc.oneof(boc, anything) }),
  sendQuery: fc.record({ address, body: boc, init_code: boc, init_data: boc }),
  sendQuerySimple: fc.record({ address, body: fc.oneof(cellObject, anything), init_code: cellObject }),
  sendCellSimple: fc.record({ cell: fc.oneof(cellObject, anything) }),
  estimateFee: fc.record({ address, body: boc, init_code: boc, init_data: boc, ignore_chksig: anything }),
  estimateFeeSimple: fc.record({ address, body: cellObject, init_code: cellObject, init_data: cellObject }),
  getTokenData: fc.record({ address, seqno: anything }),
  dnsResolve: fc.record({
    address,
    name: fc.oneof(fc.string(), anything),
    category: anything,
    ttl: anything,
  }),
};

describe.each(Object.entries(calls))("%s", (name, params) => {
  it("answers any input with a result or a deliberate refusal", async () => {
    await fc.assert(
      fc.asyncProperty(params, async (given) => {
        const { status, json } = await service.post(`/api/v2/${name}`, given);
        const { ok, error, code } = json as { ok: boolean; error?: string; code?: number };
        expect([ok, code ?? 200]).toEqual([status === 200, status]);
        expect([200, 400, 409, 413, 422, 500]).toContain(status);
        expect(error).not.toBe("Internal error");
      }),
      { numRuns: sized(25, 120) },
    );
  });
});

describe("a cell as JSON text", () => {
  it("may be nested beyond all measure, and is refused", async () => {
    for (const text of ["[".repeat(400_000), `${'{"refs":['.repeat(50_000)}${"]}".repeat(50_000)}`]) {
      const { status, json } = await service.post("/api/v2/runGetMethod", {
        address: echo,
        method: "x",
        stack: [["cell", text]],
      });
      expect([status, json]).toMatchObject([
        422,
        { error: "Invalid cell, object with field bytes expected" },
      ]);
    }
  });
});

describe("bags of very many cells", () => {
  /** A tree of this many distinct cells. */
  function treeOf(cells: number, number = 0): Cell {
    const cell = beginCell().storeUint(number, 32);
    const below = cells - 1;
    for (let i = 0, taken = 0; i < 4 && taken < below; i++) {
      const share = Math.ceil((below - taken) / (4 - i));
      cell.storeRef(treeOf(share, number + 1 + taken));
      taken += share;
    }
    return cell.endCell();
  }
  const bag = (cells: number) => bocText(treeOf(cells));
  const run = async (...stack: unknown[]) =>
    service.post("/api/v2/runGetMethod", { address: echo, method: 0, stack });

  it("are taken as arguments up to twenty thousand cells in all", async () => {
    const half = bag(10_000);
    const { json } = await run(["tvm.Cell", half], ["tuple", { elements: [typedCell(half)] }]);
    expect(json).toMatchObject({
      result: {
        exit_code: 0,
        stack: [
          ["cell", { bytes: half }],
          ["tuple", { elements: [typedCell(half)] }],
        ],
      },
    });
    for (const stack of [
      [["tvm.Slice", bag(20_001)]],
      [
        ["tvm.Cell", half],
        ["cell", { bytes: bag(10_001) }],
      ],
      [["tuple", { elements: [typedCell(half), typedCell(half), typedCell(bag(1))] }]],
    ])
      expect(await run(...stack)).toMatchObject({
        status: 500,
        json: { error: "INVALID_BAG_OF_CELLS: stack" },
      });
  });

  it("are no messages", async () => {
    for (const [name, given] of [
      ["sendBoc", { boc: bag(20_001) }],
      ["sendQuery", { address: echo, body: bag(20_001) }],
      ["estimateFee", { address: echo, body: bag(20_001) }],
    ] as const)
      expect(await service.post(`/api/v2/${name}`, given)).toMatchObject({
        status: 400,
        json: { error: "INVALID_BAG_OF_CELLS: body" },
      });
  });

  const typedCell = (boc: string) => ({
    "@type": "tvm.stackEntryCell",
    cell: { "@type": "tvm.cell", bytes: boc },
  });
});
