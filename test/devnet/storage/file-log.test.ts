import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FileLog } from "../../../server/devnet/storage/file-log.js";
import type { LogRecord } from "../../../server/devnet/storage/record-log.js";
import { variants } from "../../helpers/effort.js";
import { fillDisk } from "../../helpers/full-disk.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const records: LogRecord[] = [100, 4, 3000, 70_000, 12].map((length, index) => ({
  kind: index + 1,
  payload: Uint8Array.from({ length }, (_, at) => (at * 31 + index) & 0xff),
}));

/** As texts, which are compared a hundred times faster than bytes. */
const textOf = ({ kind, payload }: LogRecord) => `${kind} ${Buffer.from(payload).toString("base64")}`;
const texts = (all: readonly LogRecord[]) => all.map(textOf);

async function opened(path: string): Promise<{ log: FileLog; found: LogRecord[]; positions: number[] }> {
  const found: LogRecord[] = [];
  const positions: number[] = [];
  const log = await FileLog.open(path, (record, position) => {
    found.push({ kind: record.kind, payload: record.payload.slice() });
    positions.push(position);
  });
  return { log, found, positions };
}

/** Writes and closes a log with the records above; returns their positions. */
async function written(): Promise<{ path: string; positions: number[] }> {
  const path = join(temporaryFolder(), "chain.log");
  const { log } = await opened(path);
  const positions = await log.append(records);
  await log.close();
  return { path, positions };
}

describe("a log in a file", () => {
  test("returns the appended records, in order and by position", async () => {
    const { path, positions } = await written();
    const { log, found, positions: seen } = await opened(path);
    expect(texts(found)).toEqual(texts(records));
    expect(seen).toEqual(positions);
    for (const [index, position] of positions.entries())
      expect(textOf(await log.read(position))).toBe(textOf(records[index]!));
    await log.close();
  });

  test("concurrent appends keep their order and all succeed", async () => {
    const path = join(temporaryFolder(), "chain.log");
    const { log } = await opened(path);
    const payloads = Array.from({ length: 200 }, (_, index) => new Uint8Array(8).fill(index));
    await Promise.all(payloads.map((payload) => log.append([{ kind: 4, payload }])));
    await log.close();
    const { log: again, found } = await opened(path);
    expect(found.map(({ payload }) => payload)).toEqual(payloads);
    await again.close();
  });

  test("an append that was not awaited is on disk after close", async () => {
    const path = join(temporaryFolder(), "chain.log");
    const { log } = await opened(path);
    const appended = log.append([records[0]!]);
    await log.close();
    await appended;
    await expect(log.append([records[1]!])).rejects.toThrow("the chain log is closed");
    const { log: again, found } = await opened(path);
    expect(texts(found)).toEqual(texts([records[0]!]));
    await again.close();
  });

  test("a last record truncated in its header or payload is removed, and the log continues", async () => {
    const { path, positions } = await written();
    const whole = readFileSync(path);
    for (const more of variants([10], [1, 4, 8, 9, 20])) {
      const length = positions[4]! + more;
      expect(length).toBeLessThan(whole.length);
      writeFileSync(path, whole.subarray(0, length));
      const { log, found } = await opened(path);
      expect(texts(found)).toEqual(texts(records.slice(0, 4)));
      expect(statSync(path).size).toBe(positions[4]);
      await log.append([records[4]!]);
      await log.close();
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
  });

  test("zeros after the last record, as a power failure leaves them, are removed", async () => {
    const { path } = await written();
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole, Buffer.alloc(5000)]));
    const { log, found } = await opened(path);
    expect(texts(found)).toEqual(texts(records));
    expect(statSync(path).size).toBe(whole.length);
    await log.close();
  });

  test("damage before valid records is an error with its offset", async () => {
    const { path, positions } = await written();
    const whole = readFileSync(path);
    for (const index of variants([1], [0, 2, 3])) {
      const start = positions[index]!;
      // Length, checksum, kind, first and last byte of the payload.
      const end = positions[index + 1]! - 1;
      for (const offset of variants([start + 3, end], [start, start + 5, start + 8, start + 9])) {
        const damaged = Buffer.from(whole);
        damaged[offset]! ^= 0x10;
        writeFileSync(path, damaged);
        await expect(opened(path), `byte ${offset}`).rejects.toMatchObject({
          name: "DamagedLogError",
          offset: start,
          message: expect.stringContaining(
            `${path} is damaged at byte ${start}, with sound records behind it: restore the data folder`,
          ),
        });
        expect(readFileSync(path).equals(damaged)).toBe(true);
      }
    }
  });

  test("a record that is damaged while the log is open is not returned", async () => {
    const { path, positions } = await written();
    const { log } = await opened(path);
    const damaged = readFileSync(path);
    damaged[positions[2]! + 50]! ^= 1;
    writeFileSync(path, damaged);
    await expect(log.read(positions[2]!)).rejects.toThrow(`record at offset ${positions[2]} is damaged`);
    truncateSync(path, positions[3]! + 20);
    await expect(log.read(positions[3]!)).rejects.toThrow(`ends inside the record at offset ${positions[3]}`);
    await log.close();
  });
});

describe("a log on a full disk", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** A log with the first record. Its repairs run when the fake clock advances. */
  async function logWithFirst() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const path = join(temporaryFolder(), "chain.log");
    const told: (string | undefined)[] = [];
    let heard: () => void = () => {};
    const log = await FileLog.open(path, () => {}, {
      onFailure: (failure) => {
        told.push(failure?.message);
        heard();
      },
    });
    const next = () => new Promise<void>((resolve) => (heard = resolve));
    const appended = log.append([records[0]!]);
    await vi.advanceTimersByTimeAsync(10);
    await appended;
    return { path, log, told, next };
  }

  async function failedAppend(log: FileLog): Promise<void> {
    const both = Promise.allSettled([log.append([records[1]!, records[2]!]), log.append([records[3]!])]);
    await vi.advanceTimersByTimeAsync(10);
    for (const { status } of await both) expect(status).toBe("rejected");
  }

  const reason = "nothing can be written to the data folder: ENOSPC: no space left on device";

  test("refuses appends, reports it once, and continues when there is space again", async () => {
    const { path, log, told, next } = await logWithFirst();
    const disk = await fillDisk(50);
    await failedAppend(log);
    await expect(log.append([records[4]!])).rejects.toMatchObject({ kind: "unavailable", message: reason });
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toEqual([reason]);
    expect(textOf(await log.read(0))).toBe(textOf(records[0]!));

    disk.mockRestore();
    const well = next();
    await vi.advanceTimersByTimeAsync(1000);
    await well;
    expect(told).toEqual([reason, undefined]);
    const appended = log.append([records[4]!]);
    await vi.advanceTimersByTimeAsync(10);
    const [position] = await appended;
    expect(textOf(await log.read(position!))).toBe(textOf(records[4]!));
    await log.close();
    const { log: again, found } = await opened(path);
    expect(texts(found)).toEqual(texts([records[0]!, records[4]!]));
    await again.close();
  });

  test("keeps nothing of a failed write, and close does not wait for space", async () => {
    const { path, log } = await logWithFirst();
    const disk = await fillDisk(50);
    await failedAppend(log);
    await log.close();
    disk.mockRestore();
    const { log: again, found } = await opened(path);
    expect(texts(found)).toEqual(texts([records[0]!]));
    await again.close();
  });
});
