import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { externalMessage } from "../helpers/chain/sample-chain.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { isLong } from "../helpers/effort.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Run = V3Result<"debug/transaction">;

const sender = testAddress("7");
const contract = testAddress("c");
const receiver = testAddress("d");
const ton = 1_000_000_000n;

/** What a message orders: each failure has its own operation. */
const op = { read: 1, throws: 2, loops: 3, sends: 4, reserves: 5, library: 6, prints: 7, rest: 8 };

const source = `
fun sendRaw(message: cell, mode: int): void asm "SENDRAWMSG"
fun reserve(amount: coins, mode: int): void asm "RAWRESERVE"
fun exotic(content: builder): cell asm "TRUE" "ENDXC"
fun dumpStack(): void asm "DUMPSTK"
fun dumpString(text: slice): void asm "STRDUMP" "DROP"
fun dump(value: int): void asm "s0 DUMP" "DROP"

fun onInternalMessage(in: InMessage) {
    var body = in.body;
    if (body.isEmpty()) { return; }
    val op = body.loadUint(8);
    if (op == ${op.read}) { body.skipBits(32); val amount = body.loadUint(64); throw 100 + amount; }
    if (op == ${op.throws}) { throw 9; }
    if (op == ${op.loops}) { var i = 0; val n = body.loadUint(32); while (i < n) { i += 1; } }
    if (op == ${op.sends}) {
        while (!body.isEmpty()) {
            val mode = body.loadUint(8);
            sendRaw(body.loadRef(), mode);
            if (body.remainingRefsCount() > 0) { body = body.loadRef().beginParse(); }
        }
    }
    if (op == ${op.reserves}) { val mode = body.loadUint(8); reserve(body.loadCoins(), mode); }
    if (op == ${op.library}) {
        val hash = body.loadUint(256);
        val loaded = exotic(beginCell().storeUint(2, 8).storeUint(hash, 256)).beginParse();
        throw 200 + loaded.remainingBitsCount();
    }
    if (op == ${op.prints}) { dump(42); dumpString(stringHexToSlice("68656c6c6f")); dumpStack(); }
    if (op == ${op.rest}) { body.assertEnd(); }
}
fun onBouncedMessage(in: InMessageBounced) {}
get fun printing(): int { dump(7); return 7; }
`;

const payment = (value: bigint, to = receiver) =>
  beginCell()
    .storeUint(0x18, 6)
    .storeUint(4, 3)
    .storeInt(Number(to.split(":")[0]), 8)
    .storeBytes(Buffer.from(to.split(":")[1]!, "hex"))
    .storeCoins(value)
    .storeUint(0, 107)
    .endCell();

/** A body that orders messages with their modes. */
function sending(...orders: [mode: number, message: Cell][]): Cell {
  const rest = orders.reduceRight<Cell | undefined>((next, [mode, message], at) => {
    const builder = beginCell();
    if (at === 0) builder.storeUint(op.sends, 8);
    builder.storeUint(mode, 8).storeRef(message);
    return (next ? builder.storeRef(next) : builder).endCell();
  }, undefined);
  return rest!;
}

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("indexed");
  await place(service, { address: contract, code: await compile(source), balance: "1000000000" });
});
afterAll(() => service.close());

/** Sends a body to the contract; returns the run of its transaction. */
async function debugged(body: Cell, value = ton / 10n, to = contract): Promise<Run> {
  const { tx_hash } = await service.run<{ tx_hash: string }>("devnet.impersonate", {
    ...{ from: sender, to, value: value.toString(), body: bocText(body), bounce: false },
  });
  await service.run("devnet.settle");
  return service.run<Run>("v3.debug.transaction", { hash: tx_hash });
}

const words = ({ outcome: { sentence, hint } }: Run) => ({ sentence, hint });
const begin = (operation: number) => beginCell().storeUint(operation, 8);

