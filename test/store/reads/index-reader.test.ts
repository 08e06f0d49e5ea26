import { describe, expect, it } from "vitest";
import type { Sql } from "../../../server/store/database.js";
import { IndexReader } from "../../../server/store/reads/index-reader.js";
import type { Call } from "../../../shared/methods/define.js";

const hour = 3_600_000;
const unavailable = { code: "unavailable", message: "database is not available" };
const callOf = (signal: AbortSignal): Call => ({ signal, options: {} }) as unknown as Call;
const database = { transaction: (work: (queries: unknown) => unknown) => work("queries") } as unknown as Sql;

describe("an index whose database is opened later", () => {
  function startReading(options: ConstructorParameters<typeof IndexReader>[0] = {}) {
    const reader = new IndexReader(options);
    const caller = new AbortController();
    return { reader, caller, answer: reader.read(callOf(caller.signal), async (queries) => queries) };
  }

  it("answers the questions asked before it was open", async () => {
    const { reader, answer } = startReading({ openWaitMs: hour });
    reader.connect(database);
    expect(await answer).toBe("queries");
  });

  it("refuses at once when it cannot be opened, and from then on", async () => {
    const { reader, answer } = startReading({ openWaitMs: hour });
    reader.connect(undefined);
    await expect(answer).rejects.toMatchObject(unavailable);
    const { signal } = new AbortController();
    await expect(reader.read(callOf(signal), async () => 1)).rejects.toMatchObject(unavailable);
  });

  it("waits no longer than for its caller, and no longer than its limit", async () => {
    const { caller, answer } = startReading({ openWaitMs: hour });
    caller.abort();
    await expect(answer).rejects.toMatchObject(unavailable);
    await expect(startReading({ openWaitMs: 1 }).answer).rejects.toMatchObject(unavailable);
    await expect(startReading().answer).rejects.toMatchObject(unavailable);
  });

  it("reports the missing part where that is known", async () => {
    const { answer } = startReading({ lack: () => "block 3 of 31" });
    await expect(answer).rejects.toMatchObject({ ...unavailable, message: "block 3 of 31" });
  });
});

it("An answer for which the user of the database lacks a right is unavailable, and only operators learn which", async () => {
  const denied = Object.assign(new Error("permission denied for table transactions"), {
    severity: "ERROR",
    code: "42501",
  });
  const told: Error[] = [];
  const reader = new IndexReader({ onForbidden: (error) => told.push(error) });
  reader.connect(database);
  const answer = reader.read(callOf(new AbortController().signal), () => Promise.reject(denied));
  await expect(answer).rejects.toMatchObject({
    ...unavailable,
    message: "database permissions are missing",
    data: { retry_after: 1 },
  });
  expect(told).toEqual([denied]);
});
