import { expect, onTestFinished, test } from "vitest";
import { variants } from "../../helpers/effort.js";
import { devnetWithGateway } from "../../helpers/services/role-processes.js";
import { startService, type TestService } from "../../helpers/services/service.js";
import { until } from "../../helpers/until.js";

const requestId = "0123456789abcdef0123456789abcdef";

/** The line of the log about a call, which is waited for. */
function lineOf({ logLines }: TestService, method: string) {
  return until(
    () => `the line of ${method} in ${logLines.join("")}`,
    () => {
      const line = logLines.map((each) => JSON.parse(each)).findLast((each) => each.method === method);
      return line as Readonly<Record<string, unknown>> | undefined;
    },
  );
}

test("A slow call is logged with its id, what it was sent, and where it was read", async () => {
  for (const logParams of variants([true], [false])) {
    const service = await startService({ index: true, slowMs: 1, latency: 5, logParams });
    onTestFinished(() => service.close());
    const headers = { "X-Request-Id": requestId };
    expect((await service.get(`/api/v3/blocks?workchain=-1&limit=3`, { headers })).status).toBe(200);
    const line = await lineOf(service, "v3.blocks");
    expect(line).toMatchObject({
      msg: "slow call",
      requestId,
      params: logParams ? { workchain: "-1", limit: "3" } : { workchain: "(2 bytes)", limit: "(1 bytes)" },
      door: "primary",
      statementMs: expect.any(Number),
    });
    expect(line["statement"]).toMatch(/block/i);
    // What is sent could be sent by whoever reads the log.
    await service.post("/api/v2/sendBoc", { boc: "te6cckEBAQEAAgAAAEysuc0=" });
    expect((await lineOf(service, "sendBoc"))["params"]).toEqual({ boc: "(24 bytes)" });
    const forged = await service.get("/api/v2/detectAddress?address=x", {
      headers: { "X-Request-Id": "a b\u00e9" },
    });
    expect(forged.status).not.toBe(200);
    expect(await lineOf(service, "detectAddress")).not.toHaveProperty("requestId");
  }
});

test("A call that fails as liteservers are away has an id, in its answer too", async () => {
  const { devnet, globalConfig } = await devnetWithGateway();
  const service = await startService({
    network: "testnet",
    globalConfig,
    healthMaxHeadAge: 1_000_000_000,
    anonymousRps: "unlimited",
    slowMs: 1,
  });
  onTestFinished(() => service.close());
  let asked = 0;
  // Each is another one, as answers are cached.
  const ask = () => {
    const address = `0:${(asked++).toString(16).padStart(64, "0")}`;
    return service.get(`/api/v2/getAddressBalance?address=${address}`, { key: null });
  };
  expect((await ask()).status).toBe(200);
  expect(await lineOf(service, "getAddressBalance")).toMatchObject({
    door: "liteserver 0",
    params: { address: "(66 bytes)" },
  });
  await devnet.close();
  const answer = await until("the failure", async () => {
    const { status, headers } = await ask();
    return status === 503 && headers;
  });
  const id = answer.get("X-Request-Id");
  expect(id).toMatch(/^[\w-]{36}$/);
  expect(await lineOf(service, "getAddressBalance")).toMatchObject({ code: "unavailable", requestId: id });
});
