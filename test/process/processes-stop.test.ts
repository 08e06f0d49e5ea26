import { expect, it } from "vitest";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { until } from "../helpers/until.js";

type Line = { process?: number; time: number | string; msg: string };

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
