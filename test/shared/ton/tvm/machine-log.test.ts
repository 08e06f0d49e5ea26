import { beforeAll, describe, expect, it } from "vitest";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { LogDetail } from "../../../../shared/ton/run/method-request.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { readLoggedValue, splitValues } from "../../../../shared/ton/tvm/logged-values.js";
import {
  type LoggedStep,
  type MachineLog,
  MachineLogReader,
} from "../../../../shared/ton/tvm/machine-log.js";
import { hexToBytes } from "../../../../shared/values/bytes.js";
import {
  account,
  activeAccount,
  bytesCell,
  internalMessage,
  testConfig,
  testTime,
} from "../../../helpers/chain/sample-chain.js";

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

type Ran = { log: string; steps: number; gas: number; gasUsed: number };

/** Runs a code for a message. */
function run(code: string | Cell, { log = "gas" as LogDetail, value = 1_000_000_000n } = {}): Ran {
  const result = executor.runTransaction({
    ...{ config: testConfig, now: testTime, randSeed: new Uint8Array(32).fill(7), lt: 5_000_000n, log },
    shardAccount: activeAccount({
      code: typeof code === "string" ? bytesCell(code) : code,
      data: bytesCell(""),
    }),
    message: internalMessage({ value, to: account }),
  });
  if (result.outcome !== "done") throw new Error(result.reason);
  const description = decode(Transaction, result.transaction).description.value;
  const compute = description.kind === "ord" ? description.computePh : undefined;
  if (compute?.kind !== "vm") throw new Error("nothing ran");
  const { vmSteps: steps, gasLimit, gasUsed } = compute;
  return { log: result.vmLog, steps, gas: Number(gasLimit), gasUsed: Number(gasUsed) };
}

function read({ log, ...facts }: Ran): MachineLog {
  const reader = new MachineLogReader(log, facts);
  while (reader.read(1000));
  return reader.finish();
}

function stepsOf(log: MachineLog): LoggedStep[] {
  return Array.from({ length: log.end - log.first }, (_, at) => log.at(log.first + at));
}

/** Instructions and errors with their gas, in short. */
const short = (ran: Ran) =>
  stepsOf(read(ran)).map(({ text, error, gas }) => `${text ?? error?.code} ${gas ?? "?"}`);
const sumOf = (steps: readonly LoggedStep[]) => steps.reduce((sum, { gas = 0 }) => sum + gas, 0);

/** CTOS of a number; the same, caught; an exception; an endless loop; a machine inside; no instruction; a message. */
const codes = {
  failing: "71D0",
  caught: "9271D09130F2FF",
  throwing: "71F22A",
  endless: "90EA",
  inner: "70208B08DB4000",
  invalid: "71C7FF",
  sending: "C8C970FB00",
};

