import { afterAll, beforeAll, expect, it } from "vitest";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sparing } from "./hostile-calls.js";
import { askHostilely, startHostileService } from "./hostile-service.js";

const methods = flatten(registry).map(([name]) => name);

let service: DevnetService;
beforeAll(async () => {
  service = await startHostileService();
});
afterAll(() => service?.close());

it("every method answers hostile parameters with a result or a deliberate refusal", async () => {
  const { asked, kinds, internal } = await askHostilely(service, { seed: 1, calls: 1 });
  expect(internal).toEqual([]);
  expect(methods.filter((method) => !asked.has(method) && !sparing.has(method))).toEqual([]);
  expect(Object.keys(kinds)).toEqual(expect.arrayContaining(["ok", "invalid-params", "absent"]));
});
