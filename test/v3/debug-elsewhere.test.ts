import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { base64ToBytes, bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { MadeTypes } from "../helpers/abi/made-abi.js";
import { TestWallet } from "../helpers/chain/devnet.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { funcCounter, funcCounterCode, lineOf } from "../helpers/debug/func-counter.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Run = V3Result<"debug/transaction">;
type Steps = V3Result<"debug/steps">;

const files = { map: "elsewhere.json", abi: "elsewhere.abi.json" };
const counter = bytesToBase64(funcCounterCode.hash());
const total = beginCell().storeUint(41, 32).endCell();
/** A parameter of the configuration that no network has. */
const parameter = 778;

/** The counter's exit code, in words. */
const abi = JSON.stringify({
  ...new MadeTypes().abi({ contract_name: "elsewhere" }),
  thrown_errors: [{ err_code: 1100, name: "ERR_UNKNOWN", description: "nothing to do", kind: "constant" }],
});

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("story");
  await service.run("v3.debug.artifacts.add", {
    files: [
      { file: files.map, content: JSON.stringify(funcCounter) },
      { file: files.abi, content: abi },
    ],
  });
});
afterAll(async () => {
  for (const file of Object.values(files)) await service.run("v3.debug.artifacts.remove", { file });
  await service.run("devnet.setConfig", { param: parameter });
  await service.close();
});

/** Places a contract, and runs it for a message with an operation of the counter. */
async function run(address: string, contract: { code: Cell; data?: Cell }): Promise<Run> {
  await place(service, { address, ...contract, balance: "5000000000" });
  await service.run("devnet.settle");
  const body = beginCell().storeUint(4, 32).storeUint(9, 8).endCell();
  const message = { from: testAddress("f"), to: address, value: "1000000000", body: bocText(body) };
  await service.run("devnet.impersonate", message);
  await service.run("devnet.settle");
  const { transactions } = await service.run<{ transactions: { hash: string }[] }>("v3.transactions", {
    account: address,
    limit: 1,
    sort: "desc",
  });
  return service.run<Run>("v3.debug.transaction", { hash: transactions[0]!.hash });
}

const stepsOf = async ({ run }: Run) =>
  (await service.run<Steps>("v3.debug.steps", { run, limit: 1000, include: "source" })).steps;

describe("a code from elsewhere", () => {
  it("has its lines and functions in a machine that RUNVM starts", async () => {
    // 100421 PUSHINT, 1 PUSHINT, c4 PUSH, CTOS, LDREF, LDREF, DROP, SWAP, CTOS, SWAP, 5 RUNVM
    const code = codeOf("82018845" + "71" + "ED44D0D4D430" + "01D001" + "DB4005");
    const data = beginCell().storeRef(funcCounterCode).storeRef(total).endCell();
    const shown = await run(testAddress("3"), { code, data });
    expect(shown.outcome.success).toBe(true);
    expect(shown.code).toMatchObject({
      hash: bytesToBase64(code.hash()),
      executed: [{ hash: counter, map: { format: "func", file: files.map } }],
    });
    expect(shown.code).not.toHaveProperty("map");
    const steps = await stepsOf(shown);
    const inner = steps.filter(({ depth }) => depth > 0);
    expect(new Set(inner.map((step) => step.function))).toEqual(
      new Set([undefined, "total", "load", "twice"]),
    );
    expect(inner.find(({ text }) => text?.startsWith("ADD"))).toMatchObject({
      source: { file: "counter.fc", line: lineOf("return x + x") },
    });
    for (const step of steps) if (step.depth === 0) expect(step).not.toHaveProperty("source");
    expect(shown.gas!.by_line!.map(({ name }) => name)).toContain(
      `counter.fc:${lineOf("return twice(load())")}`,
    );
  });

  it("has the names of its exit codes where a contract jumps to it", async () => {
    // c4 PUSH, CTOS, LDREF, DROP, CTOS, BLESS, JMPX
    const code = codeOf("ED44D0D430" + "D0ED1ED9");
    const data = beginCell().storeRef(funcCounterCode).endCell();
    const shown = await run(testAddress("4"), { code, data });
    expect(shown.outcome).toMatchObject({
      ...{ success: false, exit_code: 1100, exit_name: "ERR_UNKNOWN", function: "recv_internal" },
      source: { file: "counter.fc", line: lineOf("throw(1000 + n)") },
    });
    expect(shown.outcome.sentence).toContain("ERR_UNKNOWN");
  });

  it("is found within the contract's own code, and in the configuration", async () => {
    // PUSHREF, CTOS, BLESS, JMPX
    const within = beginCell()
      .storeBytes(Buffer.from("88D0ED1ED9", "hex"))
      .storeRef(funcCounterCode)
      .endCell();
    expect((await run(testAddress("5"), { code: within })).outcome).toMatchObject({
      exit_name: "ERR_UNKNOWN",
      source: { file: "counter.fc" },
    });
    await service.run("devnet.setConfig", { param: parameter, value: bocText(funcCounterCode) });
    await service.run("devnet.settle");
    // 778 PUSHINT, CONFIGOPTPARAM, CTOS, BLESS, JMPX
    const configured = codeOf("81030A" + "F833" + "D0ED1ED9");
    const shown = await run(testAddress("6"), { code: configured });
    expect(shown.proof.level).toBe("exact");
    expect(shown.outcome).toMatchObject({ exit_name: "ERR_UNKNOWN", source: { file: "counter.fc" } });
  });

  it("is named for Telegram's wallet, whose code is in the configuration", async () => {
    const { wallet } = new TestWallet("elsewhere", "tg");
    const { code: own, data } = wallet.init;
    await place(service, { address: wallet.address.toRaw(), code: own!, data: data!, balance: "5000000000" });
    const payments = [{ to: wallet.address, value: 1n }];
    const boc = bocText(wallet.order({ seqno: 0, validUntil: 0xffffffff, payments }));
    const { run: name, code, outcome } = await service.run<Run>("v3.debug.message", { boc });
    expect(outcome.success).toBe(true);
    expect(code!.executed).toHaveLength(1);
    const { steps } = await service.run<Steps>("v3.debug.steps", { run: name, limit: 1000 });
    const { hash } = code!.executed![0]!;
    const first = steps.find(({ at }) => at?.startsWith(bytesToHex(base64ToBytes(hash)!)));
    expect(first?.op).toBeDefined();
  });
});
