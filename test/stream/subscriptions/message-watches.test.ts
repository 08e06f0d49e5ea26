import { describe, expect, it } from "vitest";
import {
  followedIn,
  hasEnded,
  LastStatus,
  MessageWatch,
  MessageWatches,
  type ReadStatus,
} from "../../../server/stream/subscriptions/message-watches.js";
import type { Call } from "../../../shared/methods/define.js";
import { subscribeParams } from "../../../shared/schema/streams/subscription-params.js";
import type { MessageStatus } from "../../../shared/schema/v3/message-status.js";

const call = {} as Call;
const hash = new Uint8Array(32).fill(1);
const statusOf = (status: MessageStatus["status"], more: object = {}) =>
  ({ status, ...more }) as MessageStatus;

class Sink {
  isFull = false;
  readonly told: string[] = [];
  readonly marks: string[] = [];
  changed({ status }: MessageStatus, mark: string) {
    this.told.push(status);
    this.marks.push(mark);
  }
  ended() {
    this.told.push("end");
  }
}

function watching(options: { lastStatus?: LastStatus; waitMs?: number } = {}) {
  const sink = new Sink();
  const { lastStatus, waitMs = 1000 } = options;
  const watch = new MessageWatch({ hash, waitMs, lastStatus }, 5000, sink);
  return { sink, watch };
}

describe("a followed message", () => {
  it("is told of by each change of its status, and ends with the last one", () => {
    const { sink, watch } = watching();
    for (const status of ["unknown", "unknown", "pending", "pending", "completed"] as const)
      watch.tell(statusOf(status), 5000);
    expect(sink.told).toEqual(["unknown", "pending", "completed", "end"]);
    expect(new Set(sink.marks).size).toBe(3);
    for (const mark of sink.marks) expect(mark).toMatch(/^[\w-]{16}$/);
  });

  it("is told of by a change within a status", () => {
    const { sink, watch } = watching();
    watch.tell(statusOf("pending", { seqno: 1 }), 5000);
    watch.tell(statusOf("pending", { seqno: 2 }), 5000);
    expect(sink.told).toEqual(["pending", "pending"]);
  });

  it("ends when it has been unknown for its time, and not while it is pending", () => {
    const { sink, watch } = watching();
    watch.tell(statusOf("unknown"), 5999);
    expect(sink.told).toEqual(["unknown"]);
    watch.tell(statusOf("pending"), 6000);
    watch.tell(statusOf("unknown"), 6000);
    expect(sink.told).toEqual(["unknown", "pending", "unknown", "end"]);
  });

  it("is told of by the latest change to a client that did not read", () => {
    const { sink, watch } = watching();
    sink.isFull = true;
    watch.tell(statusOf("unknown"), 5000);
    expect([watch.isOwed, sink.told]).toEqual([true, []]);
    watch.tell(statusOf("pending"), 5000);
    sink.isFull = false;
    watch.tell(statusOf("pending"), 5000);
    expect([watch.isOwed, sink.told]).toEqual([false, ["pending"]]);
    sink.isFull = true;
    watch.tell(statusOf("pending"), 5000);
    expect(watch.isOwed).toBe(false);
    watch.tell(statusOf("completed"), 5000);
    expect([watch.isOwed, sink.told]).toEqual([true, ["pending"]]);
  });

  it("is not told of again by what an earlier connection was sent", () => {
    const first = watching();
    first.watch.tell(statusOf("pending"), 5000);
    const before = LastStatus.after(undefined, first.sink.marks[0]!);
    const { sink, watch } = watching({ lastStatus: before });
    watch.tell(statusOf("pending"), 5000);
    watch.tell(statusOf("completed"), 5000);
    expect(sink.told).toEqual(["completed", "end"]);
  });

  it("has ended for a client that was sent any final status of it", () => {
    const { sink, watch } = watching();
    watch.tell(statusOf("pending"), 5000);
    watch.tell(statusOf("expired"), 5000);
    const [pending, final] = sink.marks.map((mark) => LastStatus.after(undefined, mark));
    expect(hasEnded({ hash, lastStatus: final })).toBe(true);
    expect(hasEnded({ hash, lastStatus: pending })).toBe(false);
    expect(hasEnded({ hash, lastStatus: undefined })).toBe(false);
    expect(hasEnded({ hash: new Uint8Array(32).fill(2), lastStatus: final })).toBe(false);
    const later = watching({ lastStatus: final! });
    later.watch.tell(statusOf("completed"), 5000);
    expect(later.sink.told).toEqual(["end"]);
  });
});

