import { beforeAll, describe, expect, it } from "vitest";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { sha256 } from "../../../../shared/ton/cells/sha256.js";
import { RegisterWalk } from "../../../../shared/ton/debug/registers.js";
import { decodeOutList } from "../../../../shared/ton/tlb/out-action.js";
import { readLoggedValue, splitValues } from "../../../../shared/ton/tvm/logged-values.js";
import { bytesToHex, joinBytes } from "../../../../shared/values/bytes.js";
import { account, bytesCell, testTime } from "../../../helpers/chain/sample-chain.js";
import { funcCounterCode } from "../../../helpers/debug/func-counter.js";
import { type MachineRun, runMessage } from "../../../helpers/debug/machine-run.js";

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

const data = beginCell().storeUint(41, 32).endCell();

function run(code: Cell, operation = 0): MachineRun {
  const body = beginCell().storeUint(operation, 32).storeUint(9, 8).endCell();
  return runMessage(executor, { code, data, body });
}

/** The seed that the machine has for this account. */
const seed = sha256(joinBytes([new Uint8Array(32).fill(7), account.hash]));
const parameters = [
  ...new Array<undefined>(6).fill(undefined),
  { type: "int", value: BigInt(`0x${bytesToHex(seed)}`).toString() },
] as const;

function derive({ log, ...after }: MachineRun, others: Partial<MachineRun> = {}) {
  const walk = new RegisterWalk(log, { c4: data, parameters });
  while (walk.read(7));
  const { data: last, actions } = { ...after, ...others };
  return walk.finish({ dataHash: last?.hash(), actionsHash: actions?.hash() });
}

describe("registers of a run", () => {
  it("are those of the chain at the end, and change where the instructions change them", () => {
    const made = run(funcCounterCode, 1);
    const registers = derive(made);
    const last = registers.before(made.log.end);
    expect([last.c4?.hashHex(), last.c5?.hashHex()]).toEqual([made.data!.hashHex(), made.actions!.hashHex()]);
    expect(decodeOutList(last.c5!)).toHaveLength(1);
    const [stored] = registers.writesOf("c4");
    expect(made.log.at(stored!).text).toBe("POP c4");
    expect(registers.before(stored!).c4?.hashHex()).toBe(data.hashHex());
    expect(registers.changedBy(stored!).c4?.hashHex()).toBe(made.data!.hashHex());
    expect(registers.writesOf("c5")).toEqual(made.log.queued);
    expect(registers.changedBy(stored! + 1)).toEqual({});
  });

  it("have the global variables", () => {
    const made = run(funcCounterCode, 2);
    const registers = derive(made);
    const writes = registers.writesOf("c7");
    expect(writes).toEqual(registers.writesOfGlobal(1));
    const values = [...writes, made.log.end].map((n) => registers.before(n).c7!.globals.get(1));
    expect(values).toEqual([undefined, ...["0", "1", "2", "3"].map((value) => ({ type: "int", value }))]);
    expect(registers.writesOfGlobal(2)).toEqual([]);
  });

  it.each([
    ["RANDU256", "F810"],
    ["RAND", "8064" + "F811"],
    ["ADDRAND", "8064" + "F815"],
    ["SETRAND", "8064" + "F814"],
  ])("have the random seed that %s leaves", (name, code) => {
    // RANDSEED, the instruction, RANDSEED, SETGLOB 2, RANDSEED
    const made = run(bytesCell(`F826${code}F826F862F826`));
    expect(made.succeeded).toBe(true);
    const registers = derive(made);
    const steps = Array.from({ length: made.log.end }, (_, n) => made.log.at(n));
    const [wrote, global] = registers.writesOf("c7");
    expect([steps[wrote!]!.text, steps[global!]!.text]).toEqual([name, "SETGLOB 2"]);
    const reads = steps.filter(({ text }) => text?.includes("RANDSEED"));
    expect(reads).toHaveLength(3);
    for (const { n } of reads) {
      const left = readLoggedValue(splitValues(made.log.stackBefore(n + 1)!).at(-1)!);
      expect(registers.before(n).c7!.parameters!.get(6)).toEqual(left);
    }
    expect(registers.changedBy(wrote!)).toEqual({
      c7: {
        globals: new Map(),
        parameters: new Map([[6, registers.before(made.log.end).c7!.globals.get(2)]]),
      },
    });
  });

  it("have the parameters that the contract sets itself", () => {
    // c7 PUSH, 0 INDEX, 5 INT, 0 SETINDEX, 0 INT, SETGLOBVAR, 0 GETPARAM
    const made = run(bytesCell("ED47" + "6F10" + "75" + "6F50" + "70" + "F860" + "F820"));
    expect(made.succeeded).toBe(true);
    const registers = derive(made);
    const [wrote] = registers.writesOf("c7");
    expect(made.log.at(wrote!).text).toBe("SETGLOBVAR");
    expect(registers.before(wrote!).c7!.parameters!.get(0)).toBeUndefined();
    const { parameters: all } = registers.before(made.log.end).c7!;
    expect(all!.get(0)).toEqual({ type: "int", value: "5" });
    expect(all!.get(3)).toEqual({ type: "int", value: String(testTime) });
  });

  it("are unknown if the chain has others", () => {
    const made = run(funcCounterCode, 1);
    const registers = derive(made, { data: bytesCell("00"), actions: bytesCell("01") });
    expect(registers.before(made.log.end)).toMatchObject({ c4: undefined, c5: undefined });
  });

  it.each([
    ["RAWRESERVE", "8064" + "70" + "FB02"],
    ["RAWRESERVEX", "8064" + "6D" + "70" + "FB03"],
    ["SETCODE", "C8C9" + "FB04"],
    ["SETLIBCODE", "C8C9" + "71" + "FB06"],
    ["CHANGELIB", "8064" + "71" + "FB07"],
    ["SENDRAWMSG", "C8C9" + "72" + "FB00"],
  ])("have the list of actions as %s makes it", (name, code) => {
    const made = run(bytesCell(code));
    expect(made.succeeded).toBe(true);
    const registers = derive(made);
    expect(made.log.queued.map((n) => made.log.at(n).text)).toEqual([name]);
    expect(registers.before(made.log.end).c5?.hashHex()).toBe(made.actions!.hashHex());
  });

  it("are set back where an exception is caught", () => {
    // c4 PUSH, <{ NIP NIP }>, c4 SETCONTCTR, <{ NEWC ENDC c4 POP 7 THROW }>, SWAP, TRY
    const code = bytesCell("ED44" + "923131" + "ED64" + "96C8C9ED54F207" + "01" + "F2FF");
    const made = run(code);
    const registers = derive(made);
    expect(registers.writesOf("c4").map((n) => made.log.at(n).text)).toEqual(["POP c4", "THROW 7"]);
    expect(registers.before(made.log.end).c4?.hashHex()).toBe(data.hashHex());
  });

  it("are those that were committed where the run fails after it", () => {
    // NEWC ENDC c4 POP COMMIT, NEWC 1 STU... c4 POP, 7 THROW
    const code = bytesCell("C8C9ED54F80F" + "71C8CB07C9ED54" + "F207");
    const made = run(code);
    expect(made.log.at(made.log.end - 1).error).toEqual({ code: 7, caught: false });
    const registers = derive(made);
    expect(made.data!.bits).toBe(0);
    expect(registers.before(made.log.end).c4?.bits).toBe(8);
    expect(derive(made, { data: bytesCell("0001") }).before(made.log.end).c4).toBeUndefined();
  });
});
