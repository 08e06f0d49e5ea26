import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import { reindexTokens } from "../../server/indexer/tokens/reindex.js";
import { type BackfillProgress, RateMeter } from "../../server/indexer/work/progress.js";
import type { Database } from "../../server/store/database.js";
import { lockNumbers } from "../../server/store/sql/locks.js";
import { underLock } from "../../server/store/under-lock.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { ton } from "../helpers/chain/devnet.js";
import { idOf, openDetectedStory } from "../helpers/index/detection.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { describeDatabase } from "../helpers/store/describe-databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { dumpTables } from "../helpers/store/tables.js";
import { storyIndex } from "../helpers/stories/story-index.js";

const participants = participantsOf(publishedSeed, await devnetWallets(publishedSeed));
const { ann, cleo } = participants;
const { acorn } = jettonsOf(participants);
const tableNames = ["jetton_transfers", "jetton_burns", "nft_transfers", "token_slots"];
const dump = (database: Database) => dumpTables(database, tableNames);

type Options = { signal?: AbortSignal; onProgress?: (progress: BackfillProgress) => void };

const reindex = (
  database: Database,
  { signal = new AbortController().signal, onProgress = () => {} }: Options = {},
) =>
  underLock(database, lockNumbers.tokenReindex, signal, (held, lock) =>
    reindexTokens(
      { database: queriesOf(database), lock, rate: new RateMeter(() => 0), onProgress, atOnce: 3 },
      held,
    ),
  );

const forget = (database: Database, names = tableNames) =>
  database
    .sql({ connections: 1 })
    .transaction((transaction) => transaction.script(`truncate ${names.join(", ")}`));

describeDatabase("Token events that are missing", (fresh) => {
  test("are added, each once", async () => {
    const database = await fresh(storyIndex);
    const expected = await dump(database);
    await reindex(database);
    expect(await dump(database)).toEqual(expected);
    await forget(database);
    await reindex(database);
    expect(await dump(database)).toEqual(expected);
    await forget(database, ["nft_transfers"]);
    await reindex(database);
    expect(await dump(database)).toEqual(expected);
  });

  test("are added from where an earlier run was stopped", async () => {
    const database = await fresh(storyIndex);
    const expected = await dump(database);
    const [end] = await queriesOf(database).query<{ last: number }>(SQL`select last from indexed_range`);
    await forget(database);
    const stop = new AbortController();
    const seen: BackfillProgress[] = [];
    const onProgress = (progress: BackfillProgress) => {
      seen.push(progress);
      if (seen.length === 3) stop.abort(new Error("stopped"));
    };
    await expect(reindex(database, { signal: stop.signal, onProgress })).rejects.toThrow("stopped");
    const [stopped] = seen.slice(-1);
    expect(stopped).toMatchObject({ blocks: end!.last });
    expect((await dump(database))["nft_transfers"]).not.toEqual(expected["nft_transfers"]);
    await reindex(database, { onProgress: (progress) => seen.push(progress) });
    expect(seen[3]!.missing).toBeLessThan(stopped!.missing);
    expect(await dump(database)).toEqual(expected);
    // A run after a completed one starts over.
    const [first] = seen;
    await reindex(database, { onProgress: (progress) => seen.push(progress) });
    expect(seen.filter(({ missing }) => missing === first!.missing).length).toBeGreaterThan(1);
    expect(await queriesOf(database).query(SQL`select from index_meta where key = 'reindexed_to'`)).toEqual(
      [],
    );
  });

  test("are those of wallets that were recognised later", async () => {
    const { api, detection, controls } = await openDetectedStory();
    const database = await fresh();
    await indexAll(database, api);
    const { jetton_transfers: none } = await dump(database);
    expect(none).toEqual([]);
    const body = jettonTransferBody({ to: ann.address, amount: 5n, excessesTo: cleo.address, queryId: 9 });
    const wallet = acorn.walletOf(cleo.address);
    await controls.impersonate({
      from: idOf(cleo.address),
      to: idOf(wallet),
      value: ton,
      body: serializeBoc(body),
    });
    await indexAll(database, api, { detection });
    const live = (await dump(database))["jetton_transfers"]!;
    expect(live).toHaveLength(1);
    await reindex(database);
    const all = (await dump(database))["jetton_transfers"]!;
    expect(all.length).toBeGreaterThan(3);
    expect(all).toEqual(expect.arrayContaining(live));
    // The transfer changed the receiver's wallet too.
    const known = [wallet, acorn.walletOf(ann.address)].map(
      ({ workchain, hash }) => `\\x${Buffer.from([workchain, ...hash]).toString("hex")}`,
    );
    for (const row of all) expect(known).toContain(JSON.parse(row).jetton_wallet_address);
  });

  test("are none of an empty index", async () => {
    const database = await fresh();
    await reindex(database);
    expect((await dump(database))["jetton_transfers"]).toEqual([]);
  });
});
