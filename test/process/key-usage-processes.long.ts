import { join } from "node:path";
import { expect, test } from "vitest";
import { createKey, setPlan } from "../../server/access/keys/key-commands.js";
import { changeKeyFile } from "../../server/access/keys/key-file.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { until } from "../helpers/until.js";

const info = "/api/v2/getMasterchainInfo";

test("Processes of a service share a quota, and one file has their usage", { timeout: 600_000 }, async () => {
  const keysFile = join(folderInRun("tonwire-keys-"), "keys.json");
  await changeKeyFile(keysFile, (file) =>
    setPlan(file, "gold", { rps: 1000, burst: 1000 }, undefined, { calls: 40 }),
  );
  const { text, record } = await changeKeyFile(keysFile, (file) =>
    createKey(file, { network: "devnet", plan: "gold", label: "" }, new Date()),
  );
  const service = await SeveralProcesses.start(2, { flags: ["--keys-file", keysFile] });
  const round = () => Promise.all(Array.from({ length: 10 }, () => service.get(info, text)));
  let served = 0;
  // A process learns of the calls of the other one when it writes its own.
  await until("a quota that both processes refuse", async () => {
    const refused = (await round()).filter(({ status }) => status === 429).length;
    served += 10 - refused;
    return refused === 10;
  });
  expect(served).toBeGreaterThanOrEqual(40);
  const counted = await until("the counts of both processes", async () => {
    const { json } = await service.get("/usage", text);
    const { key, days } = json as { key: string; days: { calls: number }[] };
    const calls = days.reduce((sum, day) => sum + day.calls, 0);
    return calls === served ? { key, calls } : undefined;
  });
  expect(counted).toEqual({ key: record.id, calls: served });
});
