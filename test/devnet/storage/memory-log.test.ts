import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../server/devnet/storage/memory-log.js";
import type { LogRecord } from "../../../server/devnet/storage/record-log.js";

/** Records that have nearly everything in common, as blocks of a chain that is idle. */
function similarRecords(count: number, kind: number): LogRecord[] {
  const common = randomBytes(4000);
  return Array.from({ length: count }, (_, index) => {
    const payload = new Uint8Array(common);
    new DataView(payload.buffer).setUint32(0, index);
    return { kind, payload };
  });
}

/** As texts, which are compared a hundred times faster than bytes. */
const textOf = ({ kind, payload }: LogRecord) => `${kind} ${Buffer.from(payload).toString("base64")}`;

async function contentOf(log: MemoryLog, count: number): Promise<string[]> {
  const texts: string[] = [];
  for (let position = 0; position < count; position++) texts.push(textOf(await log.read(position)));
  return texts;
}

test("a log in memory returns every record, old and new", async () => {
  const log = new MemoryLog();
  const records = similarRecords(500, 1);
  const positions: number[] = [];
  for (const record of records) positions.push(...(await log.append([record])));
  expect(positions).toEqual(records.map((_, index) => index));
  expect(await contentOf(log, 500)).toEqual(records.map(textOf));
  await expect(log.read(500)).rejects.toThrow("the log has no record 500");
  await log.close();
});

test.each([0, 1, 16, 37, 383, 384, 499, 500])(
  "a log in memory continues after it dropped the records after %i",
  async (kept) => {
    const log = new MemoryLog();
    const records = similarRecords(500, 1);
    const others = similarRecords(200, 2);
    await log.append(records);
    log.forgetFrom(kept);
    await expect(log.read(kept)).rejects.toThrow(`the log has no record ${kept}`);
    expect(await log.append(others)).toEqual(others.map((_, index) => kept + index));
    expect(await contentOf(log, kept + 200)).toEqual([...records.slice(0, kept), ...others].map(textOf));
  },
);
