import { describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../server/errors.js";
import { Doorbell } from "../../server/os/doorbell.js";
import type { AccountState } from "../../server/store/tables/accounts.js";
import { editedAccount } from "../../server/stream/events/account-edits.js";
import { HubCounts } from "../../server/stream/hub-counts.js";
import { HubWork } from "../../server/stream/hub-work.js";
import { limitError } from "../../server/stream/subscriptions/limit-error.js";

describe("the counts of sent events", () => {
  it("are by kind and finality, one for each receiver", () => {
    const counts = new HubCounts();
    counts.sent({ type: "transaction", finality: "finalized" }, 2);
    counts.sent({ type: "transaction", finality: "pending" }, 1);
    counts.sent({ type: "transaction", finality: "finalized" }, 3);
    counts.sent({ type: "trace", finality: "finalized" }, 1);
    expect(counts.events).toEqual([
      { kind: "transaction", finality: "finalized", count: 5 },
      { kind: "transaction", finality: "pending", count: 1 },
      { kind: "trace", finality: "finalized", count: 1 },
    ]);
  });

  it("have delays in cumulative buckets", () => {
    const counts = new HubCounts();
    for (const seconds of [-3, 1, 1.5, 400]) counts.delayed(seconds);
    const { buckets, sum, count } = counts.delay;
    expect([sum, count]).toEqual([402.5, 4]);
    expect(buckets.map(({ le, count: below }) => [le, below])).toEqual([
      [1, 2],
      [2, 3],
      [5, 3],
      [10, 3],
      [30, 3],
      [60, 3],
      [300, 3],
    ]);
  });
});

it("a limit of a plan is named by its error, with its value", () => {
  const error = limitError("accounts", { accounts: 5, subscriptions: 7 });
  expect(error).toMatchObject({
    code: "rate-limited",
    message: "limit of accounts exceeded: at most 5",
    data: { limit: "accounts" },
  });
});

describe("an account that was edited without a transaction", () => {
  const row = {
    account: Buffer.from("00".repeat(33), "hex"),
    lt: 7n,
    hash: Buffer.alloc(32, 1),
    balance: 5n,
    balance_extra_currencies: null,
    account_status: 2,
    frozen_hash: null,
    data_hash: null,
    code_hash: null,
  };
  const edited = (more: object = {}) =>
    editedAccount({ ...row, ...more } as unknown as AccountState).account_state_after;

  it("has its state as after a transaction", () => {
    const base64 = (byte: number) => Buffer.alloc(32, byte).toString("base64");
    expect(editedAccount(row as unknown as AccountState)).toMatchObject({ lt: "7" });
    expect(edited()).toMatchObject({
      hash: base64(1),
      balance: "5",
      extra_currencies: {},
      frozen_hash: null,
      data_hash: null,
      code_hash: null,
    });
    const [frozen_hash, data_hash, code_hash] = [2, 3, 4].map((byte) => Buffer.alloc(32, byte));
    expect(
      edited({ frozen_hash, data_hash, code_hash, balance_extra_currencies: { 100: "7" } }),
    ).toMatchObject({
      extra_currencies: { 100: "7" },
      frozen_hash: base64(2),
      data_hash: base64(3),
      code_hash: base64(4),
    });
  });

  it("has one of the known statuses", () => {
    const statuses = [0, 1, 2, 3].map((account_status) => edited({ account_status }).account_status);
    expect(new Set(statuses).size).toBe(4);
    expect(() => edited({ account_status: 99 })).toThrow();
  });
});

describe("the work of a hub", () => {
  function working(read: (...args: unknown[]) => unknown = () => undefined) {
    const errors: Error[] = [];
    const work = new HubWork({ index: { read } as never, onError: (error) => errors.push(error) });
    return { work, errors };
  }

  it("reads as the caller of streams, until it ends", () => {
    const asked: unknown[] = [];
    const { work } = working((...args) => {
      asked.push(...args);
      return "found";
    });
    const reading = async () => "rows";
    expect(work.read(reading)).toBe("found");
    expect(asked).toEqual([
      expect.objectContaining({ caller: "streams", unlimited: true, asked: new Set(), options: {} }),
      reading,
    ]);
    const { signal } = work.call;
    expect([work.hasEnded, signal.aborted]).toEqual([false, false]);
    work.end();
    expect([work.hasEnded, signal.aborted]).toEqual([true, true]);
  });

  it("is repeated at each notification until the end", async () => {
    const { work } = working();
    const news = new Doorbell();
    let rounds = 0;
    await work.repeat(
      news,
      () => 1 << 30,
      async () => {
        if (++rounds === 3) work.end();
        else news.ring();
      },
    );
    expect(rounds).toBe(3);
  });

  it("is repeated after its longest pause", async () => {
    const { work } = working();
    let rounds = 0;
    await work.repeat(
      new Doorbell(),
      () => 1,
      async () => {
        if (++rounds === 3) work.end();
      },
    );
    expect(rounds).toBe(3);
  });

  it("reports its failures, except outages and those of the end, and pauses before the next attempt", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { work, errors } = working();
      expect(await work.succeeds(async () => {})).toBe(true);
      const defect = new Error("a defect");
      const outage = new ServiceError("unavailable", "database is not available");
      for (const error of [defect, outage]) {
        let isOver = false;
        const failing = work.succeeds(async () => {
          throw error;
        });
        void failing.then(() => {
          isOver = true;
        });
        await vi.advanceTimersByTimeAsync(499);
        expect(isOver).toBe(false);
        await vi.advanceTimersByTimeAsync(1);
        expect(await failing).toBe(false);
      }
      expect(errors).toEqual([defect]);
      work.end();
      const late = work.succeeds(async () => {
        throw defect;
      });
      expect(await late).toBe(false);
      expect(errors).toEqual([defect]);
    } finally {
      vi.useRealTimers();
    }
  });
});
