// Tokens of a network that a devnet forks, found when v3 is asked for them.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { jettonTransferBody } from "../../../server/devnet/story/contracts/jetton.js";
import { type Participants, participantsOf } from "../../../server/devnet/story/participants.js";
import { jettonsOf } from "../../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Address } from "../../../shared/values/address.js";
import { bocText, codeOf, place, testAddress } from "../../helpers/contracts/contracts.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { startStoryService } from "../../helpers/stories/story-service.js";
import { until } from "../../helpers/until.js";

type Token = { address: string; balance: string; jetton: string; last_transaction_lt: string };
type Found = { partial: boolean; by: string[]; problem?: string };
type Answer = {
  jetton_wallets: Token[];
  nft_items: Token[];
  jetton_holders: Token[];
  jetton_masters: object[];
  total_supply: string | null;
  metadata: Record<string, { token_info: { symbol?: string; type: string }[] }>;
  found?: Found;
};

/** A master that has one wallet for every owner, and a contract that says it is the wallet of an owner. */
const liar = Address.read(testAddress("7"))!.address;
const impostor = Address.read(testAddress("8"))!.address;
const liarCode = codeOf("3030ED44D0");
const impostorCode = codeOf("308064ED44D0FA40FA40D430");

type Replaced = { status?: number; json: object };
type Proxied = { url: string; answer: (path: string) => Replaced | undefined; close(): void };

