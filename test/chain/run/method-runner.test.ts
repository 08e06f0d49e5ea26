import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { MethodRunner } from "../../../server/chain/run/method-runner.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ExtraCurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";
import { stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { libraryCell } from "../../helpers/chain/library-cell.js";
import { account as address, bytesCell, testConfig, testTime } from "../../helpers/chain/sample-chain.js";

const block = {
  workchain: -1,
  shard: wholeShard,
  seqno: 1,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
};

let executor: ExecutorThreads;
beforeAll(async () => {
  executor = new ExecutorThreads({ threads: 1, deadlineMs: 100_000 });
});
afterAll(() => executor.close());

function snapshot(code: Cell | undefined, more: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return {
    address,
    block,
    shardBlock: block,
    cell: Cell.empty,
    account: undefined,
    status: "active",
    balance: 5n,
    extraCurrencies: ExtraCurrencyCollection.empty,
    code,
    data: Cell.empty,
    libraries: undefined,
    frozenHash: undefined,
    lastTransaction: { lt: 1n, hash: new Uint8Array(32) },
    syncUtime: testTime,
    bytes: 0,
    ...more,
  };
}

/** A runner on a chain with these libraries, and the lookups it made. */
function runnerWith(...published: Cell[]) {
  return runnerOn(executor, published);
}

function runnerOn(executor: Pick<ExecutorThreads, "runMethod">, published: Cell[] = []) {
  const { reader, libraries, asked } = librariesOf(published);
  return { runner: new MethodRunner({ reader, executor, libraries }), asked };
}

function librariesOf(published: readonly Cell[]) {
  const asked: string[] = [];
  const reader = {
    last: block,
    config: async () => ({ root: testConfig, params: ConfigDictionary.empty }),
    previousBlocks: async (): Promise<StackValue> => ({ type: "null" }),
    libraries: async (hashes: readonly Uint8Array[]) => {
      asked.push(...hashes.map(bytesToHex));
      const wanted = new Set(hashes.map(bytesToHex));
      return published
        .filter((cell) => wanted.has(cell.hashHex()))
        .map((cell) => ({ hash: cell.hash(), cell, boc: serializeBoc(cell) }));
    },
  };
  const move = () => {
    reader.last = { ...block, seqno: reader.last.seqno + 1 };
  };
  return { reader, libraries: new CodeLibraries(reader), asked, move };
}

/** DROP 7 */
const seven = bytesCell("3077");
const run = { methodId: 1 };
const answer = { exitCode: 0, stack: [{ type: "int", value: 7n }] };

/** Libraries that refer to each other in a chain, the last one to `seven`. */
function chainOf(length: number): Cell[] {
  const chain = [seven];
  while (chain.length < length) chain.unshift(beginCell().storeRef(libraryCell(chain[0]!)).endCell());
  return chain;
}

describe("a get-method with libraries", () => {
  it("runs code that is a library, and looks it up once", async () => {
    const { runner, asked } = runnerWith(seven);
    const subject = snapshot(libraryCell(seven));
    for (let i = 0; i < 2; i++) expect(await runner.run(subject, run)).toMatchObject(answer);
    expect(asked).toEqual([seven.hashHex()]);
  });

  it("looks up all libraries in its code with one call", async () => {
    const { runner, asked } = runnerWith(seven);
    const other = bytesCell("3078");
    const code = beginCell().storeRef(libraryCell(seven)).storeRef(libraryCell(other)).endCell();
    expect(await runner.run(snapshot(code), run)).toMatchObject(answer);
    expect(asked).toEqual([seven.hashHex(), other.hashHex()]);
  });

  it("looks up libraries of libraries during the run, and remembers them", async () => {
    const chain = chainOf(6);
    const { runner, asked } = runnerWith(...chain);
    const subject = snapshot(libraryCell(chain[0]!));
    for (let i = 0; i < 2; i++) expect(await runner.run(subject, run)).toMatchObject(answer);
    expect(asked).toEqual(chain.map((library) => library.hashHex()));
  });

  it("ends with the VM's exit code if a library does not exist", async () => {
    const { runner, asked } = runnerWith();
    expect(await runner.run(snapshot(libraryCell(seven)), run)).toMatchObject({ exitCode: 9 });
    expect(asked).toEqual([seven.hashHex(), seven.hashHex()]);
  });

  it("finds a library that is published later", async () => {
    const published: Cell[] = [];
    const { libraries, asked, move } = librariesOf(published);
    const subject = snapshot(libraryCell(seven));
    for (let i = 0; i < 2; i++) expect(await libraries.of(subject)).toBeUndefined();
    published.push(seven);
    expect(await libraries.of(subject)).toBeUndefined();
    move();
    for (let i = 0; i < 2; i++) expect(await libraries.of(subject)).toBeDefined();
    move();
    expect(await libraries.of(subject)).toBeDefined();
    expect(asked).toHaveLength(2);
  });

  it("fails if there is always one more library", async () => {
    const chain = chainOf(40);
    const { runner } = runnerWith(...chain);
    await expect(runner.run(snapshot(libraryCell(chain[0]!)), run)).rejects.toMatchObject({
      message: "Too many missing libraries",
    });
  });

  it("has the account's own libraries as well", async () => {
    const { runner } = runnerWith();
    const { library } = stateInitOf(seven, Cell.empty);
    const libraries = library.set(seven.hash(), { public: false, root: seven });
    expect(await runner.run(snapshot(libraryCell(seven), { libraries }), run)).toMatchObject(answer);
  });
});

describe("a get-method", () => {
  it("of an account without data gets an empty cell", async () => {
    const { runner } = runnerWith();
    // DROP, the data
    const subject = snapshot(bytesCell("30ED44"), { data: undefined });
    const { stack } = await runner.run(subject, run);
    expect((stack[0] as { cell: Cell }).cell.hashHex()).toBe(Cell.empty.hashHex());
  });

  it("gives equal answers to equal calls, also for random numbers", async () => {
    const { runner } = runnerWith();
    // DROP RANDU256
    const subject = snapshot(bytesCell("30F810"));
    expect((await runner.run(subject, run)).stack).toEqual((await runner.run(subject, run)).stack);
  });

  it("sees extra currencies", async () => {
    const { runner } = runnerWith();
    const extraCurrencies = ExtraCurrencyCollection.empty.set(7, 100n).set(9, 3n);
    // DROP BALANCE SECOND
    const { stack } = await runner.run(snapshot(bytesCell("30F8276F11"), { extraCurrencies }), run);
    expect(stack).toEqual([{ type: "cell", cell: expect.anything() }]);
    expect((stack[0] as { cell: Cell }).cell.hashHex()).toBe(extraCurrencies.root!.hashHex());
  });

  it("fails with a timeout if its run exceeds the limit", async () => {
    const limited = new ExecutorThreads({ threads: 1, runTimeoutMs: 1, deadlineMs: 100_000 });
    try {
      // PUSHCONT {} AGAIN: a million of gas takes many times longer.
      const { runner } = runnerOn(limited);
      await expect(runner.run(snapshot(bytesCell("90EA")), run)).rejects.toMatchObject({ code: "timeout" });
    } finally {
      await limited.close();
    }
  });

  it("occupies threads in the name of its caller", async () => {
    const callers: unknown[] = [];
    const runMethod: ExecutorThreads["runMethod"] = (request, options) => {
      callers.push(options?.caller);
      return executor.runMethod(request, options);
    };
    const { runner } = runnerOn({ runMethod });
    await runner.run(snapshot(seven), run, { caller: "someone" });
    expect(callers).toEqual(["someone"]);
  });

  it("is not run after its caller's signal has aborted", async () => {
    const { runner } = runnerWith();
    const gone = new AbortController();
    gone.abort();
    await expect(runner.run(snapshot(seven), run, { signal: gone.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });
});
