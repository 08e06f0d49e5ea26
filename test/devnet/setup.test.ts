import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const someone = (digit: string) => `0:${digit.repeat(64)}`;

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService({ index: true, latency: 1 });
});
afterAll(() => service?.close());

type Refused = { error: { message: string; data: { code: number; kind: string } } };
const refusal = async (method: string, params: object, { rpc } = service) => {
  const { error } = (await rpc(method, params)) as Refused;
  return [error.data.code, error.message];
};

describe("devnet.setConditions", () => {
  afterEach(() => service.run("devnet.setConditions", { latency_ms: 0, fail_rate: 0 }));
  const kindOf = async () =>
    ((await service.rpc("getMasterchainInfo")) as Partial<Refused>).error?.data.kind ?? "ok";

  it("begins with the settings, and changes one thing at a time", async () => {
    const other = await startDevnetService({ latency: 2, failRate: 0.25 });
    onTestFinished(() => other.close());
    expect(await other.run("devnet.setConditions")).toEqual({ latency_ms: 2, fail_rate: 0.25 });
    expect(await other.run("devnet.setConditions", { latency_ms: 0 })).toEqual({
      latency_ms: 0,
      fail_rate: 0.25,
    });
    expect(await other.run("devnet.setConditions", { fail_rate: "0" })).toEqual({
      latency_ms: 0,
      fail_rate: 0,
    });
  });

  it("lets calls fail from the next one on, by REST and JSON-RPC, until it is taken back", async () => {
    expect(await kindOf()).toBe("ok");
    expect(await service.run("devnet.setConditions", { fail_rate: 1 })).toMatchObject({ fail_rate: 1 });
    for (let calls = 0; calls < 5; calls++) expect(["timeout", "unavailable"]).toContain(await kindOf());
    const { status } = await service.get("/api/v2/getMasterchainInfo");
    expect(status).toBeGreaterThanOrEqual(500);
    // Calls that control the devnet never fail, or this could not be undone.
    await service.run("devnet.setConditions", { fail_rate: 0 });
    expect(await kindOf()).toBe("ok");
  });

  it("lets calls wait", async () => {
    await service.run("devnet.setConditions", { latency_ms: 30 });
    const before = performance.now();
    await service.run("getMasterchainInfo");
    expect(performance.now() - before).toBeGreaterThan(28);
  });

  it.each([
    [{ fail_rate: 1.5 }, "fail_rate should be from 0 to 1"],
    [{ fail_rate: -0.1 }, "failed to parse fail_rate"],
    [{ fail_rate: "many" }, "failed to parse fail_rate"],
    [{ latency_ms: 60_001 }, "latency_ms should be from 0 to 60000"],
    [{ latency_ms: -1 }, "latency_ms"],
  ])("refuses %j", async (params, text) => {
    expect(await refusal("devnet.setConditions", params)).toEqual([422, expect.stringContaining(text)]);
    expect(await service.run("devnet.setConditions")).toEqual({ latency_ms: 0, fail_rate: 0 });
  });
});

describe("devnet.setName", () => {
  beforeEach(() => service.run("devnet.reset"));

  type Book = Record<string, { name?: string }>;
  const entry = async (address: string, { get } = service) => {
    const book = (await get(`/api/v3/addressBook?address=${address}`)).json as Book;
    return book[address];
  };

  it("shows the name in the address book of every answer, cached ones included", async () => {
    const address = someone("A");
    await service.run("devnet.faucet", { address });
    const path = `/api/v3/transactions?account=${address}&include_text=true`;
    const before = (await service.get(path)).json as { address_book: Book };
    expect(before.address_book[address]).not.toHaveProperty("name");
    expect(await service.run("devnet.setName", { address, name: "Corner shop" })).toEqual({
      address,
      name: "Corner shop",
    });
    const after = (await service.get(path)).json as { address_book: Book };
    expect(after.address_book[address]).toEqual({ ...before.address_book[address], name: "Corner shop" });
    expect(await entry(address)).toMatchObject({ name: "Corner shop" });
  });

  it("names the account in texts and in devnet.info", async () => {
    const address = someone("B");
    await service.run("devnet.setName", { address, name: "Bakery" });
    await service.run("devnet.faucet", { address, amount: "3000000000" });
    await service.mine();
    const { json } = await service.get(`/api/v3/actions?account=${address}&include_text=true`);
    const { actions } = json as { actions: { text: string }[] };
    expect(actions.map(({ text }) => text)).toContain("Faucet sent 3 TON to Bakery");
    const { names } = await service.run<{ names: unknown[] }>("devnet.info");
    expect(names).toContainEqual({ address, name: "Bakery" });
  });

  it("replaces a name, takes it away, and keeps it when the chain goes back", async () => {
    const address = someone("C");
    await service.run("devnet.setName", { address, name: "One" });
    await service.run("devnet.setName", { address, name: "Two" });
    await service.run("devnet.reset");
    expect(await entry(address)).toMatchObject({ name: "Two" });
    expect(await service.run("devnet.setName", { address })).toEqual({ address, name: null });
    expect(await entry(address)).not.toHaveProperty("name");
    expect(await service.run("devnet.setName", { address })).toEqual({ address, name: null });
  });

  it("is kept in a file, with a thousand names at most, and an unreadable file stops the start", async () => {
    const data = temporaryFolder();
    const file = join(data, "names.json");
    const numbered = (at: number) => `0:${at.toString(16).toUpperCase().padStart(64, "0")}`;
    const names = Object.fromEntries(
      Array.from({ length: 999 }, (_, at) => [numbered(at + 1), `Account ${at + 1}`]),
    );
    writeFileSync(file, JSON.stringify({ format: 1, names }));
    const full = await startDevnetService({ data, index: true });
    expect(await entry(numbered(7), full)).toMatchObject({ name: "Account 7" });
    await full.run("devnet.setName", { address: someone("D"), name: "Diner" });
    expect(await refusal("devnet.setName", { address: someone("E"), name: "One more" }, full)).toEqual([
      409,
      "there are 1000 names already; remove some first",
    ]);
    await full.run("devnet.setName", { address: someone("D"), name: "Another" });
    await full.close();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      format: 1,
      names: { ...names, [someone("D")]: "Another" },
    });
    writeFileSync(file, '{"format":1,"names":{"shop":7}}');
    await expect(startDevnetService({ data, index: true })).rejects.toThrow(
      "names.json in the data folder cannot be read",
    );
  });

  it.each([
    "",
    " padded ",
    "two\nlines",
    "\u202Ereversed",
    "\u0000",
    "Z\u0301\u0302\u0303\u0304",
    "x".repeat(65),
    7,
  ])("refuses the name %j", async (name) => {
    expect((await refusal("devnet.setName", { address: someone("E"), name }))[0]).toBe(422);
    expect(await entry(someone("E"))).not.toHaveProperty("name");
  });

  it("takes markup as text", async () => {
    const name = "<b>{amount:TON}</b>";
    await service.run("devnet.setName", { address: someone("F"), name });
    expect(await entry(someone("F"))).toMatchObject({ name });
  });
});
