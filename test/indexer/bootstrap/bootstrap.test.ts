import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Bootstrap } from "../../../server/indexer/bootstrap/bootstrap.js";
import { NamedAccounts } from "../../../server/indexer/bootstrap/named-accounts.js";
import { proveState, trustState } from "../../../server/indexer/bootstrap/place-state.js";
import type { StateFile } from "../../../server/indexer/bootstrap/state-file.js";
import { contractIn } from "../../../server/indexer/bootstrap/state-pages.js";
import type { AccountPage } from "../../../server/indexer/bootstrap/store-accounts.js";
import { backfill } from "../../../server/indexer/follow/backfill.js";
import { IndexWatch } from "../../../server/indexer/follow/index-watch.js";
import { planRanges } from "../../../server/indexer/work/ranges.js";
import { addressFromBytes } from "../../../server/store/address-bytes.js";
import { accountStatuses, codeOf } from "../../../server/store/codes.js";
import type { Database } from "../../../server/store/database.js";
import { readStates } from "../../../server/store/queries/upkeep/bootstraps.js";
import { readGaps } from "../../../server/store/queries/upkeep/index-gaps.js";
import { readMeta } from "../../../server/store/queries/upkeep/index-meta.js";
import { readQueueLength } from "../../../server/store/queries/upkeep/recognition-queue.js";
import { contractTables } from "../../../server/store/tables/all-tables.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { type LiteApi, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { formatBlockId, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { isLong } from "../../helpers/effort.js";
import { startIndexApp } from "../../helpers/http/index-app.js";
import { bootstrapAll, bootstrapFile, stateAfter, topBlocks } from "../../helpers/index/bootstraps.js";
import { detectedDevnetOfFile, detectionOf, startDetectionOf } from "../../helpers/index/detection.js";
import { follow, indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabase, describePostgres, type Fresh } from "../../helpers/store/describe-databases.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { describeWithChain } from "../../helpers/test-data.js";
import { until } from "../../helpers/until.js";

const stateTables = [
  ...["latest_account_states", "contract_methods", "contract_codes", "mintless_jetton_masters"],
  ...contractTables.map(({ name }) => name),
];

const kinds = [
  ...["jetton_masters", "jetton_wallets", "nft_items", "nft_collections"],
  ...["dns_entries", "multisigs", "multisig_orders", "vesting_contracts"],
];

type Row = Record<string, unknown>;
const nonexist = codeOf(accountStatuses, "nonexist");

/** Rows of accounts that exist, without what is said of their history. */
async function accountsIn(database: Database): Promise<Record<string, Row[]>> {
  const dump = await dumpTables(database, stateTables);
  const rows = Object.entries(dump).map(([name, texts]) => [
    name,
    texts
      .map((text) => JSON.parse(text) as Row)
      .filter(({ destroyed, account_status: status }) => !destroyed && status !== nonexist)
      .map(({ first_seen_lt: _, ...row }) => row),
  ]);
  return Object.fromEntries(rows);
}

const seqnoOf = async (api: LiteApi, seqno: number) =>
  (await api.lookupBlock({ id: { workchain: masterchain, shard: wholeShard, seqno }, bySeqno: true })).id;

const storyDevnet = detectedDevnetOfFile("story");

/** An index of the newest block alone. */
async function headIn(database: Database, api: LiteApi): Promise<Database> {
  await indexAll(database, api, { from: (await api.getMasterchainInfo()).last.seqno });
  return database;
}

function expectAccounts(
  found: Record<string, Row[]>,
  expected: Record<string, Row[]>,
  names: readonly string[] = stateTables,
): void {
  for (const name of names) expect([name, found[name]]).toEqual([name, expected[name]]);
}

let followed: Promise<Record<string, Row[]>> | undefined;
/** What a follower wrote for the accounts of the story. */
const accountsOfStory = (fresh: Fresh) => {
  followed ??= fresh(storyIndex).then(accountsIn);
  return followed;
};

