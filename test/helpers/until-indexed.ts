import type { TestService } from "./service.js";
import { until } from "./until.js";

/** Waits until the index of a service has come to a masterchain block. Its database may not be open yet. */
export async function untilIndexed({ get }: Pick<TestService, "get">, seqno: number): Promise<void> {
  await until(`block ${seqno} in the index`, async () => {
    const { json } = await get("/api/v3/masterchainInfo");
    return ((json as { last?: { seqno: number } }).last?.seqno ?? 0) >= seqno;
  });
}
