import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { describePostgres } from "../helpers/store/describe-databases.js";

/** A million takes a quarter of an hour. */
const hashes = Number(process.env["TONWIRE_UNKNOWN_HASHES"] ?? 20_000);
const perBatch = 100;
const mebibyte = 1024 * 1024;

function heapMiB(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / mebibyte;
}

// The memory is that of the process, where both kinds of database have the same code.
describePostgres("The status of unknown messages", (_fresh, server) => {
  test("leaves nothing in memory", {
    timeout: 3_600_000,
  }, async () => {
    const service = await startDevnetService({ index: true, databaseUrl: await server().database() });
    onTestFinished(() => service.close());
    await untilIndexed(service, 1);
    const random = pseudoRandom(11);
    const ask = async (count: number) => {
      for (let asked = 0; asked < count; asked += perBatch) {
        const calls = Array.from({ length: perBatch }, (_, id) => {
          const hash = Buffer.from(Uint8Array.from({ length: 32 }, () => 256 * random.next().value)).toString(
            "base64",
          );
          return { jsonrpc: "2.0", id, method: "v3.messageStatus", params: { hash } };
        });
        const { json } = await service.post("/jsonRPC", calls);
        for (const { result } of json as { result: object }[])
          expect(result).toMatchObject({ status: "unknown", reason: "not_found" });
      }
    };
    // Caches are full, and code is compiled.
    await ask(hashes / 2);
    const before = heapMiB();
    await ask(hashes / 2);
    expect(heapMiB() - before).toBeLessThan(16);
  });
});
