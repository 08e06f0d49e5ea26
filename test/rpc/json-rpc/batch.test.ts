import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../server/errors.js";
import {
  type Allowance,
  AnswerBudget,
  type AnswerLimits,
  longBytes,
} from "../../../server/rpc/answers/answer-budget.js";
import { pieceBytes } from "../../../server/rpc/answers/answer-pieces.js";
import type { Ending, Outcome } from "../../../server/rpc/dispatch.js";
import { type Batch, BatchRun } from "../../../server/rpc/json-rpc/batch.js";
import { FirstEntryLimit } from "../../../server/rpc/json-rpc/first-entry-limit.js";

const megabyte = 1024 * 1024;
const roomy = {
  maxAnswerBytes: 64 * megabyte,
  maxCallerBytes: 64 * megabyte,
  maxTotalBytes: 1024 * megabyte,
  waitMs: 1,
};

const short = (character: string): Outcome => ({ json: JSON.stringify(character), durationMs: 0 });

type Special = Partial<
  Pick<Batch, "count" | "parallel" | "form" | "respond" | "hasGone" | "firstEntryLimit">
> & {
  limits?: Partial<AnswerLimits>;
  /** One that other batches use too. */
  budget?: AnswerBudget;
  run?: (index: number) => Ending;
};

/** A batch whose entries end when the test says so, unless it runs them itself. */
function setUp({ limits, budget = new AnswerBudget({ ...roomy, ...limits }), ...special }: Special = {}) {
  const allowance = budget.open("caller");
  const started: number[] = [];
  const finish: ((outcome: Outcome | Promise<Outcome>) => void)[] = [];
  const wait = (index: number) =>
    new Promise<Outcome>((resolve) => {
      finish[index] = resolve;
    });
  const { run = wait } = special;
  const batch: Batch = {
    count: 4,
    parallel: 2,
    form: "array",
    firstEntryLimit: new FirstEntryLimit(),
    refuse: (_, error) => ({ error, durationMs: 0 }),
    respond: (_, outcome) => ("json" in outcome ? String(outcome.json) : `"${outcome.error.code}"`),
    allowance: () => allowance,
    hasGone: () => false,
    ...special,
    run(index) {
      started.push(index);
      return run(index);
    },
  };
  return { run: new BatchRun(batch), allowance, budget, started, finish };
}

/** Ends an entry with a long result, which the allowance takes as the dispatcher would. */
function longResult(allowance: Allowance, bytes: number, character = "x"): Outcome {
  const json = JSON.stringify(character.repeat(bytes - 2));
  const error = allowance.take(bytes);
  return error ? { error, durationMs: 0, longBytes: bytes } : { json, durationMs: 0, longBytes: bytes };
}

async function piecesOf(run: BatchRun): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of run.pieces()) {
    expect(piece.length).toBeGreaterThan(0);
    pieces.push(Buffer.from(piece as Uint8Array));
  }
  return pieces;
}

