import type { TestService } from "./service.js";
import { until } from "./until.js";

/** Waits until a service with an index tells what happens. */
export async function streamsReady({ get }: Pick<TestService, "get">): Promise<void> {
  await until("the streams", async () => (await get("/api/streaming/healthz")).status === 200);
}
