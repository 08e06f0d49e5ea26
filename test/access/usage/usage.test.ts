import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rangeOf, type UsageStore, usageCsv } from "../../../server/access/usage/usage.js";
import { UsageFiles } from "../../../server/access/usage/usage-files.js";
import { UsageMeter } from "../../../server/access/usage/usage-meter.js";
import { withResolvers } from "../../../shared/values/promises.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const allDays = { from: "2000-01-01", to: "2100-01-01" };
const day = (text: string) => Date.parse(`${text}Z`);

/** A meter whose clock the test moves. It writes when the test asks for it. */
async function meterOf(store: UsageStore, at: string) {
  const clock = { now: day(at) };
  const failures: unknown[] = [];
  const meter = new UsageMeter({
    store,
    now: () => clock.now,
    fallback: (_, error) => failures.push(error),
    writeEveryMs: 1_000_000,
  });
  await meter.start();
  return { meter, failures, pass: (to: string) => (clock.now = day(to)) };
}

const row = (key: string, calls: number, of = "2030-01-31") => ({
  ...{ day: of, key, calls },
  points: 2 * calls,
  refused: 0,
});

describe("usage", () => {
  it("is in the files of its days, also after a restart", async () => {
    const folder = temporaryFolder();
    const first = await meterOf(new UsageFiles(folder), "2030-01-31T23:59:59");
    first.meter.count("a", { calls: 1, points: 3 });
    await first.meter.write();
    first.pass("2030-02-01T00:00:00");
    first.meter.count("a", { calls: 2, points: 2 });
    first.meter.count("b", { refused: 1 });
    await first.meter.close();
    expect(readdirSync(folder)).toEqual(["2030-01-31.json", "2030-02-01.json"]);
    const store = new UsageFiles(folder);
    expect(await store.read(allDays, 100)).toEqual([
      { day: "2030-01-31", key: "a", calls: 1, points: 3, refused: 0 },
      { day: "2030-02-01", key: "a", calls: 2, points: 2, refused: 0 },
      { day: "2030-02-01", key: "b", calls: 0, points: 0, refused: 1 },
    ]);
    const { meter } = await meterOf(store, "2030-02-01T10:00:00");
    // A start waits a second for what was used before.
    await meter.write();
    expect(meter.used("a")).toMatchObject({ calls: 2, points: 2 });
    meter.count("a", { calls: 1 });
    await meter.close();
    expect(await store.totals("2030-02")).toContainEqual({ key: "a", calls: 3, points: 2 });
  });

  it("is counted while the store does not answer, and known once it does", async () => {
    const answer = withResolvers<void>();
    const files = new UsageFiles(undefined);
    await files.add("2030-01-31", [row("a", 4)]);
    const store: UsageStore = {
      add: (...args) => files.add(...args),
      totals: (...args) => answer.promise.then(() => files.totals(...args)),
      read: (...args) => files.read(...args),
      close: () => files.close(),
    };
    const { meter } = await meterOf(store, "2030-01-31T12:00:00");
    meter.count("a", { calls: 1 });
    expect(meter.used("a").calls).toBe(1);
    answer.resolve();
    await meter.write();
    expect(meter.used("a").calls).toBe(5);
    await meter.close();
  });

  it("of other processes is known after the next write", async () => {
    const store = new UsageFiles(undefined);
    const one = await meterOf(store, "2030-01-31T12:00:00");
    const other = await meterOf(store, "2030-01-31T12:00:00");
    one.meter.count("a", { calls: 5 });
    await one.meter.write();
    other.meter.count("a", { calls: 1 });
    expect(other.meter.used("a").calls).toBe(1);
    await other.meter.write();
    expect(other.meter.used("a").calls).toBe(6);
  });

  it("that cannot be written waits, and is then written once", async () => {
    const store = new UsageFiles(undefined);
    let fails = true;
    const failing: UsageStore = {
      add: (of, rows) => (fails ? Promise.reject(new Error("no disk")) : store.add(of, rows)),
      totals: (month, keys) => store.totals(month, keys),
      read: (range, limit) => store.read(range, limit),
      close: async () => {},
    };
    const { meter, failures } = await meterOf(failing, "2030-01-31T12:00:00");
    meter.count("a", { calls: 1 });
    await meter.write();
    meter.count("a", { calls: 1 });
    await meter.write();
    expect(failures).toEqual([new Error("no disk"), new Error("no disk")]);
    fails = false;
    await meter.write();
    await meter.write();
    expect(await store.read(allDays, 10)).toEqual([
      { day: "2030-01-31", key: "a", calls: 2, points: 0, refused: 0 },
    ]);
    expect(meter.used("a").calls).toBe(2);
  });

  it("is removed after 400 days", async () => {
    const store = new UsageFiles(temporaryFolder());
    for (const of of ["2030-01-01", "2030-01-02", "2031-02-05"]) await store.add(of, [row("a", 1, of)]);
    const days = (await store.read(allDays, 10)).map((each) => each.day);
    expect(days).toEqual(["2030-01-02", "2031-02-05"]);
  });

  it("in a damaged file is an error that names the file", async () => {
    const folder = temporaryFolder();
    writeFileSync(`${folder}/2030-01-31.json`, '{"a":{"calls":"many"}}');
    const store = new UsageFiles(folder);
    await expect(store.read(allDays, 10)).rejects.toThrow(`${folder}/2030-01-31.json is no file of usage`);
  });

  it("as CSV has a head, and quotes ids that need it", () => {
    expect(usageCsv([row("a", 1), row('b,"c"', 2)])).toBe(
      'day,key,calls,points,refused\r\n2030-01-31,a,1,2,0\r\n2030-01-31,"b,""c""",2,4,0\r\n',
    );
  });
});