/** Lets everything run that waits for promises. */
const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe("a batch of short calls", () => {
  it("is answered in the order of its entries, in whatever order they end", async () => {
    const { run, finish, started } = setUp();
    const collected = run.collect(megabyte);
    expect([started, run.isDone, run.hasText]).toEqual([[0, 1], false, false]);
    finish[1]!(short("b"));
    await settle();
    expect([started, run.isDone, run.hasText]).toEqual([[0, 1, 2], false, true]);
    expect(run.wholeText()).toBeUndefined();
    finish[2]!(short("c"));
    await settle();
    finish[3]!(short("d"));
    finish[0]!(short("a"));
    await collected;
    expect([started, run.isDone, run.wholeText()]).toEqual([[0, 1, 2, 3], true, '["a","b","c","d"]']);
  });

  it("runs so many entries at once", async () => {
    for (const parallel of [1, 3]) {
      const { run, finish, started } = setUp({ count: 5, parallel });
      void run.collect(megabyte);
      expect(started).toHaveLength(parallel);
      finish[0]!(short("a"));
      await settle();
      expect(started).toHaveLength(parallel + 1);
    }
  });

  it("takes results that are known at once", async () => {
    const { run, started } = setUp({ count: 3, run: (index) => short(`${index}`) });
    const collected = run.collect(megabyte);
    expect([started, run.isDone]).toEqual([[0, 1, 2], true]);
    await collected;
    expect(run.wholeText()).toBe('["0","1","2"]');
  });

  it("leaves out notifications, first, last and in between", async () => {
    const answered = new Set([1, 3]);
    const { run } = setUp({
      count: 5,
      run: (index) => short(`${index}`),
      respond: (index, outcome) =>
        answered.has(index) && "json" in outcome ? String(outcome.json) : undefined,
    });
    await run.collect(megabyte);
    expect([run.hasText, run.wholeText()]).toEqual([true, '["1","3"]']);
    expect(Buffer.concat(await piecesOf(run)).toString()).toBe('["1","3"]');
  });

  it("has no text if all are notifications", async () => {
    const { run } = setUp({ run: () => short("a"), respond: () => undefined });
    await run.collect(megabyte);
    expect([run.isDone, run.hasText]).toEqual([true, false]);
  });

  it("is collected until so many bytes wait, and goes on", async () => {
    const { run, finish } = setUp({ parallel: 4 });
    let isCollected = false;
    const collected = run.collect(6).then(() => {
      isCollected = true;
    });
    finish[0]!(short("a"));
    await settle();
    expect(isCollected).toBe(false);
    finish[2]!(short("c"));
    await collected;
    expect(run.isDone).toBe(false);
    const pieces = piecesOf(run);
    finish[1]!(short("b"));
    finish[3]!(short("d"));
    expect(Buffer.concat(await pieces).toString()).toBe('["a","b","c","d"]');
  });

  it("fails with the defect of an entry", async () => {
    const { run, finish } = setUp();
    const collected = run.collect(megabyte);
    finish[0]!(Promise.reject(new Error("a defect")));
    await expect(collected).rejects.toThrow("a defect");
    await expect(piecesOf(run)).rejects.toThrow("a defect");
  });

  it("starts nothing more once its caller has gone", async () => {
    let hasGone = false;
    const { run, finish, started } = setUp({ hasGone: () => hasGone });
    const collected = run.collect(megabyte);
    hasGone = true;
    finish[0]!(short("a"));
    await settle();
    finish[1]!(short("b"));
    await collected;
    expect([started, run.isDone]).toEqual([[0, 1], true]);
  });

  it("starts nothing more once its answer is not read to the end", async () => {
    const { run, finish, started } = setUp({ count: 10, parallel: 1 });
    const collected = run.collect(1);
    finish[0]!(short("a"));
    await collected;
    for await (const piece of run.pieces()) {
      expect(piece).toBe('["a"');
      break;
    }
    finish[1]!(short("b"));
    await settle();
    expect([started, run.isDone]).toEqual([[0, 1], true]);
  });
});

