import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { V3DebugAbiResult } from "../../client/api.js";
import { externalMessage } from "../../server/chain/external-message.js";
import { startDevnet } from "../../server/process/workers/devnet-library.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { counterAbi, counterOwner, counterSource } from "../helpers/abi/counter-contract.js";
import { compile } from "../helpers/contracts/tolk.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { connectModel, httpTransport } from "../helpers/services/mcp-client.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const counter = new Address(0, new Uint8Array(32).fill(0xc0));
const address = counter.toRawUpper();
const owner = counterOwner;
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));
const coder = new AbiCoder(readTolkAbi(counterAbi()));
const source = { contract: "Counter", trust: "own", by: "code" };

it("startDevnet takes the folder of a project's build", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "counter.abi.json"), JSON.stringify(counterAbi()));
  const devnet = await startDevnet({ artifacts: folder, index: false });
  onTestFinished(() => devnet.close());
  const response = await fetch(`${devnet.url}/api/v3/decode?opcodes=0x10&include_abi=true`);
  expect(await response.json()).toMatchObject({
    abi: { opcodes: [{ contract: "Counter", message: "Add" }] },
  });
});

describe("a service with the artifacts of a project", () => {
  let service: DevnetService;
  let folder: string;
  let code: Cell;
  /** A wallet, of which there is no ABI. */
  let foreign: string;
  const write = (file: string, json: unknown) => writeFileSync(join(folder, file), JSON.stringify(json));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-artifacts-"));
    code = await compile(counterSource);
    write("Counter.compiled.json", { hash: bytesToHex(code.hash()), hex: bytesToHex(serializeBoc(code)) });
    write("counter.abi.json", counterAbi());
    service = await startDevnetService({ index: true, artifacts: folder, anonymousRps: "unlimited" });
    const data = coder.writeStorage({ count: -5, owner, points: { "3": "7" } });
    const account = { address, balance: "10000000000", code: base64(code), data: base64(data) };
    await service.run("devnet.setAccount", account);
    await service.mine();
    foreign = (await prefundedWallet(service, "v4r2")).address;
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const runMethod = async (method: string, args?: unknown) =>
    service.run<{ abi: { result: unknown } | null; stack: unknown[] }>("v3.runGetMethod", {
      address,
      method,
      ...(args === undefined ? { include_abi: true } : { args }),
    });

  it("finds the ABI of an account by the code that it has", async () => {
    const abisOf = async (account: string) =>
      (await service.run<V3DebugAbiResult>("v3.debug.abi", { account })).matches;
    expect(await abisOf(address)).toMatchObject([{ ...source, code_hashes: [bytesToBase64(code.hash())] }]);
    expect(await abisOf(owner)).toEqual([]);
  });

  describe("v3.runGetMethod", () => {
    it("has the result in the types of the ABI, on request", async () => {
      expect(await runMethod("state")).toMatchObject({
        exit_code: 0,
        abi: {
          ...source,
          method: "state",
          returns: "Storage",
          result: { count: "-5", owner, points: { "3": "7" } },
        },
      });
      const plain = await service.run("v3.runGetMethod", { address, method: "state" });
      expect(Object.keys(plain as object)).toEqual(["gas_used", "exit_code", "stack"]);
    });

    it("are those of an ABI in the call, which comes first", async () => {
      const own = { ...counterAbi(), contract_name: "Mine" };
      const abi = JSON.stringify(own);
      const known = { contract: "Mine", trust: "own", by: "call" };
      expect(
        await service.run("v3.runGetMethod", { address, method: "state", include_abi: true, abi }),
      ).toMatchObject({ abi: { ...known, method: "state", result: { count: "-5" } } });
      expect(await service.run("v3.decode", { opcodes: ["0x10"], include_abi: true, abi })).toMatchObject({
        abi: { opcodes: [{ ...known, message: "Add" }] },
      });
      for (const wrong of ["{}", "!", JSON.stringify({ ...own, abi_schema_version: "2" })])
        expect(await service.rpc("v3.decode", { opcodes: [], include_abi: true, abi: wrong })).toMatchObject({
          error: { code: -32602, message: expect.stringMatching(/abi is not used: .+/) },
        });
    });

    it.each([
      ["mixed", { flag: true, point: { x: 1, y: "0x2" }, who: null }, [false, { x: "1", y: "2" }, null]],
      ["mixed", [false, { x: 1, y: 2 }, owner], [true, { x: "1", y: "2" }, owner]],
      ["echo", [null, null], [null, null]],
      [
        "echo",
        [
          { x: 1, y: 2 },
          { "@type": "int", value: 77 },
        ],
        [
          { x: "1", y: "2" },
          { "@type": "int", value: "77" },
        ],
      ],
      [
        "echo",
        { point: null, any: { "@type": "Point", x: 5, y: 6 } },
        [null, { "@type": "Point", x: "5", y: "6" }],
      ],
      [
        "points",
        [],
        [
          { x: "1", y: "2" },
          { x: "3", y: "4" },
        ],
      ],
      ["takes", [[{ x: 1, y: 2 }, null, null], [{ x: 1, y: 1 }]], "31"],
      ["takes", [[], []], "0"],
    ])("passes arguments of %s by the machine's layout: %j", async (method, args, result) => {
      expect((await runMethod(method, args)).abi?.result).toEqual(result);
    });

    it("reads what the contract packs, and the contract reads what is packed here", async () => {
      const items = Array.from({ length: 70 }, (_, i) => String(i));
      const held = { items, list: ["1", "2", "3"], name: "hello" };
      expect((await runMethod("held")).abi?.result).toEqual(held);
      expect((await runMethod("reads", [held])).abi?.result).toEqual(["701", "hello"]);
    });

    it.each([
      [{ method: "gone", args: [] }, "no ABI of the contract has a get-method gone; pass a stack"],
      [{ method: "mixed", args: [1] }, "flag: expected true or false"],
      [{ method: "mixed", args: { flags: true } }, "mixed does not take flags"],
      [
        { method: "state", args: [], stack: [{ type: "num", value: "1" }] },
        "only one of stack, args can be given",
      ],
      [{ method: "state", args: "x" }, "args should be a list or an object"],
    ])("refuses %j", async (params, reason) => {
      const answer = await service.rpc("v3.runGetMethod", { address, ...params });
      expect(answer).toMatchObject({ error: { message: expect.stringContaining(reason) } });
    });

    it("answers null for contracts and methods without an ABI", async () => {
      expect((await runMethod("gone")).abi).toBeNull();
      const run = { address: foreign, method: "seqno", include_abi: true };
      expect(await service.run("v3.runGetMethod", run)).toMatchObject({ abi: null });
    });
  });

  it("v3.accountStates has the storage by the ABI, on request", async () => {
    const states = (params: object) =>
      service.run<{ accounts: Record<string, unknown>[] }>("v3.accountStates", {
        address: [address, foreign],
        ...params,
      });
    const typed = await states({ include_storage: true });
    const storage = { count: "-5", owner, points: [{ key: "3", value: "7" }] };
    const [mine, theirs] = typed.accounts;
    expect(mine).toMatchObject({ address, storage });
    expect(theirs).not.toHaveProperty("storage");
    expect(theirs).not.toHaveProperty("storage_error");
    const plain = await states({});
    expect(plain.accounts).toEqual([
      Object.fromEntries(Object.entries(mine!).filter(([name]) => name !== "storage")),
      theirs,
    ]);
    const short = await states({ include_storage: true, include_boc: false });
    const withoutBoc = await states({ include_boc: false });
    expect(short.accounts).toEqual([{ ...withoutBoc.accounts[0], storage }, withoutBoc.accounts[1]]);
  });

  it("v3.decode names opcodes and bodies", async () => {
    const body = coder.writeBody("external", "Add", { by: 5 });
    const params = { opcodes: ["0x10", "0xf8a7ea5"], bodies: [base64(body), "zz"], include_abi: true };
    const transfer = { contract: "MintlessWallet", trust: "built in", by: "opcode", message: "Transfer" };
    const named = (by: string) => ({
      opcodes: [{ ...source, by, message: "Add" }, by === "opcode" ? transfer : null],
      bodies: [{ ...source, by, message: "Add", fields: { by: "5" } }, null],
    });
    expect(await service.run("v3.decode", params)).toEqual({
      opcodes: ["unknown", "jetton_transfer"],
      bodies: [{ error: "unknown: no parser succeeded" }, { error: expect.any(String) }],
      abi: named("opcode"),
    });
    const code_hash = bytesToHex(code.hash());
    expect(await service.run("v3.decode", { ...params, code_hash })).toMatchObject({ abi: named("code") });
    const other = { ...params, code_hash: "00".repeat(32) };
    expect(await service.run("v3.decode", other)).toMatchObject({
      abi: { opcodes: [null, null], bodies: [null, null] },
    });
  });

  it("sendBoc names the exit code of a message that the contract refuses", async () => {
    const message = externalMessage(counter, Cell.empty, undefined);
    expect(await service.rpc("sendBoc", { boc: base64(message) })).toMatchObject({
      error: {
        data: {
          exit_code: 1234,
          exit_name: "ERR_TOO_LARGE",
          exit_meaning: "More than 1000 at once.",
          exit_source: source,
        },
      },
    });
  });

  it("a model reads accounts, get-methods and bodies by the ABI", async () => {
    const model = await connectModel(httpTransport(service.url, { "X-API-Key": service.key }));
    expect(await model.ask("account", { address })).toMatchObject({
      storage: { count: "-5", owner, points: [{ key: "3", value: "7" }] },
      abi: {
        contract: "Counter",
        trust: "own",
        get_methods: expect.arrayContaining([
          "state(): Storage",
          "mixed(flag: bool, point: Point, who: address?): (bool, Point, address?)",
        ]),
        messages: ["external Add 0x00000010 { by: uint32 }"],
      },
    });
    const args = { flag: true, point: { x: 1, y: 2 }, who: null };
    expect(await model.ask("run_get_method", { address, method: "mixed", args })).toMatchObject({
      exit_code: 0,
      abi: { ...source, method: "mixed", result: [false, { x: "1", y: "2" }, null] },
    });
    expect(await model.ask("run_get_method", { address, method: "state" })).toMatchObject({
      abi: { result: { count: "-5" } },
    });
    const body = base64(coder.writeBody("external", "Add", { by: 5 }));
    expect(await model.ask("decode", { bodies: [body], code_hash: bytesToHex(code.hash()) })).toMatchObject({
      abi: { bodies: [{ ...source, message: "Add", fields: { by: "5" } }] },
    });
    expect(await model.ask("account", { address: foreign })).not.toHaveProperty("abi");
  });

  it("v3.messageStatus names the exit code, and sees a rebuild without a restart", async () => {
    const body = coder.writeBody("external", "Add", { by: 1001 });
    const message = externalMessage(counter, body, undefined);
    await service.run("sendBoc", { boc: base64(message) });
    await service.mine();
    await service.run("devnet.settle");
    const failure = async () =>
      (await service.run<{ failure: unknown }>("v3.messageStatus", { hash: bytesToHex(message.hash()) }))
        .failure;
    expect(await failure()).toMatchObject({
      phase: "compute",
      exit_code: 1234,
      exit_name: "ERR_TOO_LARGE",
      exit_meaning: "More than 1000 at once.",
      exit_source: source,
    });
    write("counter.abi.json", counterAbi({ tooLarge: "ERR_BEYOND" }));
    await until(
      "the new name",
      async () => ((await failure()) as { exit_name: string }).exit_name === "ERR_BEYOND",
    );
    expect(service.logLines.join("")).toContain(`read the artifacts in ${folder}`);
  });
});