describe("v3.debug.transaction", () => {
  it("says what an instruction wanted to read, and what was there", async () => {
    const failed = await debugged(begin(op.read).storeUint(5, 40).endCell());
    expect(failed.outcome).toMatchObject({
      exit_code: 9,
      thrown_by: "machine",
      wanted: { bits: 64, refs: 0 },
      left: { bits: 8, refs: 0 },
    });
    expect(failed.outcome.sentence).toContain("wanted 64 bits, and 8 were left");
    expect(failed.outcome.hint).toContain("compare the fields");
    const followed = await debugged(begin(op.read).storeUint(0, 32).storeUint(5, 64).endCell());
    expect(followed.outcome.exit_code).toBe(105);
  });

  it("tells an exit code that a contract throws from the same one of the machine", async () => {
    const thrown = await debugged(begin(op.throws).endCell());
    expect(thrown.outcome).toMatchObject({ exit_code: 9, thrown_by: "instruction", exit_name: null });
    expect(thrown.outcome.sentence).toContain(
      "stopped with exit code 9, which its code throws itself (THROW 9)",
    );
    const rest = await debugged(begin(op.rest).storeUint(1, 8).endCell());
    expect(rest.outcome).toMatchObject({ exit_code: 9, thrown_by: "machine", exit_name: "cell-underflow" });
  });

  it("says that the gas was used up, and more of it succeeds", async () => {
    const loop = begin(op.loops).storeUint(5000, 32).endCell();
    const failed = await debugged(loop, ton / 1000n);
    expect(words(failed)).toMatchObject({
      sentence: expect.stringMatching(/ used all of its [\d,]+ gas, most of it in recv_internal \(\d+\)\.$/),
      hint: expect.stringContaining("Attach more coins for gas"),
    });
    expect((await debugged(loop, ton)).outcome).toMatchObject({ success: true, sentence: null, hint: null });
  });

  it("names a library that is not on the chain, and succeeds once it is published", async () => {
    const published = beginCell().storeUint(5, 8).endCell();
    const body = begin(op.library).storeBytes(published.hash()).endCell();
    const failed = await debugged(body);
    const library = Buffer.from(published.hash()).toString("base64");
    expect(failed.outcome).toMatchObject({ exit_code: 9, library });
    expect(failed.outcome.sentence).toContain(`the library ${library} is not on the chain`);
    expect(failed.outcome.hint).toContain("Publish the library in the masterchain");
    // DROP, LDREF, DROP, PUSHINT 2, SETLIBCODE
    const publisher = testAddress("e", -1);
    await place(service, { address: publisher, code: codeOf("30D43072FB06"), balance: "1000000000" });
    await debugged(beginCell().storeRef(published).endCell(), ton, publisher);
    expect((await debugged(body)).outcome).toMatchObject({ exit_code: 208, library: null });
  });

  it("says which message was too dear, with what was there, and that less succeeds", async () => {
    const failed = await debugged(sending([1, payment(1n)], [1, payment(100n * ton)]));
    const [first, second] = failed.actions;
    expect(first).toMatchObject({
      outcome: "undone",
      code: null,
      reason: null,
      mode_text: "pays its fees apart from its value",
    });
    expect(second).toMatchObject({ outcome: "failed", code: 37, destination: receiver.toUpperCase() });
    const { available, needed } = second!.reason!;
    expect(BigInt(needed!)).toBeGreaterThan(100n * ton);
    expect(failed.outcome.sentence).toMatch(/could not send 100 TON to .*, as \d\.\d+ TON were there/);
    expect(BigInt(available!)).toBeLessThan(9n * ton);
    expect(failed.outcome.hint).toContain("Attach more coins");
    const followed = await debugged(sending([1, payment(1n)], [1, payment(100n * ton)]), 101n * ton);
    expect(followed.outcome).toMatchObject({ success: true, sentence: null });
    expect(followed.actions.map(({ outcome }) => outcome)).toEqual(["applied", "applied"]);
  });

  it("says which actions were left out, and why", async () => {
    const { outcome, actions } = await debugged(
      sending(
        [3, payment(900n * ton)],
        [3, payment(5n)],
        [2, payment(1n)],
        [3, payment(1n, `5:${"1".repeat(64)}`)],
      ),
    );
    expect(actions.map(({ outcome: one, code }) => [one, code])).toEqual([
      ["skipped", 37],
      ["applied", null],
      ["skipped", 37],
      ["skipped", 36],
    ]);
    expect(outcome.success).toBe(true);
    expect(outcome.sentence).toContain("left out 3 actions: number 0, of 900 TON");
    expect(outcome.sentence).toMatch(/number 2.*does not pay for its fees/);
  });

  it("says that an action is invalid, and its number", async () => {
    const failed = await debugged(sending([1, payment(1n)], [4, payment(1n)]));
    expect(failed.actions[1]).toMatchObject({
      outcome: "failed",
      code: 34,
      reason: { text: "there is no such mode" },
    });
    expect(failed.outcome.sentence).toContain("ordered an action that failed, number 1");
    expect((await debugged(sending([1, payment(1n)], [1, payment(1n)]))).outcome.success).toBe(true);
  });

  it("says what could not be reserved", async () => {
    const order = (mode: number, amount: bigint) =>
      begin(op.reserves).storeUint(mode, 8).storeCoins(amount).endCell();
    const failed = await debugged(order(0, 5000n * ton));
    expect(failed.actions[0]).toMatchObject({ kind: "reserve", code: 37, mode_text: "exactly the amount" });
    expect(failed.outcome.sentence).toMatch(
      /could not reserve 5,000 TON: 5,000 TON were to be reserved, and .* TON were left/,
    );
    expect(failed.outcome.hint).toContain("mode 2");
    const followed = await debugged(order(2, 5000n * ton));
    expect(followed.outcome).toMatchObject({ success: true, sentence: null });
    expect(followed.actions[0]!.mode_text).toBe("at most what is there");
  });

  it("has what a contract printed, with the same hash", async () => {
    const run = await debugged(begin(op.prints).endCell());
    expect(run.proof.level).toBe("exact");
    expect(run.prints.map(({ text }) => text)).toEqual([
      "s0 = 42",
      "hello",
      expect.stringMatching(/^stack\(\d+ values\) : /),
    ]);
    const { steps } = await service.run<V3Result<"debug/steps">>("v3.debug.steps", { run: run.run });
    expect(steps.filter(({ print }) => print !== undefined).map(({ n, print }) => [n, print])).toEqual(
      run.prints.map(({ step, text }) => [step, text]),
    );
    const log = await service.run<{ vm_log: string }>("devnet.transactionLog", { hash: run.transaction });
    expect(log).toMatchObject({ prints: run.prints.map(({ text }) => text) });
    expect(log.vm_log).toContain("#DEBUG#: s0 = 42");
  });
});

