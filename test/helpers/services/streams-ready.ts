import { until } from "../until.js";
import type { TestService } from "./service.js";

/** Waits until a service with an index sends events. */
export async function streamsReady({ get }: Pick<TestService, "get">): Promise<void> {
  await until("the streams", async () => (await get("/api/streaming/healthz")).status === 200);
}
