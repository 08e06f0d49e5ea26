import { afterAll, beforeAll, expect, it } from "vitest";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bocText } from "../helpers/contracts/contracts.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import { someAddress } from "../helpers/index/detection.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Run = V3Result<"debug/transaction">;
type Steps = V3Result<"debug/steps">;

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

/** PUSHREF of a tree of 50 kB, then a loop without end: a log of stacks would take gigabytes. */
function repeating() {
  let tree = beginCell().endCell();
  for (let depth = 0; depth < 400; depth++) {
    const filled = beginCell();
    for (let n = 0; n < 31; n++) filled.storeUint(depth * n, 32);
    tree = filled.storeRef(tree).endCell();
  }
  return beginCell()
    .storeUint(0x88, 8)
    .storeRef(tree)
    .storeBytes(Uint8Array.of(0x91, 0, 0xea))
    .endCell();
}

it("A log of stacks that would take gigabytes is left out, and other calls are answered", async () => {
  const address = someAddress(0x31).toRaw();
  const overrides = {
    accounts: [{ address, code: bocText(repeating()), data: bocText(beginCell().endCell()) }],
  };
  const run = await service.run<Run>("v3.debug.getMethod", { address, method: "any", overrides });
  expect(run).toMatchObject({ outcome: { exit_code: -14 }, gas: { used: "4000002" }, truncated: true });
  const before = process.memoryUsage().rss;
  const [page, info] = await Promise.all([
    service.run<Steps>("v3.debug.steps", { run: run.run, include: "full_stack", limit: 10 }),
    service.run("devnet.info"),
  ]);
  expect(info).toHaveProperty("network", "devnet");
  expect(page).toMatchObject({ total: run.steps, truncated: true });
  for (const step of page.steps) expect(step).not.toHaveProperty("stack");
  expect(process.memoryUsage().rss - before).toBeLessThan(1 << 30);
});
