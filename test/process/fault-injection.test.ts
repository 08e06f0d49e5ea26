import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failuresOf } from "../../server/http/documents/failures.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { startService, type TestService } from "../helpers/services/service.js";

const ping = { jsonrpc: "2.0", method: "detectHash", params: { hash: "0".repeat(64) } };

describe("a devnet with a fail rate", () => {
  // Every second call fails, with each of the errors in turn; the log draws once for each that succeeds.
  const draws = [0.4, 0, 0.6, 1, 0.4, 0.9, 0.6, 1];
  let service: TestService;
  beforeAll(async () => {
    let draw = 0;
    service = await startService(
      { failRate: 0.5, latency: 1 },
      { random: () => draws[draw++ % draws.length]! },
    );
  });
  afterAll(() => service?.close());

  it("fails with errors that methods document, in single calls and batches, also of cached answers", async () => {
    const kinds = [];
    for (let id = 0; id < 4; id++) {
      const answer = (await service.post("/jsonRPC", { ...ping, id })).json as {
        error?: { data: { kind: string } };
      };
      kinds.push(answer.error?.data.kind);
    }
    expect(kinds).toEqual(["timeout", undefined, "unavailable", undefined]);
    const batch = [
      { ...ping, id: 1 },
      { ...ping, id: 2 },
    ];
    const answers = (await service.post("/jsonRPC", batch)).json as {
      id: number;
      error?: { message: string };
    }[];
    expect(answers.filter(({ error }) => error).map(({ error }) => error!.message)).toEqual([
      "this call fails because of the devnet's fail rate",
    ]);
  });

  it("answers every call that controls it", async () => {
    for (let calls = 0; calls < 6; calls++) {
      expect(await service.rpc("devnet.info")).toMatchObject({ result: { network: "devnet" } });
      expect(await service.rpc("rpc.ping")).toMatchObject({ result: "pong" });
    }
  });
});

it("every method with injected faults documents the errors of a fail rate", () => {
  for (const [name, definition] of flatten(registry))
    if (!/^(devnet|rpc)\./.test(name))
      expect([name, failuresOf(definition, "POST")]).toEqual([
        name,
        expect.arrayContaining(["timeout", "unavailable"]),
      ]);
});
