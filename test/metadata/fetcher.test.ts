import SQL from "sql-template-tag";
import { describe, expect, onTestFinished, test } from "vitest";
import { MetadataFetcher } from "../../server/metadata/fetcher.js";
import { LinkQueue } from "../../server/metadata/link-queue.js";
import type { Database } from "../../server/store/database.js";
import {
  claimLinks,
  queueLinks,
  storeFetched,
  type TokenLink,
} from "../../server/store/queries/tokens/metadata.js";
import { publicAddress, startNetwork, type TestNetwork } from "../helpers/peers/metadata-network.js";
import { describeDatabases, type Fresh } from "../helpers/store/describe-databases.js";
import { until } from "../helpers/until.js";
import { answers } from "./hostile-server.js";

const second = 1000;
const week = 7 * 24 * 3600 * second;
const start = 1_700_000_000 * second;
const names = {
  "tokens.example": [publicAddress],
  "mirror.example": [publicAddress],
  "private.example": ["192.168.0.7"],
};
const raw = (digit: string) => `0:${digit.repeat(64)}`;
const master = (digit: string, url: string): TokenLink => ({
  address: raw(digit),
  type: "jetton_masters",
  url,
});

type Row = Record<"valid" | "name" | "extra" | "error" | "tries", unknown> & {
  url: string;
  expires_at: bigint | null;
  next_try_at: bigint | null;
};

