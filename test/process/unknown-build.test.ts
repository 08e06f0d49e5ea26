import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configWith } from "../../server/config/settings.js";
import { createService } from "../../server/process/service/service.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { externalMessage } from "../helpers/chain/sample-chain.js";
import { unknownBuild } from "../helpers/chain/unknown-build.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const contract = testAddress("1");
const accepting = testAddress("2");
const tvmWasm = unknownBuild();

describe("a service with a build of the emulator that is not known", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await startDevnetService({ tvmWasm, adminPort: await freePort(), index: isLong });
    // DROP, then repeated by the argument: pushes 1.
    await place(service, { address: contract, code: codeOf("309171E4") });
    // ACCEPT
    await place(service, { address: accepting, code: codeOf("F800"), balance: "1000000000" });
  });
  afterAll(() => service.close());

  const run = (address: string, argument: number) =>
    service.inAllForms("runGetMethod", { address, method: "x", stack: [["num", argument]] });

  it("reports that once in the log, and shows its version in /status", async () => {
    const lines = service.logLines.map((line) => JSON.parse(line) as { msg: string; build?: string });
    const said = lines.filter(({ msg }) => msg.includes("a build of the emulator that is not known"));
    expect(said).toEqual([expect.objectContaining({ build: tvmWasm, executorVersion: 13 })]);
    const status = await (await fetch(`${service.adminUrl}/status`)).json();
    expect(status).toMatchObject({ executor: { version: 13 } });
  });

  it("runs get-methods, and refuses those too large for it", async () => {
    for (const [, ended] of await run(contract, 900))
      expect(ended).toMatchObject({ result: { exit_code: 0 } });
    const refused = { error: "TVM stack size exceeds limit", code: 500 };
    for (const [, ended] of await run(contract, 1100)) expect(ended).toEqual(refused);
    const stack = Array.from({ length: 1100 }, () => ["num", 1]);
    for (const [, ended] of await service.inAllForms("runGetMethod", {
      address: contract,
      method: "x",
      stack,
    }))
      expect(ended).toEqual(refused);
    for (const [, ended] of await run(contract, 3)) expect(ended).toMatchObject({ result: { exit_code: 0 } });
  });

  it("makes blocks of the devnet", async () => {
    type Info = { wallets: { address: string }[] };
    const { address } = (await service.run<Info>("devnet.info")).wallets[0]!;
    const balance = async () => BigInt(await service.run<string>("getAddressBalance", { address }));
    const before = await balance();
    await service.run("devnet.faucet", { address, amount: "1000000000" });
    await service.mine(2);
    expect(await balance()).toBeGreaterThan(before + 900_000_000n);
  });

  it("estimates and emulates", async () => {
    const body = bocText(Cell.empty);
    type Fees = { source_fees: { gas_fee: number } };
    const { source_fees } = await service.run<Fees>("estimateFee", { address: accepting, body });
    expect(source_fees.gas_fee).toBeGreaterThan(0);
    const boc = bocText(externalMessage(Address.read(accepting)!.address, Cell.empty));
    const { status, json, headers } = await service.post("/api/emulate/v1/emulateTrace", { boc });
    expect([status, headers.get("X-Executor-Version")]).toEqual([200, "13"]);
    const [transaction] = Object.values((json as { transactions: Record<string, object> }).transactions);
    expect(transaction).toMatchObject({ description: { compute_ph: { success: true, exit_code: 0 } } });
  });
});

it.each([
  ["no WebAssembly", (path: string) => writeFileSync(path, "no"), "is not WebAssembly"],
  [
    "WebAssembly that is cut",
    (path: string) => writeFileSync(path, Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5])),
    "cannot be used: ",
  ],
  ["nothing", () => {}, "cannot be read: "],
])("A service does not start with %s, and names the file", async (_, write, problem) => {
  const tvmWasm = join(temporaryFolder(), "bad.wasm");
  write(tvmWasm);
  const settings = { tvmWasm, port: 0, adminPort: 0, index: false, logLevel: "silent" } as const;
  const service = createService(configWith(settings));
  await expect(service.listen()).rejects.toMatchObject({
    isSetupError: true,
    message: expect.stringMatching(new RegExp(`^The TVM build ${tvmWasm} ${problem}`)),
  });
  await service.close();
});
