import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes, bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { externalMessage } from "../helpers/chain/sample-chain.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Run = V3Result<"debug/transaction">;
type State = V3Result<"debug/state">;
type Steps = V3Result<"debug/steps">;

const count = 18;
const getParameter = (number: number) =>
  number < 16 ? `F82${number.toString(16).toUpperCase()}` : `F881${number.toString(16)}`;
/** Reads every parameter, and drops it. */
const readsAll = Array.from({ length: count }, (_, number) => `${getParameter(number)}30`).join("");
const reads = (before: string) => codeOf(before + readsAll);

const accepting = testAddress("7");
const refusing = testAddress("8");
const names = [
  ...["tag", "actions", "msgs_sent", "unixtime", "block_lt", "trans_lt", "rand_seed", "balance_remaining"],
  ...["myself", "global_config", "mycode", "incoming_value", "storage_fees", "prev_blocks_info"],
  ...["unpacked_config", "due_payment", "precompiled_gas", "in_msg_params"],
];

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("story");
  await place(service, { address: accepting, code: reads("F800"), balance: "5000000000" });
  await place(service, { address: refusing, code: reads("00"), balance: "5000000000" });
  await service.run("devnet.settle");
});
afterAll(() => service.close());

/** Each parameter as the run's instructions read it, and as the machine's state before them has it. */
async function compare(run: string): Promise<State> {
  const { steps } = await service.run<Steps>("v3.debug.steps", { run, limit: 1000, include: "stack" });
  const read = steps.flatMap(({ n, op = "", pushes }, index) =>
    steps[index + 1]?.text === "DROP" ? [{ n, op, value: pushes!.at(-1) }] : [],
  );
  expect(read).toHaveLength(count);
  const state = await service.run<State>("v3.debug.state", { run, step: read[0]!.n });
  const { parameters } = state.registers;
  expect(parameters!.map(({ index, name }) => [index, name])).toEqual([...names.entries()]);
  for (const [index, { value }] of read.entries())
    if (parameters![index]!.value !== null)
      expect([names[index], parameters![index]!.value]).toEqual([names[index], value]);
  return state;
}

const unknownIn = ({ registers }: State) =>
  registers.parameters!.filter(({ value }) => value === null).map(({ name }) => name);

async function lastRun(account: string): Promise<string> {
  await service.run("devnet.settle");
  const asked = { account, limit: 1, sort: "desc" };
  const { transactions } = await service.run<{ transactions: { hash: string }[] }>("v3.transactions", asked);
  const { run } = await service.run<Run>("v3.debug.transaction", { hash: transactions[0]!.hash });
  return run;
}

const external = (address: string) =>
  bocText(externalMessage(Address.read(address)!.address, beginCell().storeUint(1, 8).endCell()));

describe("the contract's parameters", () => {
  it("are those that a contract reads for an internal message", async () => {
    const body = bocText(beginCell().storeUint(5, 32).endCell());
    await service.run("devnet.impersonate", { from: refusing, to: accepting, value: "1000000000", body });
    const run = await lastRun(accepting);
    const state = await compare(run);
    expect(unknownIn(state)).toEqual([]);
    const { value: config } = state.registers.parameters![9]!;
    expect(config).toMatchObject({ type: "cell", hash: expect.any(String) });
    // A devnet's configuration is small enough to be among the cells.
    expect(state.cells).toHaveProperty(bytesToHex(base64ToBytes(config!.hash!)!));
    const code = state.registers.parameters![10]!.value!;
    const boc = state.cells[bytesToHex(base64ToBytes(code.hash!)!)];
    expect(boc).toBe(bytesToBase64(serializeBoc(reads("F800"))));
  });

  it("are those that it reads for an external one, a get-method, and one that is not accepted", async () => {
    await service.run("sendBoc", { boc: external(accepting) });
    expect(unknownIn(await compare(await lastRun(accepting)))).toEqual([]);
    const emulated = await service.run<Run>("v3.debug.message", { boc: external(accepting) });
    expect(unknownIn(await compare(emulated.run))).toEqual([]);
    const method = await service.run<Run>("v3.debug.getMethod", { address: accepting, method: "5" });
    expect(unknownIn(await compare(method.run))).toEqual([]);
    const refused = await service.run<Run>("v3.debug.message", { boc: external(refusing) });
    expect(refused.transaction).toBeNull();
    expect(unknownIn(await compare(refused.run))).toEqual(["storage_fees"]);
  });

  it("change where a contract takes random numbers", async () => {
    const address = testAddress("9");
    // RANDU256 DROP, RANDSEED
    await place(service, { address, code: codeOf("F81030F826"), balance: "5000000000" });
    const { run } = await service.run<Run>("v3.debug.getMethod", { address, method: "0" });
    const include = "stack,registers";
    const { steps } = await service.run<Steps>("v3.debug.steps", { run, limit: 10, include });
    const changed = steps.filter(({ registers }) => registers);
    expect(changed).toMatchObject([{ text: "RANDU256", registers: { c7: [], parameters: [{ index: 6 }] } }]);
    const [seed] = steps.find(({ op }) => op === "RANDSEED")!.pushes!;
    expect(changed[0]!.registers!.parameters).toEqual([{ index: 6, name: "rand_seed", value: seed }]);
  });
});
