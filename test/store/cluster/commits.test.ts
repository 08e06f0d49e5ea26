import { describe, expect, it, test } from "vitest";
import { ServiceError } from "../../../server/errors.js";
import { NodeCommits } from "../../../server/store/cluster/commits.js";
import type { IndexVersion, Sql, Statement } from "../../../server/store/database.js";
import { BehindError } from "../../../server/store/database-errors.js";

/** A coordinator: how many commits have begun, its version, and the least one of its nodes. */
class Coordinator {
  begun = 7n;
  version = 3;
  least = 3;
  fails = false;
  readonly log: string[] = [];
  readonly commits = new NodeCommits({
    query: (statement: Statement) => this.#answer(statement),
    transaction: async (work: (transaction: unknown) => Promise<unknown>) => {
      try {
        return await work({ query: (statement: Statement) => this.#answer(statement) });
      } finally {
        this.log.push("free");
      }
    },
  } as unknown as Sql);

  /** A commit that all nodes have. */
  commit(): void {
    this.begun++;
    this.version++;
    this.least = this.version;
  }

  async #answer({ text }: Statement): Promise<unknown[]> {
    if (this.fails) throw new ServiceError("unavailable");
    if (text.includes("advisory")) return void this.log.push("held") as never;
    if (text.includes("as begun")) return [{ begun: this.begun }];
    return [{ n: text.includes("min(") ? this.least : this.version }];
  }

  /** Reads answers one after the other, each at the version that the coordinator then has. */
  steadily<T>(answer: () => T | Promise<T>, { at, signal, isOver = () => false }: Setting = {}): Promise<T> {
    return this.commits.steadily(
      async (onVersion) => {
        this.log.push("read");
        onVersion({ n: at?.() ?? this.version } as IndexVersion);
        return answer();
      },
      { signal, isOver },
    );
  }
}
type Setting = { at?: () => number; signal?: AbortSignal; isOver?: () => boolean };

const moment = ["held", "free"];

test("An answer is read once while nothing is committed, and the moment is looked for once", async () => {
  const coordinator = new Coordinator();
  expect(await coordinator.steadily(() => "first")).toBe("first");
  expect(await coordinator.steadily(() => "second")).toBe("second");
  expect(coordinator.log).toEqual([...moment, "read", "read"]);
});

test("One after a commit that was heard of is read at once", async () => {
  const coordinator = new Coordinator();
  await coordinator.commits.heard();
  expect(coordinator.log).toEqual([]);
  expect(await coordinator.steadily(() => "first")).toBe("first");
  coordinator.commit();
  await coordinator.commits.heard();
  expect(await coordinator.steadily(() => "second")).toBe("second");
  expect(coordinator.log).toEqual([...moment, "read", ...moment, "read"]);
});

test("One after a commit for which a look has failed is read as if nothing was heard", async () => {
  const coordinator = new Coordinator();
  await coordinator.steadily(() => "first");
  coordinator.commit();
  coordinator.fails = true;
  await coordinator.commits.heard();
  coordinator.fails = false;
  expect(await coordinator.steadily(() => "second")).toBe("second");
  expect(coordinator.log).toEqual([...moment, "read", ...moment, "read"]);
});

test("One that spans a commit is read again, in the moment behind it", async () => {
  const coordinator = new Coordinator();
  let reads = 0;
  const read = () => {
    if (++reads === 1) coordinator.commit();
    return coordinator.version;
  };
  expect(await coordinator.steadily(read)).toBe(4);
  expect(coordinator.log).toEqual([...moment, "read", ...moment, "read"]);
});

test("One that always spans a commit holds the next one up", async () => {
  const coordinator = new Coordinator();
  const read = () => {
    // Nothing is committed while the lock is held.
    if (coordinator.log.slice(-2).join() !== "held,read") coordinator.commit();
    return coordinator.version;
  };
  await coordinator.steadily(read);
  expect(coordinator.log.filter((each) => each === "read").length).toBeGreaterThan(2);
  expect(coordinator.log.slice(-3)).toEqual(["held", "read", "free"]);
});

test("A node without the last commit is waited for", async () => {
  const coordinator = new Coordinator();
  coordinator.least = 2;
  const reading = coordinator.steadily(() => coordinator.least);
  await Promise.resolve();
  coordinator.least = 3;
  expect(await reading).toBe(3);
});

test("A commit that has begun and failed is no other version", async () => {
  const coordinator = new Coordinator();
  await coordinator.steadily(() => "whole");
  coordinator.begun++;
  expect(await coordinator.steadily(() => "whole")).toBe("whole");
  expect(coordinator.log).toEqual([...moment, "read", ...moment, "read"]);
});

test("An answer of a standby with an older copy of the version does not count, nor hold commits up", async () => {
  const coordinator = new Coordinator();
  const reading = coordinator.steadily(() => "old", { at: () => 2 });
  await expect(reading).rejects.toBeInstanceOf(BehindError);
  expect(coordinator.log).toEqual([...moment, "read"]);
});

test("One that has fallen behind while it holds commits up does not count either", async () => {
  const coordinator = new Coordinator();
  const isHeld = () => coordinator.log.slice(-2).join() === "held,read";
  const reading = coordinator.steadily(
    () => {
      if (!isHeld()) coordinator.commit();
      return "old";
    },
    { at: () => coordinator.version - (isHeld() ? 1 : 0) },
  );
  await expect(reading).rejects.toBeInstanceOf(BehindError);
});

describe("an error", () => {
  it("of rows that did not fit together is none", async () => {
    const coordinator = new Coordinator();
    let reads = 0;
    const read = () => {
      if (++reads > 1) return "whole";
      coordinator.commit();
      throw new TypeError("a row is missing");
    };
    expect(await coordinator.steadily(read)).toBe("whole");
    const failing = coordinator.steadily(() => Promise.reject(new TypeError("a defect")));
    await expect(failing).rejects.toThrow("a defect");
  });

  it("of a timeout, a lost server or a broken connection ends the answer", async () => {
    for (const error of [new ServiceError("timeout"), new ServiceError("unavailable")]) {
      const coordinator = new Coordinator();
      const read = () => {
        coordinator.commit();
        throw error;
      };
      await expect(coordinator.steadily(read)).rejects.toBe(error);
      expect(coordinator.log).toEqual([...moment, "read"]);
    }
    const coordinator = new Coordinator();
    const read = () => {
      coordinator.commit();
      throw new TypeError("lost");
    };
    await expect(coordinator.steadily(read, { isOver: () => true })).rejects.toThrow("lost");
  });

  it("of a deadlock with a new slot is read again, while commits wait", async () => {
    const coordinator = new Coordinator();
    const deadlock = Object.assign(new Error("deadlock detected"), { severity: "ERROR", code: "40P01" });
    const error = new ServiceError("unavailable", "database is not available", { cause: deadlock });
    let reads = 0;
    const read = () => {
      if (++reads === 1) throw error;
      return "whole";
    };
    expect(await coordinator.steadily(read)).toBe("whole");
    expect(coordinator.log).toEqual([...moment, "read", "held", "read", "free"]);
    await expect(coordinator.steadily(() => Promise.reject(error))).rejects.toBe(error);
  });
});

test("A caller that goes does not wait for a node", async () => {
  const coordinator = new Coordinator();
  coordinator.least = 2;
  const gone = new AbortController();
  const reading = coordinator.steadily(() => "never", { signal: gone.signal });
  gone.abort();
  await expect(reading).rejects.toMatchObject({ code: "timeout" });
  coordinator.least = 3;
  expect(coordinator.log).not.toContain("read");
});
