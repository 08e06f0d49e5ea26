import { setImmediate as nextTurn } from "node:timers/promises";
import * as core from "@ton/core";
import { Executor as OracleExecutor } from "@ton/sandbox/dist/executor/Executor.js";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { webAssembly } from "../../../server/os/web-assembly.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesKey, Dictionary, uintKey } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import type { ValueCodec } from "../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import type { TransactionRequest, TransactionResult } from "../../../shared/ton/run/account-request.js";
import { readActionReasons } from "../../../shared/ton/run/action-log.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { toCore } from "../../helpers/chain/core-cell.js";
import { libraryCell } from "../../helpers/chain/library-cell.js";
import {
  account,
  activeAccount,
  bytesCell,
  externalMessage,
  internalMessage,
  noAccount,
  otherConfig,
  testConfig,
  testTime,
} from "../../helpers/chain/sample-chain.js";
import { sized } from "../../helpers/effort.js";

const seed = new Uint8Array(32).fill(7);
const otherSeed = new Uint8Array(32).fill(8);
const cellValue: ValueCodec<Cell> = {
  store: (cell, builder) => builder.storeRef(cell),
  load: (slice) => slice.loadRef(),
};
const int = (value: bigint): StackValue => ({ type: "int", value });

/** An executor and its limitations. */
type Tested = {
  create: () => Promise<Executor>;
  /** Whether it has the limits of its build. */
  isPlain: boolean;
};

function transaction(shardAccount: Cell, more: Partial<TransactionRequest> = {}): TransactionRequest {
  const message = internalMessage({ value: 1_000_000_000n });
  return {
    config: testConfig,
    shardAccount,
    message,
    now: testTime,
    lt: 5_000_000n,
    randSeed: seed,
    ...more,
  };
}

/** Runs a contract with this code, in hex. */
function method(code: string, more: Partial<MethodRequest> = {}): MethodRequest {
  const subject = { code: bytesCell(code), data: Cell.empty, address: account, methodId: 0, balance: 5n };
  return { config: testConfig, now: testTime, randSeed: seed, stack: [], ...subject, ...more };
}

function done(result: TransactionResult) {
  if (result.outcome !== "done") throw new Error(`${result.outcome}: ${result.reason}`);
  return result;
}

/** An account created by a transaction: its stored size is correct, which a later transaction relies on. */
function deployed(by: Executor, code: Cell): { address: Address; shardAccount: Cell } {
  const init = stateInitOf(code, Cell.empty);
  const address = new Address(0, encode(StateInit, init).hash());
  const message = internalMessage({ value: 1_000_000_000n, to: address, init });
  return {
    address,
    shardAccount: done(by.runTransaction(transaction(noAccount, { message }))).shardAccount,
  };
}

function dataAfter(result: TransactionResult): Cell {
  const state = decode(ShardAccount, done(result).shardAccount).account.value?.storage.state;
  if (state?.kind !== "active" || !state.init.data) throw new Error("the account has no data");
  return state.init.data;
}

function descriptionOf(result: TransactionResult) {
  return decode(Transaction, done(result).transaction).description.value;
}

function exitCode(result: TransactionResult): number | undefined {
  const description = descriptionOf(result);
  if (!("computePh" in description) || description.computePh.kind !== "vm") return undefined;
  return description.computePh.exitCode;
}

function libraries(...cells: Cell[]): Cell {
  const entries = cells.map((cell) => [cell.hash(), cell] as const);
  return Dictionary.empty(bytesKey(32), cellValue).update(entries).root!;
}