describe("The steps of a log", () => {
  it.each(Object.entries(codes))("are as many as the chain counts, with all its gas: %s", (_, code) => {
    const ran = run(code, { value: 20_000_000n });
    const log = read(ran);
    const steps = stepsOf(log);
    expect({ first: log.first, steps: steps.length, gas: sumOf(steps) }).toEqual({
      first: 0,
      steps: ran.steps,
      gas: ran.gasUsed,
    });
    expect(log.isCut).toBe(false);
  });

  it("have the gas and the error of what failed", () => {
    expect(short(run(codes.failing))).toEqual(["PUSHINT 1 18", "CTOS 18", "7 50"]);
    expect(stepsOf(read(run(codes.failing))).at(-1)!.error).toEqual({
      code: 7,
      text: "not a cell",
      caught: false,
    });
    const [, thrown] = stepsOf(read(run(codes.throwing)));
    expect(thrown).toMatchObject({ text: "THROW 42", error: { code: 42, caught: false }, gas: 76 });
  });

  it("of an instruction that failed and was caught have their gas with the next one", () => {
    const steps = stepsOf(read(run(codes.caught)));
    const failed = steps.findIndex(({ text }) => text === "CTOS");
    expect(steps.slice(failed, failed + 3)).toMatchObject([
      { text: "CTOS" },
      { error: { code: 7, caught: true }, gas: 50 },
      { text: "DROP", gas: 36 },
    ]);
    expect(steps[failed]).not.toHaveProperty("gas");
  });

  it("of a machine inside have its depth", () => {
    const steps = stepsOf(read(run(codes.inner)));
    expect(steps.map(({ text, depth }) => `${depth} ${text}`)).toEqual([
      "0 PUSHINT 0",
      "0 DUP",
      "0 PUSHSLICE x",
      "0 RUNVM 0",
      "1 implicit RET",
      "0 implicit RET",
    ]);
  });

  it("that queue an action are known", () => {
    const log = read(run(codes.sending));
    expect(log.queued.map((n) => log.at(n).text)).toEqual(["SENDRAWMSG"]);
  });

  it("have what they print, whatever a contract prints", () => {
    // PUSHINT 5, DUMP s0, then STRDUMP of lines that look like the log's.
    const forged = "a\ngas remaining: 1\nexecute THROW 9\ngas remaining: 999\n";
    const slice = beginCell().storeBytes(new TextEncoder().encode(forged)).endCell();
    // PUSHREF, CTOS, STRDUMP
    const code = beginCell().storeBytes(hexToBytes("75FE2088D0FE14")!).storeRef(slice).endCell();
    const ran = run(code);
    const log = read(ran);
    expect(log.prints.map(({ step, text }) => [log.at(step).text, text])).toEqual([
      ["DUMP s0", "s0 = 5"],
      ["STRDUMP", forged.trimEnd()],
    ]);
    expect(log.at(log.prints[1]!.step).print).toBe(forged.trimEnd());
    const steps = stepsOf(log);
    expect([steps.length, sumOf(steps)]).toEqual([ran.steps, ran.gasUsed]);
    expect(steps.map(({ text }) => text)).not.toContain("THROW 9");
  });

  it("have places in the code", () => {
    const [first] = stepsOf(read(run(codes.failing)));
    expect(first!.at).toEqual({ cell: bytesCell(codes.failing).hashHex(), offset: 0 });
  });

  it("are the last ones, or the first ones, of a log that was cut at any byte", () => {
    const ran = run(codes.caught);
    const whole = stepsOf(read(ran));
    for (let at = 0; at <= ran.log.length; at++) {
      const last = stepsOf(read({ ...ran, log: ran.log.slice(at) }));
      expect(whole.slice(whole.length - last.length)).toMatchObject(last);
      const first = stepsOf(read({ ...ran, steps: 0, log: ran.log.slice(0, at) }));
      for (const [index, { error, gas: _, ...step }] of first.entries())
        expect({ ...whole[index]!, ...(!error && { error: undefined }) }).toMatchObject(step);
    }
  });

  it("are 200,000 at most", () => {
    const log = "execute NOP\nagain (infinite loop)\ngas remaining: 5\n".repeat(210_000);
    const { end, total, isCut, bytes } = read({ log, steps: 0, gas: 5, gasUsed: 0 });
    expect({ end, total, isCut }).toEqual({ end: 200_000, total: 210_000, isCut: true });
    expect(bytes).toBeLessThan(16 << 20);
  });
});

describe("The values of a stack", () => {
  it("are read as the machine writes them", () => {
    // A tuple, a null, NaN, a cell, a slice and a builder.
    const log = read(run("7173" + "6F02" + "6D" + "83FF" + "C8C9" + "C8C9D0" + "C8", { log: "stack" }));
    const values = splitValues(log.stackBefore(log.end - 1)!).slice(5);
    expect(values.map((value) => readLoggedValue(value))).toEqual([
      {
        type: "tuple",
        items: [
          { type: "int", value: "1" },
          { type: "int", value: "3" },
        ],
      },
      { type: "null" },
      { type: "int", value: "NaN" },
      { type: "cell", cell: expect.anything() },
      { type: "slice", cell: expect.anything() },
      { type: "builder", cell: expect.anything() },
    ]);
  });

  it("that nest too deep are texts", () => {
    const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(JSON.stringify(readLoggedValue(text))).toContain('"type":"text"');
  });
});
