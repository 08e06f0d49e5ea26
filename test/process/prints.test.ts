import { afterAll, beforeAll, expect, it } from "vitest";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";
import { externalMessage } from "../helpers/chain/sample-chain.js";
import { bocText, place, testAddress } from "../helpers/contracts/contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";

const contract = testAddress("c");
const other = testAddress("d");

/** Prints what it receives, and passes it on once. */
const source = `
fun dump(value: int): void asm "s0 DUMP" "DROP"
fun dumpString(text: slice): void asm "STRDUMP" "DROP"
fun onInternalMessage(in: InMessage) {
    var body = in.body;
    if (body.isEmpty()) { return; }
    dump(body.loadUint(32));
    if (!body.isEmpty()) { dumpString(body); }
}
fun onExternalMessage(inMsg: slice) {
    dump(inMsg.loadUint(32));
    throw 77;
}
get fun printing(): int { dump(7); return 7; }
`;

const lines: string[] = [];
let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService(
    { print: true, mining: "message" },
    // However slow the machine is, an answer waits for what is shown.
    { print: (line) => lines.push(line), settleMs: 90_000 },
  );
  const code = await compile(source);
  for (const address of [contract, other]) await place(service, { address, code, balance: "1000000000" });
  await service.run("devnet.setName", { address: contract, name: "Counter" });
});
afterAll(() => service?.close());

/** What was printed meanwhile. */
async function printedBy(work: () => Promise<unknown>): Promise<string[]> {
  lines.length = 0;
  await work();
  return [...lines];
}

const send = (to: string, body: ReturnType<typeof beginCell>) =>
  service.run("devnet.impersonate", {
    ...{ from: testAddress("7"), to, value: "100000000", body: bocText(body.endCell()) },
  });

it("A devnet shows what transactions print before it answers, with the contract's name", async () => {
  expect(await printedBy(() => send(contract, beginCell().storeUint(42, 32)))).toEqual(["[Counter] s0 = 42"]);
  const [line] = await printedBy(() => send(other, beginCell().storeUint(5, 32)));
  expect(line).toMatch(/^\[EQ[\w-]{46}\] s0 = 5$/);
});

it("Texts of contracts do not control the terminal", async () => {
  const text = beginCell().storeUint(1, 32).storeBytes(Buffer.from("a\u001b[31mred\nsecond"));
  expect(await printedBy(() => send(contract, text))).toEqual([
    "[Counter] s0 = 1",
    "[Counter] a\ufffd[31mred second",
  ]);
});

it("Get-methods that callers run print, too", async () => {
  const run = () => service.run("runGetMethod", { address: contract, method: "printing", stack: [] });
  expect(await printedBy(run)).toEqual(["[Counter] s0 = 7"]);
});

it("Messages that a contract refuses have printed, too", async () => {
  const body = beginCell().storeUint(9, 32).endCell();
  const [workchain, hash] = contract.split(":");
  const address = new Address(Number(workchain), Buffer.from(hash!, "hex"));
  const refused = () => service.rpc("sendBoc", { boc: bocText(externalMessage(address, body)) });
  expect(await printedBy(refused)).toEqual(["[Counter] s0 = 9"]);
});