it.runIf(isLong)("A contract that prints 2^40 tuples is debugged without what it prints", async () => {
  const hostile = testAddress("b");
  // A tuple that holds the one before twice, 40 times; DUMP s0.
  await place(service, {
    address: hostile,
    code: codeOf("80286F000193206F02E4FE20"),
    balance: "1000000000",
  });
  const run = await debugged(beginCell().endCell(), ton / 10n, hostile);
  expect(run).toMatchObject({ prints: [], first_step: 0, truncated: false, proof: { level: "exact" } });
  expect(run.outcome.success).toBe(true);
});

describe("v3.debug.message", () => {
  const refused = async (code: string) => {
    const address = testAddress("a");
    await place(service, { address, code: codeOf(code), balance: "5000000000" });
    const message = externalMessage(
      new Address(0, Buffer.from("a".repeat(64), "hex")),
      beginCell().endCell(),
    );
    return words(await service.run<Run>("v3.debug.message", { boc: bocText(message) }));
  };

  it("says why a contract did not accept a message", async () => {
    expect((await refused("30")).sentence).toMatch(/ended without accepting the message\.$/);
    expect((await refused("90EA")).sentence).toMatch(
      /spent its 10,000 gas before it accepted the message\.$/,
    );
    expect((await refused("71D0")).sentence).toMatch(
      /exit code 7 \(type mismatch\): CTOS failed \(not a cell\)\.$/,
    );
    expect((await refused("F223")).sentence).toMatch(
      /exit code 35, which its code throws itself \(THROW 35\)\.$/,
    );
  });
});

describe("v3.debug.getMethod", () => {
  it("has what a get-method printed", async () => {
    const run = await service.run<Run>("v3.debug.getMethod", { address: contract, method: "printing" });
    expect(run.prints.map(({ text }) => text)).toEqual(["s0 = 7"]);
  });
});