describe("a batch answered in lines", () => {
  it("has them in the order in which the entries end, without notifications", async () => {
    const { run, finish } = setUp({
      count: 3,
      parallel: 3,
      form: "lines",
      respond: (index, outcome) => (index === 1 || !("json" in outcome) ? undefined : String(outcome.json)),
    });
    const collected = run.collect(1);
    finish[1]!(short("b"));
    finish[2]!(short("c"));
    await collected;
    const pieces = run.pieces()[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toBe('"c"\n');
    const last = pieces.next();
    finish[0]!(short("a"));
    expect((await last).value).toBe('"a"\n');
    expect((await pieces.next()).done).toBe(true);
  });
});

describe("a batch of long calls", () => {
  const long = longBytes;

  it("is cut into pieces, which are freed as they are taken", async () => {
    const { run, allowance, budget } = setUp({
      count: 3,
      parallel: 1,
      run: (index) => (index === 1 ? short("b") : longResult(allowance, 2 * pieceBytes + 10, `${index}`)),
    });
    await run.collect(megabyte);
    expect([run.isDone, run.wholeText()]).toEqual([true, undefined]);
    const results = [0, 1, 2].map((index) => (index === 1 ? "b" : `${index}`.repeat(2 * pieceBytes + 8)));
    const whole = JSON.stringify(results);
    // Commas and brackets are not counted.
    expect(budget.held).toBe(whole.length - 4);
    const pieces: Buffer[] = [];
    const heldAfter: number[] = [];
    for await (const piece of run.pieces()) {
      heldAfter.push(budget.held);
      pieces.push(Buffer.from(piece as Uint8Array));
    }
    expect(Buffer.concat(pieces).toString() === whole).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(pieceBytes);
    expect(heldAfter).toEqual(heldAfter.toSorted((a, b) => b - a));
    expect(budget.held).toBe(0);
  });

  it("counts short responses that are long together, until they are written", async () => {
    const text = "x".repeat(1000);
    const { run, budget } = setUp({ count: 200, parallel: 5, run: () => short(text) });
    await run.collect(megabyte);
    expect(budget.held).toBe(200 * 1002);
    const pieces = await piecesOf(run);
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(new Array(200).fill(text)));
    // Joined until they are a piece.
    expect(
      pieces.slice(0, -2).every(({ length }) => length >= pieceBytes && length < pieceBytes + 1004),
    ).toBe(true);
    expect(budget.held).toBe(0);
  });

  it("does not count what is short as a whole", async () => {
    const { run, budget } = setUp({ count: 65, parallel: 5, run: () => short("x".repeat(1000)) });
    await run.collect(megabyte);
    expect(65 * 1002).toBeLessThan(longBytes);
    expect(budget.held).toBe(0);
    await piecesOf(run);
    expect(budget.held).toBe(0);
  });

  it("starts an entry only while four megabytes wait, those that are expected included", async () => {
    const { run, allowance, started } = setUp({
      count: 20,
      parallel: 1,
      run: () => longResult(allowance, megabyte),
    });
    await run.collect(64 * megabyte);
    expect(started).toEqual([0, 1, 2, 3]);
    const pieces = run.pieces()[Symbol.asyncIterator]();
    await pieces.next();
    expect(started).toHaveLength(4);
    for (let at = 0; at < 16; at++) await pieces.next();
    // The last piece of the first result is still being written.
    expect(started).toHaveLength(4);
    await pieces.next();
    expect(started).toHaveLength(5);
  });

  it("starts as many short entries as wait below four megabytes", async () => {
    const { run, started } = setUp({ count: 200, parallel: 1, run: () => short("x".repeat(50_000)) });
    await run.collect(64 * megabyte);
    // Each of them has 50,002 bytes.
    expect(started).toHaveLength(84);
  });

  it("reserves room for the entries that run as for the longest result", async () => {
    const { run, allowance, budget, finish, started } = setUp({ count: 4, parallel: 2 });
    void run.collect(64 * megabyte);
    finish[0]!(longResult(allowance, 3 * long));
    await settle();
    // The second one began before any was long.
    expect([started, budget.held]).toEqual([[0, 1, 2], 6 * long]);
    finish[2]!(short("c"));
    await settle();
    expect([started, budget.held]).toEqual([[0, 1, 2, 3], 6 * long + 3]);
    finish[1]!(short("b"));
    finish[3]!(short("d"));
    await settle();
    expect(budget.held).toBe(3 * long + 9);
  });

  it("refuses the entries that are left once the answer is too long", async () => {
    const { run, allowance, started } = setUp({
      count: 5,
      parallel: 1,
      limits: { maxAnswerBytes: 5 * long },
      run: () => longResult(allowance, 3 * long),
    });
    await run.collect(64 * megabyte);
    expect([started, run.isDone]).toEqual([[0, 1], true]);
    const answer = JSON.parse(Buffer.concat(await piecesOf(run)).toString()) as string[];
    expect(answer.map((each) => each.slice(0, 9))).toEqual(["xxxxxxxxx", ...new Array(4).fill("too-large")]);
  });

  it("refuses the entries that are left if other answers leave no room in time", async () => {
    const { run, allowance, budget, started } = setUp({
      count: 4,
      parallel: 1,
      limits: { maxCallerBytes: 4 * long },
      run: () => longResult(allowance, long),
      respond: (index, outcome) =>
        index === 0 || "json" in outcome ? undefined : `"${outcome.error.message.slice(0, 42)}"`,
    });
    budget.open("caller").add(4 * long - 10);
    await run.collect(64 * megabyte);
    expect(started).toEqual([0]);
    expect(run.wholeText()).toBe(
      JSON.stringify(new Array(3).fill("answer is too large beside unread answers:")),
    );
  });

  it("goes on when other answers leave room", async () => {
    const { run, allowance, budget, started } = setUp({
      count: 2,
      parallel: 1,
      limits: { maxCallerBytes: 4 * long, waitMs: 600_000 },
      run: () => longResult(allowance, long, "y"),
      respond: (index) => (index === 0 ? undefined : "1"),
    });
    const unread = budget.open("caller");
    unread.add(4 * long - 10);
    const collected = run.collect(64 * megabyte);
    await settle();
    expect([started, run.isDone]).toEqual([[0], false]);
    unread.close();
    await collected;
    expect([started, run.isDone]).toEqual([[0, 1], true]);
  });

  it("does not wait for room while responses of its own are unread", async () => {
    const { run, allowance, budget, started } = setUp({
      count: 2,
      parallel: 1,
      limits: { maxCallerBytes: 4 * long, waitMs: 600_000 },
      run: () => longResult(allowance, long),
    });
    budget.open("caller").add(2.5 * long);
    await run.collect(64 * megabyte);
    expect([started, run.isDone]).toEqual([[0], false]);
    const answer = JSON.parse(Buffer.concat(await piecesOf(run)).toString()) as string[];
    expect(answer.map(({ length }) => length)).toEqual([long - 2, long - 2]);
    expect(budget.held).toBe(2.5 * long);
  });

  it("waits for its turn after the long call of another batch", async () => {
    const budget = new AnswerBudget(roomy);
    const batches = [1, 2].map(() => {
      const batch: ReturnType<typeof setUp> = setUp({
        budget,
        count: 2,
        parallel: 1,
        run: () => longResult(batch.allowance, long),
      });
      return batch;
    });
    const [first, second] = batches as [ReturnType<typeof setUp>, ReturnType<typeof setUp>];
    await first.run.collect(64 * megabyte);
    expect([first.started, first.run.isDone]).toEqual([[0, 1], true]);
    const collected = second.run.collect(64 * megabyte);
    // Its first entry might have been short.
    expect(second.started).toEqual([0]);
    await collected;
    expect([second.started, second.run.isDone]).toEqual([[0, 1], true]);
  });

  it("ends if its caller goes while it waits for room", async () => {
    let hasGone = false;
    const { run, allowance, budget, started } = setUp({
      count: 3,
      parallel: 1,
      limits: { maxCallerBytes: 4 * long, waitMs: 600_000 },
      run: () => longResult(allowance, long),
      respond: () => undefined,
      hasGone: () => hasGone,
    });
    budget.open("caller").add(4 * long - 10);
    const collected = run.collect(64 * megabyte);
    await settle();
    hasGone = true;
    allowance.close();
    await collected;
    expect([started, run.isDone]).toEqual([[0], true]);
  });
});

it("a batch waits for the first entries of others, and for its own one at a time", async () => {
  const firstEntryLimit = new FirstEntryLimit();
  while (firstEntryLimit.begin(true));
  const { run, started, finish } = setUp({ firstEntryLimit });
  const collected = run.collect(megabyte);
  await settle();
  expect(started).toEqual([]);
  firstEntryLimit.end();
  await settle();
  // Another first entry is running for each place: no second one of the same batch.
  expect(started).toEqual([0]);
  finish[0]!({ error: new ServiceError("absent"), durationMs: 0 });
  await settle();
  // One of its results is known now.
  expect(started).toEqual([0, 1, 2]);
  for (const index of [1, 2]) finish[index]!(short("x"));
  await settle();
  finish[3]!(short("x"));
  await collected;
  expect(run.wholeText()).toBe('["absent","x","x","x"]');
});