describe("the last status in a cursor", () => {
  const mark = "abcdefghijklmn_-";

  it("is a text that grows with each status, and is read from it", () => {
    const first = LastStatus.after(undefined, mark);
    const second = LastStatus.after(first, mark);
    expect([first.text, second.text]).toEqual([`000000-${mark}`, `000001-${mark}`]);
    const read = LastStatus.in(second.text)!;
    expect([read.mark, read.text]).toEqual([mark, second.text]);
    expect(LastStatus.after(read, mark).text).toBe(`000002-${mark}`);
    expect(LastStatus.after(LastStatus.in(`999999-${mark}`), mark).text).toBe(`000000-${mark}`);
  });

  it.each(["", `00000-${mark}`, `0000000-${mark}`, `000000-${mark}x`, `x000000-${mark}`, "000000-short"])(
    "is not in %j",
    (text) => {
      expect(LastStatus.in(text)).toBeUndefined();
    },
  );
});

describe("the message that a subscription follows", () => {
  const base64 = Buffer.from(hash).toString("base64");
  const params = (more: object) => subscribeParams.parse({ kind: "message", message: base64, ...more });

  it("may be unknown for the time that it names, or for the usual one", () => {
    const status = LastStatus.in("000000-abcdefghijklmnop");
    const followed = followedIn(params({ wait: 7 }), status)!;
    expect(Buffer.from(followed.hash).toString("base64")).toBe(base64);
    expect([followed.waitMs, followed.lastStatus]).toEqual([7000, status]);
    expect(followedIn(params({}), undefined)!.waitMs).toBeGreaterThan(0);
    expect(followedIn(subscribeParams.parse({ kind: "blocks" }), undefined)).toBeUndefined();
  });
});

describe("all followed messages", () => {
  const hashOf = (byte: number) => new Uint8Array(32).fill(byte);
  function watches(read: ReadStatus) {
    const all = new MessageWatches({ read, describe: async (status) => status, now: () => 5000 });
    const add = (byte: number) => {
      const sink = new Sink();
      const watch = new MessageWatch({ hash: hashOf(byte), waitMs: 1000, lastStatus: undefined }, 0, sink);
      all.add(watch);
      return { sink, watch };
    };
    return { all, add };
  }

  it("are read once each, however many clients follow them", async () => {
    const asked: number[] = [];
    const { all, add } = watches(async ([first]) => {
      asked.push(first!);
      return statusOf("pending");
    });
    const sinks = [1, 1, 2, 3, 4, 5, 6, 1].map((byte) => add(byte).sink);
    expect(all.size).toBe(8);
    await all.look(call);
    expect(asked.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { told } of sinks) expect(told).toEqual(["pending"]);
  });

  it("are read four at a time", async () => {
    let running = 0;
    let most = 0;
    const { all, add } = watches(async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return statusOf("pending");
    });
    for (let byte = 0; byte < 10; byte++) add(byte);
    await all.look(call);
    expect(most).toBe(4);
  });

  it("leave out those that have gone, also during the read", async () => {
    const { all, add } = watches(async () => {
      all.delete(second.watch);
      return statusOf("pending");
    });
    const [first, second, third] = [add(1), add(1), add(2)];
    all.delete(third.watch);
    await all.look(call);
    expect([first.sink.told, second.sink.told, third.sink.told]).toEqual([["pending"], [], []]);
    expect(all.size).toBe(1);
  });

  it("are all read before a failure of one is thrown", async () => {
    const { all, add } = watches(async ([first]) => {
      if (first === 1) throw new Error("no answer");
      return statusOf("pending");
    });
    const [failed, others] = [add(1), [add(2), add(3), add(4), add(5), add(6)]];
    await expect(all.look(call)).rejects.toThrow("no answer");
    expect(failed.sink.told).toEqual([]);
    for (const { sink } of others) expect(sink.told).toEqual(["pending"]);
  });
});