export function describeExecutor({ create, isPlain }: Tested): void {
  let executor: Executor;
  beforeAll(async () => {
    executor = await create();
  });

  describe("a transaction", () => {
    it("and the account after it equal those of the emulator's own wrapper", async () => {
      const oracle = await OracleExecutor.create();
      const { address, shardAccount } = deployed(executor, contractCode("wallet v4 r2"));
      const message = internalMessage({ value: 1_000_000_000n, to: address });
      const request = transaction(shardAccount, { message });
      const { result: expected } = await oracle.runTransaction({
        config: toCore(testConfig).toBoc().toString("base64"),
        libs: null,
        verbosity: "short",
        shardAccount: toCore(shardAccount).toBoc().toString("base64"),
        message: toCore(request.message),
        now: request.now,
        lt: request.lt,
        randomSeed: Buffer.from(seed),
        ignoreChksig: false,
        debugEnabled: false,
      });
      if (!expected.success) throw new Error(expected.error);
      const result = done(executor.runTransaction(request));
      expect(toCore(result.transaction).equals(cellOf(expected.transaction))).toBe(true);
      expect(toCore(result.shardAccount).equals(cellOf(expected.shardAccount))).toBe(true);
    });

    it("credits an account that does not exist yet", () => {
      const result = done(executor.runTransaction(transaction(noAccount)));
      const after = decode(ShardAccount, result.shardAccount);
      expect(after.account.value?.storage.balance.coins).toBe(1_000_000_000n);
      expect(bytesToHex(after.lastTransHash)).toBe(result.transaction.hashHex());
      expect(result.actions).toBeUndefined();
    });

    it("has exit code and log if the contract does not accept the external message", () => {
      const data = beginCell().storeUint(0, 32).storeUint(1, 32).storeBytes(seed).endCell();
      const shardAccount = activeAccount({ code: contractCode("wallet v3 r2"), data });
      // 64 bytes of signature, then another subwallet.
      const body = beginCell()
        .storeBytes(new Uint8Array(64))
        .storeUint(9, 32)
        .storeUint(2 ** 32 - 1, 32)
        .storeUint(0, 32);
      const message = externalMessage(account, body.endCell());
      expect(executor.runTransaction(transaction(shardAccount, { message, log: "steps" }))).toEqual({
        outcome: "refused",
        reason: "External message not accepted by smart contract",
        exitCode: 34,
        vmLog: expect.stringContaining("exit code 34"),
        emulatorLog: expect.stringContaining("VM terminated with exit code 34"),
      });
    });

    it("is impossible if the account cannot pay for the external message", () => {
      const shardAccount = activeAccount({ code: bytesCell("F800"), data: Cell.empty, balance: 0n });
      const result = executor.runTransaction(
        transaction(shardAccount, { message: externalMessage(account, Cell.empty) }),
      );
      expect(result).toMatchObject({ outcome: "impossible", reason: expect.stringContaining("rejected") });
    });

    it("ignores signatures on request", () => {
      const data = beginCell().storeUint(0, 32).storeUint(1, 32).storeBytes(seed).storeBit(false).endCell();
      const shardAccount = activeAccount({ code: contractCode("wallet v4 r2"), data });
      const body = beginCell()
        .storeBytes(new Uint8Array(64))
        .storeUint(1, 32)
        .storeUint(2 ** 32 - 1, 32);
      const message = externalMessage(account, body.storeUint(0, 32).storeUint(0, 8).endCell());
      const run = (ignoreSignatures: boolean) =>
        executor.runTransaction(transaction(shardAccount, { message, ignoreSignatures }));
      expect(run(false)).toMatchObject({ outcome: "refused", exitCode: 35 });
      expect(run(true)).toMatchObject({ outcome: "done" });
      expect(run(false)).toMatchObject({ outcome: "refused", exitCode: 35 });
    });

    it("runs ticks and tocks of a special account", () => {
      const address = new Address(-1, new Uint8Array(32).fill(0x33));
      const data = beginCell().storeUint(0, 3).storeCoins(0n).storeUint(0, 32).storeUint(0, 256).endCell();
      const special = { tick: true, tock: true };
      const shardAccount = activeAccount({ code: contractCode("elector"), data, address, special });
      for (const which of ["tick", "tock"] as const) {
        const { message: _, ...environment } = transaction(shardAccount);
        const result = executor.runTickTock({ ...environment, which });
        expect(descriptionOf(result)).toMatchObject({
          kind: "tickTock",
          isTock: which === "tock",
          aborted: false,
        });
        expect(exitCode(result)).toBe(0);
      }
    });

    it("does not pass its libraries on to the next one", () => {
      const library = bytesCell("F800");
      const shardAccount = activeAccount({ code: libraryCell(library), data: Cell.empty });
      const run = (set?: Cell) =>
        exitCode(executor.runTransaction(transaction(shardAccount, { libraries: set })));
      const unrelated = bytesCell("00");
      expect(run()).toBe(9);
      expect(run(libraries(library))).toBe(0);
      expect(run()).toBe(9);
      expect(run(libraries(library, unrelated))).toBe(0);
      expect(run(libraries(unrelated))).toBe(9);
    });

    it("does not pass its random seed on to the next one", () => {
      // RANDSEED NEWC 256 STU ENDC c4 POP
      const shardAccount = activeAccount({ code: bytesCell("F826C8CBFFC9ED54"), data: Cell.empty });
      const run = (randSeed: Uint8Array) =>
        dataAfter(executor.runTransaction(transaction(shardAccount, { randSeed }))).hashHex();
      const first = run(seed);
      expect(run(otherSeed)).not.toBe(first);
      expect(run(seed)).toBe(first);
      // The emulator would take a random one instead.
      expect(() => run(new Uint8Array(32))).toThrow("must not be zero");
    });

    it("does not pass its previous blocks on to the next one", () => {
      // PREVBLOCKSINFOTUPLE ISNULL NEWC 1 STI ENDC c4 POP
      const shardAccount = activeAccount({ code: bytesCell("F82D6EC8CA00C9ED54"), data: Cell.empty });
      const wasNull = (previousBlocks?: StackValue) =>
        dataAfter(executor.runTransaction(transaction(shardAccount, { previousBlocks })))
          .parse()
          .loadBit();
      const blocks: StackValue = { type: "tuple", items: [{ type: "tuple", items: [] }, int(1n)] };
      expect(wasNull()).toBe(true);
      expect(wasNull(blocks)).toBe(false);
      expect(wasNull()).toBe(true);
    });

    it("runs normally after parameters that the emulator rejected", () => {
      const shardAccount = activeAccount({ code: bytesCell("F800"), data: Cell.empty });
      const run = (previousBlocks?: StackValue) =>
        executor.runTransaction(transaction(shardAccount, { previousBlocks }));
      const before = done(run()).transaction.hashHex();
      for (let round = 0; round < 3; round++) {
        expect(() => run(int(1n))).toThrow(expect.objectContaining({ code: "invalid" }));
        expect(done(run()).transaction.hashHex()).toBe(before);
      }
    });

    it("runs normally after a request that crashed the emulator", async () => {
      const shardAccount = activeAccount({ code: bytesCell("F800"), data: Cell.empty });
      const own = await create();
      const run = () => own.runTransaction(transaction(shardAccount));
      // A builder with an exotic cell causes an uncaught C++ exception.
      const stack: StackValue[] = [{ type: "builder", cell: libraryCell(Cell.empty) }];
      const crash = () => own.runMethod(method("77", { stack }));
      const before = done(run()).transaction.hashHex();
      for (let round = 0; round < 3; round++) {
        expect(crash).toThrow(expect.objectContaining({ code: isPlain ? "too-large" : "crashed" }));
        expect(done(run()).transaction.hashHex()).toBe(before);
        await nextTurn();
      }
    });

    it("rejects cells that would crash the emulator", () => {
      const library = libraryCell(Cell.empty);
      const pruned = beginCell().storeUint(0x0101, 16).storeBytes(seed).storeUint(3, 16).endExotic();
      const inside = beginCell().storeRef(pruned).endCell();
      const good = activeAccount({ code: bytesCell("F800"), data: Cell.empty });
      const invalid = expect.objectContaining({ code: "invalid" });
      expect(() => executor.runTransaction(transaction(good, { message: library }))).toThrow(invalid);
      expect(() => executor.runTransaction(transaction(library))).toThrow(invalid);
      expect(() => executor.runTransaction(transaction(inside))).toThrow(invalid);
      expect(() => executor.runTransaction(transaction(good, { message: inside }))).toThrow(invalid);
      const exoticBody = internalMessage({ value: 1n, body: library });
      expect(() => executor.runTransaction(transaction(good, { message: exoticBody }))).toThrow(invalid);
      expect(() => executor.runTransaction(transaction(good, { now: 0 }))).toThrow(invalid);
      expect(() => executor.runTransaction(transaction(good, { lt: 0n }))).toThrow(invalid);
    });

    it("accepts cells as deep as the chain allows", () => {
      let deep = Cell.empty;
      for (let level = 0; level < 511; level++) deep = beginCell().storeRef(deep).endCell();
      const shardAccount = activeAccount({ code: bytesCell("F800"), data: deep });
      const message = internalMessage({ value: 1_000_000_000n, body: deep });
      expect(exitCode(executor.runTransaction(transaction(shardAccount, { message })))).toBe(0);
      const stack = Array.from({ length: 900 }, (_, index) => int(BigInt(index)));
      expect(executor.runMethod(method("", { stack })).stack).toEqual([...stack, int(0n)]);
    });

    it("limits the cells that a get-method makes to this depth", () => {
      // Argument times: a cell that refers to the one made before, beginning with an empty one.
      const nested = (depth: bigint) =>
        executor.runMethod(method("30C8C90193C8CCC9E4", { stack: [int(depth)], gasLimit: 10_000_000 }));
      // The stack that holds it is one level deeper, which a plain build cannot write.
      const deepest = isPlain ? 1023n : 1024n;
      expect(nested(deepest)).toMatchObject({ exitCode: 0, stack: [{ cell: expect.any(Cell) }] });
      expect(nested(1025n)).toMatchObject({ exitCode: 8 });
      if (isPlain) expect(() => nested(1024n)).toThrow(expect.objectContaining({ code: "too-large" }));
      else expect(nested(deepest)).toMatchObject({ exitCode: 0 });
    });

    it("may have a library cell as the code in its message", () => {
      const library = bytesCell("F800");
      const init = stateInitOf(libraryCell(library), libraryCell(library));
      const address = new Address(0, encode(StateInit, init).hash());
      const message = internalMessage({ value: 1_000_000_000n, to: address, init });
      const result = executor.runTransaction(
        transaction(noAccount, { message, libraries: libraries(library) }),
      );
      expect(exitCode(result)).toBe(0);
    });

    it("uses the configuration of its own request", () => {
      // GLOBALID NEWC 32 STI ENDC c4 POP
      const shardAccount = activeAccount({ code: bytesCell("F835C8CA1FC9ED54"), data: Cell.empty });
      const globalIds = Array.from({ length: 9 }, (_, index) => index + 1);
      for (const id of [...globalIds, ...globalIds.reverse()]) {
        const result = executor.runTransaction(transaction(shardAccount, { config: otherConfig(id) }));
        expect(dataAfter(result).parse().loadInt(32)).toBe(id);
      }
    });
  });

  describe("the VM's log", () => {
    const request = method("00".repeat(100));

    it("is empty by default", () => {
      expect(executor.runMethod(request).vmLog).toBe("");
      const full = executor.runMethod({ ...request, log: "steps" }).vmLog;
      expect(full.split("execute NOP")).toHaveLength(101);
      expect(full).not.toContain("stack:");
      expect(executor.runMethod({ ...request, log: "gas" }).vmLog).toContain("gas remaining");
      expect(executor.runMethod({ ...request, log: "stack" }).vmLog).toContain("stack: [ ");
      expect(executor.runMethod(request).vmLog).toBe("");
    });

    it("has what a contract prints, with steps of the same gas", () => {
      // PUSHINT 5, DUMPSTK, DUMP s0, DUMP s1, PUSHSLICE of "hi", STRDUMP
      const printing = method("75FE00FE20FE218B268698FE14", { log: "gas" });
      const run = executor.runMethod(printing);
      expect(run.vmLog.match(/^#DEBUG#: .*$/gm)).toEqual([
        "#DEBUG#: stack(2 values) : 0 5 ",
        "#DEBUG#: s0 = 5",
        "#DEBUG#: s1 = 0",
        "#DEBUG#: hi",
      ]);
      const { vmLog, ...silent } = executor.runMethod({ ...printing, log: "none" });
      expect({ ...run, vmLog }).toEqual({ ...silent, vmLog: "" });
    });

    it("is accompanied by the emulator's own, which tells why an action failed", () => {
      // RAWRESERVE of more than there is.
      const shardAccount = activeAccount({ code: bytesCell("833270FB02"), data: Cell.empty });
      const [silent, logged] = (["none", "gas"] as const).map((log) =>
        done(executor.runTransaction(transaction(shardAccount, { log }))),
      );
      expect(logged!.transaction.hashHex()).toBe(silent!.transaction.hashHex());
      expect(silent!.emulatorLog).toBe("");
      expect(readActionReasons(logged!.emulatorLog)).toMatchObject([{ code: 37, kind: "reserve" }]);
    });

    it("does not affect the transaction", () => {
      const shardAccount = activeAccount({ code: bytesCell("F800"), data: Cell.empty });
      const hashes = (["none", "stack", "none", "steps"] as const).map((log) =>
        done(executor.runTransaction(transaction(shardAccount, { log }))).transaction.hashHex(),
      );
      expect(new Set(hashes).size).toBe(1);
    });
  });

  describe("a get-method", () => {
    const walletData = beginCell()
      .storeUint(42, 32)
      .storeUint(698983191, 32)
      .storeBytes(seed)
      .storeBit(false)
      .endCell();
    const wallet = { code: contractCode("wallet v4 r2"), data: walletData };

    it("gives the same result as the emulator's own wrapper", async () => {
      const oracle = await OracleExecutor.create();
      const request = method("", { ...wallet, methodId: 85143 });
      const { output } = await oracle.runGetMethod({
        code: toCore(wallet.code),
        data: toCore(wallet.data),
        methodId: 85143,
        stack: [],
        config: toCore(testConfig).toBoc().toString("base64"),
        verbosity: "short",
        address: core.Address.parseRaw(account.toRaw()),
        unixTime: request.now,
        balance: request.balance,
        randomSeed: Buffer.from(seed),
        gasLimit: 1_000_000n,
        debugEnabled: false,
      });
      if (!output.success) throw new Error(output.error);
      expect(executor.runMethod({ ...request, log: "steps" })).toEqual({
        exitCode: output.vm_exit_code,
        gasUsed: Number(output.gas_used),
        stack: [int(42n)],
        vmLog: output.vm_log.slice(-256),
        missingLibrary: undefined,
      });
    });

    it("gets its arguments in order, below the method's id", () => {
      const stack = [int(1n), int(-2n), { type: "null" } as const];
      expect(executor.runMethod(method("", { stack, methodId: 77 })).stack).toEqual([...stack, int(77n)]);
    });

    it("leaves nothing to the next one of the same contract", () => {
      // 1 GETGLOB, 1 PUSHINT, 1 SETGLOB, c4 PUSH CTOS 8 LDU DROP, NEWC ENDC c4 POP
      const code = "F841" + "71F861" + "ED44D0D30730" + "C8C9ED54";
      const request = method(code, { data: bytesCell("07") });
      for (const argument of [int(5n), int(6n)])
        expect(executor.runMethod({ ...request, stack: [argument] })).toMatchObject({
          exitCode: 0,
          stack: [argument, int(0n), { type: "null" }, int(7n)],
        });
    });

    it("runs on its own contract, however many there are", () => {
      const numbers = Array.from({ length: 100 }, (_, number) => number);
      // c4 PUSH CTOS 32 LDU DROP
      const numberIn = (data: Cell) => executor.runMethod(method("ED44D0D31F30", { data })).stack.at(-1);
      for (const number of [...numbers, ...numbers.slice(50), ...numbers])
        expect(numberIn(beginCell().storeUint(number, 32).endCell())).toEqual(int(BigInt(number)));
    });

    it("sees the configuration of its request, however many contracts have it", () => {
      // GLOBALID
      const idSeen = (id: number, number: number) =>
        executor.runMethod(method("F835", { config: otherConfig(id), data: bytesCell(`0${number}`) }));
      const ids = Array.from({ length: 9 }, (_, index) => index + 1);
      for (const id of [...ids, ...ids.reverse()])
        for (const number of [1, 2, 3]) expect(idSeen(id, number).stack.at(-1)).toEqual(int(BigInt(id)));
    });

    it("ends with exit code 11 and the resulting stack if the contract does not have it", () => {
      const result = executor.runMethod(method("", { ...wallet, stack: [int(3n)], methodId: 12345 }));
      expect(result).toMatchObject({ exitCode: 11, stack: [int(12345n)] });
    });

    it("returns values of every type", () => {
      // PUSHCONT {} | NEWC | NEWC ENDC | NEWC ENDC CTOS | NULL | PUSHNAN | PUSHINT 1, SINGLE | NIL TUPLE
      const { stack } = executor.runMethod(
        method("90" + "C8" + "C8C9" + "C8C9D0" + "6D" + "83FF" + "716F01" + "6F00"),
      );
      expect(stack.map(({ type }) => type)).toEqual([
        "int",
        "continuation",
        "builder",
        "cell",
        "slice",
        "null",
        "nan",
        "tuple",
        "tuple",
      ]);
    });

    it("accepts a continuation that it returned", () => {
      const [, continuation] = executor.runMethod(method("90")).stack;
      const { stack, exitCode } = executor.runMethod(
        method("5B30", { stack: [continuation!, continuation!] }),
      );
      expect({ exitCode, stack }).toEqual({ exitCode: 0, stack: [] });
    });

    it.skipIf(isPlain)("cannot raise its gas limit", () => {
      // ACCEPT, or SETGASLIMIT with 30,000; then 10,000 rounds.
      for (const raising of ["F800", "817530F801"]) {
        const ended = executor.runMethod(method(`${raising}81271090E4`, { gasLimit: 500 }));
        expect(ended.exitCode).toBe(-14);
        expect(ended.gasUsed).toBeLessThan(520);
      }
    });

    it("stops at its gas limit, a million by default", () => {
      // PUSHCONT {} AGAIN
      const ended = executor.runMethod(method("90EA"));
      expect(ended.exitCode).toBe(-14);
      // The instruction that exceeds the limit still counts.
      expect(ended.gasUsed - 1_000_000).toBeLessThan(20);
      expect(ended.gasUsed).toBeGreaterThanOrEqual(1_000_000);
      expect(executor.runMethod(method("90EA", { gasLimit: 500 })).gasUsed).toBeLessThan(520);
      expect(() => executor.runMethod(method("90EA", { gasLimit: 0 }))).toThrow(
        "a gas limit is a positive integer",
      );
    });

    it("has a balance below 2^63", () => {
      // BALANCE FIRST
      const balanceSeen = (balance: bigint) =>
        executor.runMethod(method("F8276F10", { balance })).stack.at(-1);
      expect(balanceSeen(2n ** 63n - 1n)).toEqual(int(2n ** 63n - 1n));
      expect(() => balanceSeen(2n ** 63n)).toThrow("must be below 2^63");
    });

    it.skipIf(isPlain)("sees several extra currencies", () => {
      const extraCurrencies = new Map([
        [1, 5n],
        [2, 0n],
        [100, 2n ** 100n],
        [7, 9n],
      ]);
      const { stack } = executor.runMethod(method("F8276F11", { extraCurrencies }));
      const root = stack.at(-1);
      if (root?.type !== "cell") throw new Error("no dictionary");
      const amount: ValueCodec<bigint> = {
        store: (value, builder) => builder.storeVarUint(value, 5),
        load: (slice) => slice.loadVarUint(5),
      };
      const seen = Dictionary.loadDirect(root.cell, uintKey(32), amount);
      expect([...seen.entries()]).toEqual([
        [1, 5n],
        [7, 9n],
        [100, 2n ** 100n],
      ]);
    });

    it("reports a missing library, and finds it among those given", () => {
      const library = bytesCell("71");
      const request = method("", { code: libraryCell(library) });
      const without = executor.runMethod(request);
      expect(without.exitCode).toBe(9);
      expect(without.missingLibrary).toEqual(library.hash());
      const result = executor.runMethod({ ...request, libraries: libraries(library) });
      expect(result).toMatchObject({ exitCode: 0, stack: [int(0n), int(1n)], missingLibrary: undefined });
      expect(executor.runMethod(request).exitCode).toBe(9);
    });

    it("sees the time, seed and address of its request", () => {
      // NOW RANDSEED MYADDR
      const { stack } = executor.runMethod(method("F823F826F828"));
      const addressCell = beginCell().storeAddress(account).endCell();
      expect(stack.slice(1, 3)).toEqual([int(BigInt(testTime)), int(BigInt(`0x${"07".repeat(32)}`))]);
      expect((stack[3] as { cell: Cell }).cell.hashHex()).toBe(addressCell.hashHex());
    });

    it("sees each change since the previous run", () => {
      // BALANCE FIRST, NOW, RANDSEED, MYADDR, PREVBLOCKSINFOTUPLE
      const request = method("F8276F10" + "F823F826F828" + "F82D");
      const [shown, changes]: [string[], Partial<MethodRequest>[]] = [
        [],
        [
          { balance: 6n },
          { now: testTime + 1 },
          { randSeed: new Uint8Array(32).fill(8) },
          { address: new Address(0, new Uint8Array(32).fill(9)) },
          { previousBlocks: { type: "tuple", items: [{ type: "tuple", items: [] }, int(1n)] } },
          { code: bytesCell("71") },
          { gasLimit: 20 },
          { libraries: libraries(bytesCell("71")) },
        ],
      ];
      const seen = (run: MethodRequest) => {
        const { stack, exitCode } = executor.runMethod(run);
        const texts = stack.map((value) =>
          value.type === "slice"
            ? value.cell.hashHex()
            : value.type === "int"
              ? `${value.value}`
              : value.type,
        );
        return [exitCode, ...texts].join(" ");
      };
      const first = seen(request);
      for (const change of changes) {
        shown.push(seen({ ...request, ...change }));
        expect(seen(request)).toBe(first);
      }
      // This code's result does not depend on libraries.
      expect(new Set(shown).size).toBe(changes.length);
      expect(shown.filter((each) => each === first)).toHaveLength(1);
    });

    it("fails with a StackError if its result is too large", () => {
      // 8001 times PUSHINT 0 by REPEAT: more than the codec accepts.
      const result = () => executor.runMethod(method("81271191" + "70" + "E4"));
      expect(result).toThrow();
      expect(executor.runMethod(method("71")).stack).toEqual([int(0n), int(1n)]);
    });
  });

  it("reads a configuration once for all contracts, and frees it with the last of them", async () => {
    const own = await create();
    const configs = [1, 2, 3, 4, 5, 6].map(largeConfig);
    // GLOBALID
    const runAll = (numbers: readonly number[]) => {
      for (const config of configs)
        for (const number of numbers)
          own.runMethod(method("F835", { config, data: beginCell().storeUint(number, 32).endCell() }));
    };
    runAll([1]);
    const growth = vi.spyOn(webAssembly.Memory.prototype, "grow");
    for (let round = 0; round < sized(2, 10); round++)
      runAll(Array.from({ length: 40 }, (_, index) => index));
    expect(growth).not.toHaveBeenCalled();
    growth.mockRestore();
  });

  it("gives the same answers after hundreds of runs, without growing its memory", async () => {
    const own = await create();
    // Large enough that a leak soon exhausts the memory.
    let data = Cell.empty;
    for (let level = 0; level < 200; level++)
      data = beginCell().storeBytes(new Uint8Array(120).fill(level)).storeRef(data).endCell();
    const request = method("F828", { data, log: "stack" });
    const shardAccount = activeAccount({ code: bytesCell("F800"), data });
    const first = own.runMethod(request);
    const firstHash = done(own.runTransaction(transaction(shardAccount))).transaction.hashHex();
    const growth = vi.spyOn(webAssembly.Memory.prototype, "grow");
    for (let round = 0; round < sized(200, 500); round++) {
      own.runMethod(request);
      own.runTransaction(transaction(shardAccount, { lt: BigInt(round + 1) }));
    }
    expect(own.runMethod(request)).toEqual(first);
    expect(done(own.runTransaction(transaction(shardAccount))).transaction.hashHex()).toBe(firstHash);
    expect(growth).not.toHaveBeenCalled();
    growth.mockRestore();
  });
}

/** A configuration with a parameter that takes some hundred kilobytes when parsed. */
function largeConfig(globalId: number): Cell {
  let large = Cell.empty;
  for (let level = 0; level < 500; level++)
    large = beginCell()
      .storeBytes(new Uint8Array(120).fill(level))
      .storeUint(level, 16)
      .storeRef(large)
      .endCell();
  const parameters = decode(ConfigDictionary, otherConfig(globalId));
  return encode(ConfigDictionary, parameters.set(-1000, large));
}

function cellOf(base64: string) {
  return core.Cell.fromBase64(base64);
}
