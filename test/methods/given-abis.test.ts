import { expect, it, onTestFinished, vi } from "vitest";
import { type DebugRunDeps, debugRunHandlers } from "../../server/methods/v3/debug-runs.js";
import { RunSources } from "../../server/methods/v3/run-sources.js";
import { ReadTurns } from "../../server/store/read-turns.js";
import { Address } from "../../shared/values/address.js";
import { counterAbi } from "../helpers/abi/counter-contract.js";
import { testAddress } from "../helpers/contracts/contracts.js";

it("v3.debug.getMethod reads the ABI of a call once", async () => {
  const abi = JSON.stringify(counterAbi());
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const asked = { address: Address.read(testAddress("7"))!.address, method: "get_total", stack: [], abi };
  const deps = {
    runSources: new RunSources(),
    debugTurns: new ReadTurns({ fast: 1, slow: 0 }),
    reader: { blockAt: () => Promise.reject(new Error("no block is read")) },
  } as unknown as DebugRunDeps;
  const call = { options: {} } as Parameters<typeof debugRunHandlers.getMethod>[2];
  await expect(debugRunHandlers.getMethod(asked, deps, call)).rejects.toThrow("no block is read");
  expect(parse.mock.calls.filter(([text]) => text === abi)).toHaveLength(1);
});