describe("a quota", () => {
  it("ends with the month, at midnight UTC", async () => {
    const { meter, pass } = await meterOf(new UsageFiles(undefined), "2030-12-31T23:59:50");
    meter.count("a", { calls: 2 });
    const refusal = { code: "quota-exceeded", data: { limit: "month_calls", quota: 2, retry_after: 10 } };
    expect(() => meter.checkQuota("a", { calls: 2 }, 1)).toThrow(
      expect.objectContaining({
        ...refusal,
        data: { ...refusal.data, resets_at: "2031-01-01T00:00:00.000Z" },
        message: "the monthly quota of 2 calls of this API key is used up until 2031-01-01T00:00:00.000Z",
      }),
    );
    await meter.write();
    pass("2031-01-01T00:00:00");
    expect(() => meter.checkQuota("a", { calls: 2 }, 1)).not.toThrow();
    expect(meter.used("a").calls).toBe(0);
  });

  it("of points leaves out those of the call itself", async () => {
    const { meter } = await meterOf(new UsageFiles(undefined), "2030-12-31T12:00:00");
    meter.count("a", { points: 10 });
    expect(() => meter.checkQuota("a", { points: 10 }, 1)).not.toThrow();
    meter.count("a", { points: 1 });
    expect(() => meter.checkQuota("a", { points: 10 }, 1)).toThrow("quota of 10 points");
  });
});

describe("a range of days", () => {
  const now = day("2030-03-10T12:00:00");

  it("is this month by default", () => {
    expect(rangeOf({}, now)).toEqual({ from: "2030-03-01", to: "2030-03-10" });
    expect(rangeOf({ to: "2030-02-05" }, now)).toEqual({ from: "2030-02-01", to: "2030-02-05" });
  });

  it.each([
    [{ from: "yesterday" }, "from is not a day"],
    [{ to: "2030-02-30" }, "to is not a day"],
    [{ from: "2030-03-11" }, "from is after to"],
    [{ from: "2020-01-01" }, "more than 400 days"],
  ])("is refused with %j", (asked, text) => expect(() => rangeOf(asked, now)).toThrow(text));
});