describeDatabase("The states of a devnet's shards", (fresh) => {
  test("give the rows that a follower writes for their accounts", async () => {
    const { api, detection } = await storyDevnet();
    const database = await headIn(await fresh(), api);
    await bootstrapAll(database, api, { detection });
    const expected = await accountsOfStory(fresh);
    expectAccounts(await accountsIn(database), expected);
    for (const name of kinds) expect([name, expected[name]!.length > 0]).toEqual([name, true]);
    const states = await readStates(database.sql());
    expect(states.map(({ workchain, done }) => [workchain, done])).toEqual([
      [-1, true],
      [0, true],
    ]);
  });

  test("are stored from where a stopped run was, with the contracts that others confirm, if the chain has no states of the shard any more", async () => {
    const { api } = await storyDevnet();
    const database = await headIn(await fresh(), api);
    const gone: LiteApi["getAccountState"] = async (query, call) => {
      if (query.account.workchain === masterchain) return api.getAccountState(query, call);
      throw new LiteError(liteErrorCode.failure, "state is not in db");
    };
    const forgetful = new Proxy(api, {
      get: (target, name) => (name === "getAccountState" ? gone : Reflect.get(target, name)),
    });
    const path = join(temporaryFolder(), "state.boc");
    const [id] = await topBlocks(api);
    writeFileSync(path, serializeBoc(await stateAfter(api, id!)));
    const detectIn = async (file: StateFile) => {
      const known = (address: Address) => contractIn(file, address);
      const contracts = await startDetectionOf(forgetful, { known });
      onTestFinished(() => contracts.close());
      return contracts.detection;
    };
    const seen: string[] = [];
    const run = async (pages: number) => {
      const stop = new AbortController();
      let left = pages;
      const onPage = async ({ accounts }: AccountPage) => {
        if (left-- === 0) return stop.abort();
        seen.push(...accounts.map(({ address }) => address.toRaw()));
      };
      const setting = { detection: detectIn, accountsPerPage: 7, onPage, signal: stop.signal };
      await bootstrapFile(database, forgetful, path, setting);
    };
    const stops = isLong ? [1, 3, 2] : [2];
    for (const pages of stops) await expect(run(pages)).rejects.toMatchObject({ name: "AbortError" });
    const [state] = await readStates(database.sql());
    expect(state).toMatchObject({ accounts: 7 * stops.reduce((sum, pages) => sum + pages), done: false });
    await run(Number.POSITIVE_INFINITY);
    const all = seen.length;
    expect([new Set(seen).size, seen.toSorted()]).toEqual([all, seen]);
    expect(await readStates(database.sql())).toMatchObject([{ accounts: all, done: true }]);
    await run(Number.POSITIVE_INFINITY);
    expect(seen).toHaveLength(all);
    const confirmed = ["jetton_wallets", "nft_items", "multisig_orders"];
    expectAccounts(await accountsIn(database), await accountsOfStory(fresh), confirmed);
  });

  test("of an earlier block change nothing of an index with later ones", async () => {
    const { api, detection } = await storyDevnet();
    const database = await fresh(storyIndex);
    const before = await dumpTables(database);
    const accounts: number[] = [];
    await bootstrapAll(database, api, {
      detection,
      block: await seqnoOf(api, 20),
      onPage: async (page) => void accounts.push(page.accounts.length),
    });
    expect(accounts.reduce((a, b) => a + b)).toBeGreaterThan(20);
    expect(await dumpTables(database)).toEqual(before);
  });

  test.runIf(isLong)("and the blocks behind them give the accounts of all blocks", async () => {
    const { api, events, detection } = await storyDevnet();
    const [database, from] = [await fresh(), 30];
    const { last } = await api.getMasterchainInfo();
    const { follower, reaches } = follow(database, api, { events, detection, from });
    onTestFinished(() => follower.close());
    // The follower stores its blocks between the pages and beside them.
    await bootstrapAll(database, api, { detection, block: await seqnoOf(api, from - 1), accountsPerPage: 4 });
    await reaches(last.seqno);
    await until(
      "contracts to be recognised",
      async () => (await readQueueLength(database.sql())).length === 0,
    );
    expectAccounts(await accountsIn(database), await accountsOfStory(fresh));
    expect(await readGaps(database.sql())).toMatchObject({ count: 0 });
  });

  test("are refused if the chain has others at their blocks", async () => {
    const { api, detection } = await storyDevnet();
    const database = await headIn(await fresh(), api);
    const [id, top] = await topBlocks(api);
    const state = decode(ShardStateUnsplit, await stateAfter(api, id!));
    const refusal = async (changed: Partial<ShardStateUnsplit>) => {
      const path = join(temporaryFolder(), "state.boc");
      writeFileSync(path, serializeBoc(encode(ShardStateUnsplit, { ...state, ...changed })));
      const error = await bootstrapFile(database, api, path, { detection }).catch((thrown) => thrown);
      expect(error).toMatchObject({ isSetupError: true });
      return error.message;
    };
    expect(await refusal({ genUtime: 1 })).toMatch(
      /^the state has the root hash \w{64}, but that of block \(0,8000000000000000,\d+\) has \w{64}$/,
    );
    expect(await refusal({ seqno: 0 })).toMatch(/block \(0,8000000000000000,0\) has/);
    const later = { ...state.shardId, seqno: id!.seqno + 9 };
    expect(await refusal({ seqno: later.seqno })).toBe(
      `the chain does not have block ${formatBlockId(later)}, whose state this claims to be; ` +
        "if you know the root hash of the state, name it with --bootstrap-trust",
    );
    expect(await readStates(database.sql())).toEqual([]);

    const claimed = { state, rootHash: encode(ShardStateUnsplit, state).hash() };
    expect(await proveState(api, claimed)).toMatchObject({ mcSeqno: top!.seqno, block: top });
    const { mcSeqno } = trustState(claimed, claimed.rootHash);
    expect([mcSeqno < top!.seqno, mcSeqno > top!.seqno - 4]).toEqual([true, true]);
    expect(() => trustState(claimed, new Uint8Array(32))).toThrow(/root hash/);
  });

  test("show from where on history is whole", async () => {
    const { api, detection } = await storyDevnet();
    const database = await fresh();
    const { last, init } = await api.getMasterchainInfo();
    await indexAll(database, api, { from: 40 });
    const watch = IndexWatch.start({
      database,
      ...{ network: "test", zeroState: init, chainSeqno: () => last.seqno, now: Date.now },
      ...{ onReadable: () => {}, onError: () => {} },
    });
    onTestFinished(() => watch.close());
    const app = await startIndexApp(database, { gaps: () => watch.gaps });
    onTestFinished(() => app.close());
    const gapsOf = async (path: string) => (await app.ask(`/api/v3/${path}`)).headers.get("X-Index-Gaps");
    await until("the index", () => watch.first === 40);
    expect(watch.gaps.count).toBe(0);
    await bootstrapAll(database, api, { detection, block: await seqnoOf(api, 20) });
    // The watch reads states before gaps, so it may have seen them before the bootstrap ended.
    const areDone = () => watch.states.length === 2 && watch.states.every(({ done }) => done);
    await until("the gap", () => watch.gaps.count === 1 && areDone());
    expect(await readGaps(database.sql())).toEqual({ count: 1, blocks: 19, newest: [{ from: 21, to: 39 }] });
    expect(watch.states.map(({ mc_seqno }) => mc_seqno)).toEqual([20, 20]);
    expect(await gapsOf("jetton/wallets?limit=1")).toBe("21-39");
    expect(await gapsOf("transactions?limit=1000&sort=asc")).toBe("21-39");
    expect(await gapsOf("transactions?limit=2")).toBe(null);
    await planRanges(database.sql(), { from: 21, to: 39 });
    const filling = { database, lite: api, worker: "gap", onError: () => {} };
    await backfill(filling, new AbortController().signal);
    await until("no gap", () => watch.gaps.count === 0 && watch.first === 21);
    expect(await gapsOf("jetton/wallets?limit=1")).toBe(null);
  });
});

