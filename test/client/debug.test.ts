import { afterAll, beforeAll, expect, it } from "vitest";
import { stepsOf } from "../../client/debug/index.js";
import { createClient, http } from "../../client/index.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("story");
});
afterAll(() => service.close());

it("The steps of a run are iterated over page by page, in both directions", async () => {
  const client = createClient({ transport: http(`${service.url}/jsonRPC`, { apiKey: service.key }) });
  const { traces } = await client.v3.traces({ limit: 1 });
  const { runs } = await client.v3.debug.trace({ trace_id: traces[0]!.trace_id!, limit: 1 });
  const run = runs[0]!;
  const numbers = async (params?: Parameters<typeof stepsOf>[2]) => {
    const found: number[] = [];
    for await (const { n } of stepsOf(client, run, params)) found.push(n);
    return found;
  };
  const all = Array.from({ length: run.steps }, (_, n) => n);
  expect(await numbers({ limit: 50 })).toEqual(all);
  expect(await numbers({ limit: 50, backward: true })).toHaveLength(run.steps);
  expect(await numbers({ from: run.steps - 3 })).toEqual(all.slice(-3));
});
