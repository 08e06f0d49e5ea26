import { expect, it } from "vitest";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { until } from "../helpers/until.js";

it("a service gives up when a process ends again and again, and says so", { timeout: 600_000 }, async () => {
  const service = await SeveralProcesses.start(2);
  for (let end = 1; end < 8; end++) await service.kill(2);
  const { processes } = await service.status();
  expect(processes.map(({ restarts }) => restarts)).toEqual([0, 7]);
  process.kill(processes[1]!.pid, "SIGKILL");
  expect(await until("its end", () => service.process.ended)).toBe(1);
  expect(service.process.stderr).toContain(
    "process 2 of the service has ended 8 times in a row, the last time by SIGKILL",
  );
});