/** A service whose answers a test may replace. */
async function proxied(target: string): Promise<Proxied> {
  const server = createServer(async (request, response) => {
    const { method = "GET", url: path = "", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const replaced = service.answer(path);
    const key = String(headers["x-api-key"]);
    const real =
      replaced ??
      (await fetch(target + path, {
        ...{ method, headers: { "content-type": "application/json", "x-api-key": key } },
        ...(body.length > 0 && { body }),
      }));
    const text = replaced ? JSON.stringify(replaced.json) : await (real as Response).text();
    response.writeHead(real.status ?? 200, { "content-type": "application/json" }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const service: Proxied = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: () => undefined,
    close: () => void server.close(),
  };
  return service;
}

describe("tokens of a fork", () => {
  let network: DevnetService;
  let people: Participants;
  let jettons: ReturnType<typeof jettonsOf>;
  const config = join(folderInRun("tonwire-fork-"), "network.json");

  beforeAll(async () => {
    people = participantsOf(publishedSeed, await devnetWallets(publishedSeed));
    jettons = jettonsOf(people);
    network = await startStoryService(undefined, { liteserverPort: 0, liteserverConfig: config });
    await placeLiars();
  });
  afterAll(() => network?.close());

  /** Dan, who has no acorns, is told of some by the impostor. */
  async function placeLiars(): Promise<void> {
    const { acorn } = jettons;
    const balance = "9000000000";
    const bens = beginCell().storeAddress(acorn.walletOf(people.ben.address)).endCell();
    await place(network, { address: liar.toRaw(), code: liarCode, data: bens, balance });
    const claims = beginCell()
      .storeAddress(people.dan.address)
      .storeAddress(acorn.address)
      .storeRef(impostorCode)
      .endCell();
    await place(network, { address: impostor.toRaw(), code: impostorCode, data: claims, balance });
    const notice = beginCell().storeUint(0x7362d09c, 32).storeUint(1, 64).storeCoins(5n).endCell();
    await send(network, impostor, people.dan.address, notice);
    await network.mine(2);
  }

  const send = (service: DevnetService, from: Address, to: Address, body: Cell) =>
    service.run("devnet.impersonate", {
      ...{ from: from.toRaw(), to: to.toRaw(), value: "300000000", body: bocText(body) },
    });
  // On a busy machine a search takes longer than an answer waits for it.
  const read = (service: DevnetService, path: string): Promise<Answer> =>
    until("the end of a search", async () => {
      const answer = (await service.get(`/api/v3/${path}`)).json as Answer;
      return answer.found?.problem?.includes("read again") ? undefined : answer;
    });
  const walletsOf = (service: DevnetService, owner: Address, more = "") =>
    read(service, `jetton/wallets?owner_address=${owner.toRaw()}${more}`);
  const itemsOf = (service: DevnetService, owner: Address) =>
    read(service, `nft/items?owner_address=${owner.toRaw()}`);
  const seqnoOf = async (service: DevnetService) =>
    (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last.seqno;
  const holdersOf = async (service: DevnetService) =>
    (await read(service, `jetton/holders?jetton=${jettons.acorn.address.toRaw()}`)).jetton_holders.length;

  it("are not found elsewhere than on a fork, whose answers say nothing of it", async () => {
    for (const answer of [
      await walletsOf(network, people.ann.address),
      await itemsOf(network, people.ann.address),
    ])
      expect(answer).not.toHaveProperty("found");
  });

  describe("by its liteservers", () => {
    let fork: DevnetService;
    beforeAll(async () => {
      const forkJettons = jettons.devDollar.address.toFriendly();
      fork = await startDevnetService({
        ...{ fork: config, forkJettons, devnetSeed: "fork", index: true, mining: "manual" },
      });
      await streamsReady(fork);
    });
    afterAll(() => fork?.close());

    it("are wallets and items in the owner's transactions, as the network has them", async () => {
      const { address } = people.hana;
      const before = await fork.run<{ now: number }>("devnet.info");
      const [theirs, own] = await Promise.all([network, fork].map((each) => walletsOf(each, address)));
      expect(own!.found).toEqual({ partial: true, by: expect.arrayContaining(["transactions"]) });
      expect(own!.jetton_wallets.length).toBeGreaterThan(1);
      expect(own!.jetton_wallets).toEqual(theirs!.jetton_wallets);
      expect(own!.metadata).toEqual(theirs!.metadata);
      const [items, forked] = await Promise.all([network, fork].map((each) => itemsOf(each, address)));
      expect(forked!.nft_items).toEqual(items!.nft_items);
      expect(forked!.nft_items.length).toBeGreaterThan(0);
      // The block that has them leaves the clock alone.
      expect((await fork.run<{ now: number }>("devnet.info")).now).toBe(before.now);
    });

    it("are the wallet by a named jetton, which is all that is asked for", async () => {
      const { acorn } = jettons;
      const answer = await walletsOf(fork, people.cleo.address, `&jetton_address=${acorn.address.toRaw()}`);
      expect(answer.found).toEqual({ partial: false, by: ["request"] });
      expect(answer.jetton_wallets).toMatchObject([
        { address: acorn.walletOf(people.cleo.address).toRawUpper(), jetton: acorn.address.toRawUpper() },
      ]);
      expect(answer.metadata[acorn.address.toRawUpper()]!.token_info).toMatchObject([{ symbol: "ACORN" }]);
    });

    it("are wallets by the jettons of the setting", async () => {
      const answer = await walletsOf(fork, people.dan.address);
      expect(answer.found!.by).toContain("setting");
      const { jetton_wallets: theirs } = await walletsOf(network, people.dan.address);
      expect(answer.jetton_wallets).toEqual(theirs);
    });

    it("are tokens, jettons and collections at named addresses", async () => {
      const [{ address } = { address: "" }] = (await itemsOf(network, people.iris.address)).nft_items;
      const item = await read(fork, `nft/items?address=${address}`);
      expect(item.found).toEqual({ partial: false, by: ["request"] });
      expect(item.nft_items).toEqual((await read(network, `nft/items?address=${address}`)).nft_items);
      const master = `jetton/masters?address=${jettons.devDollar.address.toRaw()}`;
      expect((await read(fork, master)).jetton_masters).toEqual((await read(network, master)).jetton_masters);
    });

    it("are not what a master that lies says, nor what a wallet claims that its master does not have", async () => {
      const before = await seqnoOf(fork);
      const lied = await walletsOf(fork, people.dan.address, `&jetton_address=${liar.toRaw()}`);
      expect(lied).toMatchObject({ jetton_wallets: [], found: { by: [] } });
      const claimed = await read(fork, `jetton/wallets?address=${impostor.toRaw()}`);
      expect(claimed).toMatchObject({ jetton_wallets: [], found: { partial: false, by: [] } });
      expect(await seqnoOf(fork)).toBe(before);
      const all = await walletsOf(fork, people.dan.address);
      expect(all.jetton_wallets.map(({ address }) => address)).not.toContain(impostor.toRawUpper());
    });

    it("are stored with a block, told by streams, taken back by a revert, and found again", async () => {
      const owner = people.gus.address;
      const wallet = jettons.acorn.walletOf(owner).toRawUpper();
      const events = RawEventStream.open(
        fork.url,
        { types: ["account_state_change"], addresses: [wallet] },
        { key: fork.key },
      );
      onTestFinished(() => events.close());
      await until("the stream", () => events.frames.length > 0);
      const { id } = await fork.run<{ id: string }>("devnet.snapshot");
      const [seqno, holders] = [await seqnoOf(fork), await holdersOf(fork)];
      const { jetton_wallets } = await walletsOf(fork, owner);
      expect(jetton_wallets.map(({ address }) => address)).toEqual([wallet]);
      expect(await seqnoOf(fork)).toBe(seqno + 1);
      expect(await holdersOf(fork)).toBe(holders + 1);
      await until("the event", () => events.text.includes(wallet));
      await walletsOf(fork, owner);
      expect(await seqnoOf(fork)).toBe(seqno + 1);
      await fork.run("devnet.revert", { id });
      expect(await holdersOf(fork)).toBe(holders);
      expect((await walletsOf(fork, owner)).jetton_wallets).toEqual(jetton_wallets);
      expect(await holdersOf(fork)).toBe(holders + 1);
    });

    it("have the balances of the fork after its transactions", async () => {
      const { acorn } = jettons;
      const [from, to] = [people.iris.address, people.eve.address];
      const balanceOf = async (owner: Address) => {
        const { jetton_wallets } = await walletsOf(fork, owner, `&jetton_address=${acorn.address.toRaw()}`);
        return BigInt(jetton_wallets[0]!.balance);
      };
      const before = [await balanceOf(from), await balanceOf(to)];
      const body = jettonTransferBody({ to, amount: 7n, excessesTo: from, queryId: 1 });
      await send(fork, from, acorn.walletOf(from), body);
      await fork.mine(3);
      expect([await balanceOf(from), await balanceOf(to)]).toEqual([before[0]! - 7n, before[1]! + 7n]);
    });
  });

  describe("by a service", () => {
    let service: Proxied;
    let fork: DevnetService;
    beforeAll(async () => {
      service = await proxied(network.url);
      fork = await startDevnetService({
        ...{ forkUrl: `${service.url}/api/v2`, forkKey: network.key, devnetSeed: "fork" },
        ...{ index: true, mining: "message" },
      });
    });
    afterAll(async () => {
      await fork?.close();
      service?.close();
    });

    it("are those that its own v3 lists and that their masters confirm", async () => {
      const { address } = people.cleo;
      const answer = await walletsOf(fork, address);
      expect(answer.found).toEqual({ partial: true, by: ["v3", "transactions"] });
      expect(answer.jetton_wallets).toEqual((await walletsOf(network, address)).jetton_wallets);
    });

    it("are not wallets of others that it lists", async () => {
      const wallet = jettons.acorn.walletOf(people.ben.address).toRaw();
      const lists = {
        jetton_wallets: [{ address: wallet }, { address: impostor.toRaw() }, { address: "?" }],
      };
      service.answer = (path) => (path.startsWith("/api/v3/jetton/wallets") ? { json: lists } : undefined);
      const before = await seqnoOf(fork);
      const answer = await walletsOf(fork, people.max.address);
      expect(answer).toMatchObject({ jetton_wallets: [], found: { partial: true, by: [] } });
      expect(answer.found).not.toHaveProperty("problem");
      expect(await seqnoOf(fork)).toBe(before);
    });

    it("are found in transactions where it lists more than it was asked for, which the answer says", async () => {
      const many = Array.from({ length: 10_000 }, () => ({ address: impostor.toRaw() }));
      service.answer = (path) => (path.startsWith("/api/v3/nft") ? { json: { nft_items: many } } : undefined);
      const answer = await walletsOf(fork, people.finn.address);
      expect(answer.found).toMatchObject({ by: ["transactions"], partial: true });
      expect(answer.found!.problem).toContain("nft/items has an invalid result");
      expect(answer.jetton_wallets).toEqual((await walletsOf(network, people.finn.address)).jetton_wallets);
    });

    it("are found in transactions where it has no v3", async () => {
      service.answer = (path) => (path.startsWith("/api/v3/") ? { status: 404, json: {} } : undefined);
      const answer = await itemsOf(fork, people.hana.address);
      expect(answer.found).toEqual({ by: ["transactions"], partial: true });
      expect(answer.nft_items).toEqual((await itemsOf(network, people.hana.address)).nft_items);
    });
  });
});
