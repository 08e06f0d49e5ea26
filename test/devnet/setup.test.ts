import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDevnet } from "../../server/devnet/open-devnet.js";
import { Address } from "../../shared/values/address.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const someone = (digit: string) => `0:${digit.repeat(64)}`;

let service: DevnetService;
/** The conditions at the start, and after each change of one. */
const seen: unknown[] = [];
beforeAll(async () => {
  service = await startDevnetService({ index: true, latency: 2, failRate: 0.25 });
  for (const change of [{}, { latency_ms: 0 }, { fail_rate: "0" }])
    seen.push(await service.run("devnet.setConditions", change));
});
afterAll(() => service?.close());

type Refused = { error: { message: string; data: { code: number; kind: string } } };
const refusal = async (method: string, params: object) => {
  const { error } = (await service.rpc(method, params)) as Refused;
  return [error.data.code, error.message];
};

describe("devnet.setConditions", () => {
  afterEach(() => service.run("devnet.setConditions", { latency_ms: 0, fail_rate: 0 }));
  const kindOf = async () =>
    ((await service.rpc("getMasterchainInfo")) as Partial<Refused>).error?.data.kind ?? "ok";

  it("begins with the settings, and changes one thing at a time", () => {
    expect(seen).toEqual([
      { latency_ms: 2, fail_rate: 0.25 },
      { latency_ms: 0, fail_rate: 0.25 },
      { latency_ms: 0, fail_rate: 0 },
    ]);
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
  type Book = Record<string, { name?: string }>;
  const entry = async (address: string) => {
    const book = (await service.get(`/api/v3/addressBook?address=${address}`)).json as Book;
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
    const directory = temporaryFolder();
    const file = join(directory, "names.json");
    const settings = { seed: "tonwire", rewards: false, story: false, clock: "fixed" } as const;
    const open = () =>
      openDevnet(
        { ...settings, mining: { mode: "manual", intervalMs: 1000 }, directory },
        { nowMs: Date.now, onError: () => {}, onDegraded: () => {} },
      );
    const account = (at: number) => new Address(0, new Uint8Array(32).fill(at % 256).fill(at >> 8, 1));
    const idOf = ({ workchain, hash }: Address) => ({ workchain, id: hash });
    const names = Object.fromEntries(
      Array.from({ length: 999 }, (_, at) => [account(at).toRawUpper(), `Account ${at}`]),
    );
    writeFileSync(file, JSON.stringify({ format: 1, names }));
    const { setup, setupView, close } = await open();
    expect(setupView.current.names).toEqual(names);
    await setup.setName(idOf(account(2000)), "Diner");
    await expect(setup.setName(idOf(account(2001)), "One more")).rejects.toMatchObject({
      kind: "conflict",
      message: "there are 1000 names already; remove some first",
    });
    await setup.setName(idOf(account(2000)), "Another");
    await close();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      format: 1,
      names: { ...names, [account(2000).toRawUpper()]: "Another" },
    });
    writeFileSync(file, '{"format":1,"names":{"shop":7}}');
    await expect(open()).rejects.toThrow("names.json in the data folder cannot be read");
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
