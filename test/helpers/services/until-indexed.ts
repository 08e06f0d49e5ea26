import { until } from "../until.js";

type Asked = { get(path: string): Promise<{ json: unknown }> };

/** Waits until the index of a service has reached a masterchain block. Its database may not be open yet. */
export async function untilIndexed(service: Asked, seqno: number): Promise<void> {
  await until(`block ${seqno} in the index`, async () => {
    const { json } = await service.get("/api/v3/masterchainInfo");
    return ((json as { last?: { seqno: number } }).last?.seqno ?? 0) >= seqno;
  });
}
