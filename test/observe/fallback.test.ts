import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SetupError } from "../../server/errors.js";
import { createFallback } from "../../server/observe/fallback.js";
import { createLog } from "../../server/observe/log.js";
import { createMetrics } from "../../server/observe/metrics.js";
import { freePort } from "../helpers/free-port.js";
import { startService } from "../helpers/services/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const counted = (text: string) =>
  text.split("\n").filter((line) => line.startsWith("tonwire_fallbacks_total"));

function opened() {
  const clock = { ms: 0 };
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const metrics = createMetrics(new Set());
  onTestFinished(() => metrics.close());
  const fallback = createFallback({ log, metrics, now: () => clock.ms });
  return { clock, lines, fallback, counts: async () => counted(await metrics.text()) };
}

describe("a failure that the program goes on without", () => {
  it("is counted each time, and logged once in ten minutes for each reason", async () => {
    const { clock, lines, fallback, counts } = opened();
    expect(await counts()).toEqual([]);
    for (let round = 0; round < 3; round++) fallback("kept-file", new SetupError("the disk is full"));
    fallback("short-methods", new Error("no memory"));
    expect(lines).toMatchObject([
      {
        severity: "warn",
        fallback: "kept-file",
        msg: "a file of the cache folder cannot be used, so starts take longer: the disk is full",
      },
      {
        severity: "warn",
        fallback: "short-methods",
        msg: "short get-methods run in other threads, which takes longer: no memory",
      },
    ]);
    clock.ms = 599_999;
    fallback("kept-file", new SetupError("the disk is full"));
    expect(lines.length).toBe(2);
    clock.ms = 600_000;
    fallback("kept-file", new SetupError("the disk is full"));
    expect(lines.length).toBe(3);
    expect(lines[2]).toMatchObject({ fallback: "kept-file", unlogged: 3 });
    expect(await counts()).toEqual([
      'tonwire_fallbacks_total{reason="kept-file"} 5',
      'tonwire_fallbacks_total{reason="short-methods"} 1',
    ]);
  });

  it("is logged with a stack only if it is a defect", () => {
    const { lines, fallback } = opened();
    fallback("kept-file", Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" }));
    fallback("copied-states", new TypeError("a state is missing"));
    fallback("short-methods", "a text");
    expect(lines.map(({ err }) => (err as { type: string } | undefined)?.type)).toEqual([
      undefined,
      "TypeError",
      undefined,
    ]);
    expect(lines[2]!["msg"]).toMatch(/: a text$/);
  });

  it("of a devnet's thread appears in the metrics and the log of the service", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const settings = { adminPort: await freePort(), cache: join(file, "cache"), story: true };
    const service = await startService(settings, { edition: "one" });
    onTestFinished(() => service.close());
    const counts = async () => counted(await (await fetch(`${service.adminUrl}/metrics`)).text());
    await until("the failure to be counted", async () => (await counts()).length > 0);
    expect(await counts()).toEqual([
      expect.stringMatching(/^tonwire_fallbacks_total\{reason="kept-file"\} [12]$/),
    ]);
    const lines = service.logLines.filter((line) => line.includes('"fallback":"kept-file"'));
    expect(lines.length).toBe(1);
    expect(JSON.parse(lines[0]!).msg).toMatch(/starts take longer: .*ENOTDIR/);
  });
});
