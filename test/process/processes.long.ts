import { expect, it } from "vitest";
import { isRunning } from "../helpers/is-running.js";
import { tonwire } from "../helpers/services/command.js";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { until } from "../helpers/until.js";

type Line = { process?: number; time: number | string; msg: string };

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

it("several processes stop one after the other under load, and no call fails before the last one stops", {
  timeout: 600_000,
}, async () => {
  const service = await SeveralProcesses.start(3);
  let answered = 0;
  const failedAt: number[] = [];
  const otherAnswers: number[] = [];
  const client = async () => {
    for (;;) {
      const status = await service.get("/api/v2/getMasterchainInfo").then(
        (answer) => answer.status,
        () => undefined,
      );
      if (status === undefined) return void failedAt.push(Date.now());
      if (status === 200) answered++;
      else otherAnswers.push(status);
    }
  };
  const clients = Array.from({ length: 6 }, client);
  await until("calls", () => answered > 100);
  service.process.send("SIGTERM");
  await Promise.all(clients);
  expect(await service.process.ended).toBe(0);

  const lines = service.process.stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);
  const said = (text: string) =>
    lines.filter(({ msg, process }) => msg.startsWith(text) && process !== undefined);
  expect(said("the process stops").map(({ process }) => process)).toEqual([3, 2, 1]);
  expect(said("the process has stopped").map(({ process }) => process)).toEqual([3, 2, 1]);
  // The last one refuses calls from then on, and may say so a moment later.
  const othersStopped = new Date(said("the process has stopped")[1]!.time).getTime();
  expect(Math.min(...failedAt)).toBeGreaterThanOrEqual(othersStopped);
  expect(otherAnswers).toEqual([]);
});

it("several processes end with the one that started them", { timeout: 600_000 }, async () => {
  const service = await SeveralProcesses.start(2);
  const pids = (await service.status()).processes.map(({ pid }) => pid);
  service.process.send("SIGKILL");
  await service.process.ended;
  await until("the end of its processes", () => !pids.some(isRunning));
});

it("a service of several processes says which setting is wrong, as one of one process does", {
  timeout: 600_000,
}, async () => {
  const other = await SeveralProcesses.start(2);
  const { port } = new URL(other.url);
  const flags = ["--processes", "2", "--index", "false", "--admin-port", "0"];
  const taken = await tonwire(["start", ...flags, "--port", port]);
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(`--port`)]);
});