describeWithChain("The states of mainnet's first blocks", (chain) => {
  describePostgres("in an index", (fresh) => {
    test.runIf(isLong)("give the rows that a follower writes for their accounts", async () => {
      const api = replayOf(...chain.folders);
      const detection = await detectionOf(api);
      const [whole, database] = [await fresh(), await headIn(await fresh(), api)];
      await indexAll(whole, api, { detection });
      await bootstrapAll(database, api, { detection });
      const expected = await accountsIn(whole);
      expect(expected["latest_account_states"]!.length).toBeGreaterThan(6);
      expectAccounts(await accountsIn(database), expected);
    });
  });
});

describeDatabase("A list of accounts", (fresh) => {
  async function open() {
    const { api, detection } = await storyDevnet();
    const database = await headIn(await fresh(), api);
    const path = join(temporaryFolder(), "accounts.txt");
    const run = (signal = new AbortController().signal, accountsPerPage = 6) =>
      new Bootstrap({
        ...{ database, detection, now: Date.now },
        accounts: new NamedAccounts({ database: database.sql(), lite: api, path, accountsPerPage }),
        onError(error) {
          throw error;
        },
      }).run(signal);
    return { database, path, run };
  }

  test("gives the rows that a follower writes for them, also after a stop", async () => {
    const { database, path, run } = await open();
    const expected = await accountsOfStory(fresh);
    const named = expected["latest_account_states"]!.map(({ account }) =>
      addressFromBytes(Buffer.from(String(account).slice(2), "hex")),
    );
    const lines = named.map((address, i) => (i % 2 === 0 ? address.toRaw() : address.toFriendly()));
    const absent = new Address(0, new Uint8Array(32).fill(0xad)).toRaw();
    writeFileSync(path, ["# accounts", "", absent, ...lines.map((line) => ` ${line} `)].join("\r\n"));
    const stop = new AbortController();
    const stopping = run(stop.signal, 3);
    await until("some pages", async () => (await accountsIn(database))["latest_account_states"]!.length > 5);
    stop.abort();
    await stopping.catch((error) => expect(error).toMatchObject({ name: "AbortError" }));
    await run();
    expectAccounts(await accountsIn(database), expected);
    expect(await readMeta(database.sql(), ["named_accounts"])).toEqual([]);
  });

  test("is refused with another line", async () => {
    const { database, path, run } = await open();
    const before = await dumpTables(database, stateTables);
    const address = new Address(0, new Uint8Array(32)).toRaw();
    writeFileSync(path, `${address}\n${address}1\n`);
    await expect(run()).rejects.toThrow(`${path}:2: "${address}1"`.slice(0, path.length + 80));
    writeFileSync(path, `${address}\n${"a".repeat(200_000)}`);
    await expect(run()).rejects.toMatchObject({
      isSetupError: true,
      message: `${path} has a line of more than 1000 bytes: it is neither a state nor a list of addresses`,
    });
    expect(await dumpTables(database, stateTables)).toEqual(before);
  });
});