/** A fetcher whose clock the test moves. */
async function openFetcher(
  database: Database,
  network: TestNetwork,
  { hostIntervalMs = 0, timeoutMs = 30_000, isDivided = false } = {},
) {
  const clock = { now: start };
  const outcomes: string[] = [];
  const queries = database.sql();
  const fetcher = new MetadataFetcher({
    database: queries,
    network,
    ipfsGateway: "https://gateway.example/ipfs/",
    plainHttp: false,
    hostIntervalMs,
    timeoutMs,
    ...(!isDivided && { maxPerGroup: 8 }),
    now: () => clock.now,
    onFetched: (outcome) => outcomes.push(outcome),
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => fetcher.close());
  const rows = () =>
    queries.query<Row>(SQL`
      select url, valid, name, extra, error, tries, expires_at, next_try_at
      from address_metadata order by address, type`);
  return {
    clock,
    outcomes,
    fetcher,
    queries,
    rows,
    async row() {
      return (await rows())[0]!;
    },
    want: (...links: TokenLink[]) => queueLinks(queries, links, clock.now),
  };
}

async function openNetwork(): Promise<TestNetwork> {
  const network = await startNetwork(names, (request, response) => answers[request.url!]!(response, request));
  onTestFinished(() => network.close());
  return network;
}

const waiting = { valid: null, name: null, extra: null, error: null, expires_at: null };
const fetched = {
  valid: true,
  name: "Honest",
  extra: {},
  error: null,
  tries: 0,
  expires_at: BigInt(start + week),
  next_try_at: null,
};

describeDatabases("Fetched metadata", (fresh: Fresh) => {
  test("is stored until it expires, and fetched again only if it is asked for then", async () => {
    const network = await openNetwork();
    const { want, row, fetcher, clock, outcomes } = await openFetcher(await fresh(), network);
    const link = master("a", "https://tokens.example/good");
    await want(link);
    expect(await row()).toEqual({ url: link.url, ...waiting, tries: 0, next_try_at: 0n });
    await fetcher.fetchDue();
    expect(await row()).toEqual({ url: link.url, ...fetched });

    clock.now += week - 1;
    await want(link);
    await fetcher.fetchDue();
    expect(network.requests.length).toBe(1);
    clock.now += 1;
    await fetcher.fetchDue();
    expect(network.requests.length).toBe(1);
    await want(link);
    // Answers keep the expired row meanwhile.
    expect(await row()).toEqual({ url: link.url, ...fetched, next_try_at: 0n });
    await fetcher.fetchDue();
    expect(await row()).toEqual({ url: link.url, ...fetched, expires_at: BigInt(start + 2 * week) });
    expect(outcomes).toEqual(["ok", "ok"]);
  });

  test("is forgotten when the contract gets another link", async () => {
    const { want, row, fetcher } = await openFetcher(await fresh(), await openNetwork());
    await want(master("a", "https://tokens.example/good"));
    await fetcher.fetchDue();
    await want(master("a", "https://tokens.example/html"));
    expect(await row()).toEqual({
      url: "https://tokens.example/html",
      ...waiting,
      tries: 0,
      next_try_at: 0n,
    });
  });

  test("is tried five times, after 5, 10, 20 and 40 s, and then counts as invalid for a week", async () => {
    const network = await openNetwork();
    const { want, row, fetcher, clock } = await openFetcher(await fresh(), network);
    const link = master("a", "https://tokens.example/missing");
    await want(link);
    for (const [tries, pauseSec] of [5, 10, 20, 40].entries()) {
      await fetcher.fetchDue();
      const next_try_at = BigInt(clock.now + pauseSec * second);
      expect(await row()).toEqual({
        url: link.url,
        ...waiting,
        error: "status",
        tries: tries + 1,
        next_try_at,
      });
      clock.now += pauseSec * second - 1;
      await fetcher.fetchDue();
      expect(network.requests.length).toBe(tries + 1);
      clock.now += 1;
    }
    await fetcher.fetchDue();
    const invalid = { ...waiting, valid: false, error: "status", tries: 0, next_try_at: null };
    expect(await row()).toEqual({ url: link.url, ...invalid, expires_at: BigInt(clock.now + week) });
    await want(link);
    await fetcher.fetchDue();
    expect(network.requests.length).toBe(5);
  });

  test("of a link is fetched by one of several processes", async () => {
    const network = await openNetwork();
    const database = await fresh();
    const one = await openFetcher(database, network);
    const other = await openFetcher(database, network);
    const links = Array.from("0123456789abcdef", (digit) => master(digit, "https://tokens.example/good"));
    await Promise.all([one.want(...links), other.want(...links.toReversed())]);
    await Promise.all([one.fetcher.fetchDue(), other.fetcher.fetchDue()]);
    expect(network.requests.length).toBe(links.length);
    expect((await one.rows()).every(({ valid }) => valid)).toBe(true);
  });

  test("is fetched by another process once the claim of a killed one has ended", async () => {
    const network = await openNetwork();
    const { want, row, fetcher, clock, queries } = await openFetcher(await fresh(), network);
    await want(master("a", "https://tokens.example/good"));
    const claim = { now: clock.now, claimEndsAt: clock.now + 60 * second, limit: 16 };
    const [lost] = await claimLinks(queries, claim);
    await fetcher.fetchDue();
    expect(network.requests).toEqual([]);
    clock.now += 60 * second;
    await fetcher.fetchDue();
    expect(await row()).toMatchObject({ valid: true, name: "Honest" });
    // The killed one was slow only.
    await storeFetched(queries, lost!, { result: { error: "timeout" }, expiresAt: 0 });
    expect(await row()).toMatchObject({ valid: true, name: "Honest" });
  });

  test("is asked of one host at an interval, and of others meanwhile", async () => {
    const network = await openNetwork();
    const hostIntervalMs = 20;
    const { want, rows, fetcher, clock } = await openFetcher(await fresh(), network, { hostIntervalMs });
    const links = Array.from("0123", (digit) => master(digit, "https://tokens.example/good"));
    await want(...links, master("f", "https://mirror.example/good"));
    await fetcher.fetchDue();
    const count = (host: string) => network.requests.filter((each) => each === `GET ${host}/good`).length;
    expect([count("tokens.example"), count("mirror.example")]).toEqual([2, 1]);
    // Two came too early, which does not count as a try.
    const postponed = (await rows()).filter(({ valid }) => valid === null);
    expect(postponed.map(({ tries, next_try_at }) => [tries, Number(next_try_at) - start]).sort()).toEqual([
      [0, 3 * hostIntervalMs],
      [0, 4 * hostIntervalMs],
    ]);
    for (let taken = 3; taken <= 4; taken++) {
      clock.now = start + taken * hostIntervalMs;
      await fetcher.fetchDue();
      expect(count("tokens.example")).toBe(taken);
    }
  });

  test("that answers need is fetched before that of new contracts", async () => {
    const network = await openNetwork();
    const { want, fetcher, queries, clock } = await openFetcher(await fresh(), network);
    const queued = Array.from("0123456789abcdef", (digit) => master(digit, `https://tokens.example/good`));
    await want(...queued);
    await queries.query(SQL`update address_metadata set next_try_at = ${clock.now - week}`);
    const needed: TokenLink = { address: raw("e"), type: "nft_items", url: "https://mirror.example/good" };
    await want(needed);
    const [first] = await claimLinks(queries, { now: clock.now, claimEndsAt: clock.now, limit: 1 });
    expect(first).toEqual({ ...needed, address: needed.address.toUpperCase(), tries: 1 });
    await fetcher.fetchDue();
  });
});

/** Failures that are not tried again. */
const final = ["address", "url"];
/** Failures by path, of each kind; `download.test.ts` has more of them. */
const failures = {
  "/to-private-name": "address",
  "/to-port": "url",
  "/loop": "redirects",
  "/bomb": "size",
  "/html": "json",
  "/nested": "depth",
  "/nameless": "content",
  "/many-headers": "headers",
  "/hang-up": "connection",
};

describeDatabases("A hostile server", (fresh: Fresh) => {
  test.each([
    ["wrong answers", failures, 30_000],
    ["answers that never end", { "/silent": "timeout" }, 20],
  ])("leaves tokens invalid, after all tries that may help: %s", async (_, paths, timeoutMs) => {
    const network = await openNetwork();
    const { want, rows, fetcher, clock } = await openFetcher(await fresh(), network, { timeoutMs });
    const cases = Object.entries(paths);
    await want(...cases.map(([path], i) => master(i.toString(16), `https://tokens.example${path}`)));
    for (let tried = 1; tried <= 5; tried++) {
      await fetcher.fetchDue();
      expect((await rows()).map(({ valid, error }) => [error, valid])).toEqual(
        cases.map(([, error]) => [error, final.includes(error) || tried === 5 ? false : null]),
      );
      clock.now += 300 * second;
    }
    expect((await rows()).every(({ next_try_at }) => next_try_at === null)).toBe(true);
  });
});

describeDatabases("Links of a tarpit", (fresh: Fresh) => {
  test("to any number of its names do not hold those of others", async () => {
    const held: string[] = [];
    const network = await startNetwork({}, (request, response) => {
      if (request.headers.host === "tokens.example") answers["/good"]!(response, request);
      else held.push(request.headers.host!);
    });
    onTestFinished(() => network.close());
    const everywhere = { ...network, resolve: async () => [publicAddress] };
    const { want, fetcher, queries } = await openFetcher(await fresh(), everywhere, {
      timeoutMs: 600 * second,
      isDivided: true,
    });
    const addressOf = (index: number) => `0:${index.toString(16).padStart(64, "0")}`;
    const link = (index: number, host: string): TokenLink => ({
      address: addressOf(index),
      type: "nft_items",
      url: `https://${host}/good`,
    });
    await want(...Array.from({ length: 500 }, (_, i) => link(i, `n${i}.tarpit.example`)));
    fetcher.start();
    await until("the tarpit holds what it may", () => held.length >= 4);
    await want(link(1000, "tokens.example"));
    fetcher.wake();
    await until("the link behind them", async () => {
      const [row] = await queries.query(SQL`select from address_metadata where valid`);
      return row !== undefined;
    });
    expect(held).toHaveLength(4);
  });
});

describe("The queue of links", () => {
  test("drops links while the database fails, and never throws", async () => {
    const failures: Error[] = [];
    const failing = {
      query: () => Promise.reject(new Error("no database")),
      transaction: () => Promise.reject(),
      isDivided: async () => false,
    };
    const queue = new LinkQueue({
      database: failing,
      now: () => start,
      onQueued: () => {
        throw new Error("nothing was queued");
      },
      onError: (error) => failures.push(error),
    });
    queue.add([master("a", "https://tokens.example/good")]);
    queue.add([]);
    await queue.close();
    expect(failures.map(({ message }) => message)).toEqual(["no database"]);
  });
});
