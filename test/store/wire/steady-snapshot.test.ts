import { expect, test } from "vitest";
import { ServiceError } from "../../../server/errors.js";
import { isSteady, steadily } from "../../../server/store/wire/steady-snapshot.js";

test.each([
  ["7 7 true", "7", true],
  ["6 7 true", "7", false], // a commit has begun since the snapshot
  ["7 7 false", "7", false], // nodes do not have it yet
  ["7 7 true", "8", false], // another one has begun before the end
])("A snapshot with the commits %j and %s at its end is steady: %s", (commits, last, expected) => {
  expect(isSteady(commits, last)).toBe(expected);
});

/** A connection whose snapshots are steady or not, one after the other. */
function connectionWith({ isSteadyNow = true, broken = undefined as Error | undefined } = {}) {
  const log: string[] = [];
  return {
    log,
    broken,
    wasSteady: async () => isSteadyNow,
    script: async (text: string) => void log.push(/(un)?lock_shared/.exec(text)![0]),
  };
}

test("A steady snapshot is read once", async () => {
  const connection = connectionWith();
  expect(await steadily(connection, async (isWatched) => isWatched)).toBe(true);
  expect(connection.log).toEqual([]);
});

test("A snapshot that spans a commit is read again while commits wait", async () => {
  const connection = connectionWith({ isSteadyNow: false });
  const run = async (isWatched: boolean) => {
    connection.log.push(`run ${isWatched}`);
    return isWatched ? "torn" : "whole";
  };
  expect(await steadily(connection, run)).toBe("whole");
  expect(connection.log).toEqual(["run true", "lock_shared", "run false", "unlock_shared"]);
});

test("Rows that did not fit together make no defect", async () => {
  const run = async (isWatched: boolean) => {
    if (isWatched) throw new TypeError("a row is missing");
    return "whole";
  };
  expect(await steadily(connectionWith({ isSteadyNow: false }), run)).toBe("whole");
  await expect(steadily(connectionWith(), run)).rejects.toThrow("a row is missing");
});

test("Commits go on after the second reading has failed", async () => {
  const connection = connectionWith({ isSteadyNow: false });
  const failing = steadily(connection, () => Promise.reject(new TypeError("a defect")));
  await expect(failing).rejects.toThrow("a defect");
  expect(connection.log).toEqual(["lock_shared", "unlock_shared"]);
});

test("An answer that took too long, and one of a broken connection, is not read again", async () => {
  const tooLong = new ServiceError("timeout");
  const unsteady = connectionWith({ isSteadyNow: false });
  await expect(steadily(unsteady, () => Promise.reject(tooLong))).rejects.toBe(tooLong);
  const broken = connectionWith({ isSteadyNow: false, broken: new Error("lost") });
  await expect(steadily(broken, () => Promise.reject(new TypeError("lost")))).rejects.toThrow("lost");
  expect([...unsteady.log, ...broken.log]).toEqual([]);
});

test("A snapshot that was cancelled by a deadlock with a new slot is read again", async () => {
  const deadlock = Object.assign(new Error("deadlock detected"), { severity: "ERROR", code: "40P01" });
  const error = new ServiceError("unavailable", "database is not available", { cause: deadlock });
  let runs = 0;
  const run = async () => {
    if (++runs === 1) throw error;
    return "whole";
  };
  expect(await steadily(connectionWith(), run)).toBe("whole");
  expect(runs).toBe(2);
  await expect(steadily(connectionWith(), () => Promise.reject(error))).rejects.toBe(error);
});
