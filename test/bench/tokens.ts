import pg from "pg";
import { jettonHandlers } from "../../server/methods/v3/jettons.js";
import { nftHandlers } from "../../server/methods/v3/nfts.js";
import { implement } from "../../server/rpc/bind.js";
import type { Sql } from "../../server/store/database.js";
import { IndexReader } from "../../server/store/index-reader.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import type { CallOptions } from "../../shared/methods/define.js";
import { jettonMethods } from "../../shared/methods/v3/jettons.js";
import { nftMethods } from "../../shared/methods/v3/nfts.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import { bytesOf } from "../helpers/store/rows.js";
import type { Row, Suite } from "./harness.js";
import { collector, storeManyTokens } from "./v3/many-tokens.js";

const limit = 10;
const goal = { floor: 0.5, aim: 0.75 };

/** Units are pages. */
export const suite: Suite = {
  title: "v3 tokens: pages of one owner (baseline: the same rows by named queries of pg, stringified)",
  rows: async () => (havePostgres() ? postgresRows() : []),
  async close() {
    for (const close of closers) await close();
  },
};

const closers: (() => Promise<void>)[] = [];

async function postgresRows(): Promise<Row[]> {
  const server = await TestPostgres.start();
  closers.unshift(() => server.stop());
  const url = await server.database();
  const database = openPostgres(url);
  closers.unshift(() => database.close());
  await storeManyTokens(database);
  const client = new pg.Client(url);
  await client.connect();
  closers.unshift(() => client.end());
  const { wallets, items } = pageReaders(database.sql({ statementTimeoutMs: 30_000 }));
  const alone = { noAddressBook: true, noMetadata: true };
  return [
    {
      title: "jetton/wallets by owner, 10 rows",
      ours: () => wallets({}),
      baseline: () => readWallets(client, { withExtras: true }),
      goal,
    },
    {
      title: "jetton/wallets by owner, 10 rows without address book and metadata",
      ours: () => wallets(alone),
      baseline: () => readWallets(client, { withExtras: false }),
      goal,
    },
    {
      title: "nft/items by owner, 10 rows",
      ours: () => items({}),
      baseline: () => readItems(client, { withExtras: true }),
      goal,
    },
    {
      title: "nft/items by owner, 10 rows without address book and metadata",
      ours: () => items(alone),
      baseline: () => readItems(client, { withExtras: false }),
      goal,
    },
  ];
}

/** Complete answers of a freshly started service. */
function pageReaders(store: Sql) {
  const index = new IndexReader();
  index.connect(store);
  const deps = { index, book: { testOnly: false } };
  const { jetton } = implement(jettonMethods, jettonHandlers, deps);
  const { nft } = implement(nftMethods, nftHandlers, deps);
  const callWith = (options: CallOptions) => ({
    options,
    asked: new Set<number>(),
    signal: new AbortController().signal,
  });
  const asked = { owner_address: [collector.toRaw()], limit };
  return {
    async wallets(options: CallOptions) {
      const params = jettonMethods.jetton.wallets.params.parse(asked);
      JSON.stringify(await jetton.wallets(params, callWith(options)));
      return 1;
    },
    async items(options: CallOptions) {
      const params = nftMethods.nft.items.params.parse(asked);
      JSON.stringify(await nft.items(params, callWith(options)));
      return 1;
    },
  };
}

type Extras = { withExtras: boolean };

async function readWallets(client: pg.Client, { withExtras }: Extras): Promise<number> {
  const { rows } = await client.query({
    name: "wallets",
    text: "select * from jetton_wallets where owner = $1 and not destroyed order by balance desc, address limit $2",
    values: [bytesOf(collector), limit],
  });
  const shown = rows.flatMap(({ address, owner, jetton }) => [address, owner, jetton]);
  JSON.stringify(
    withExtras ? [rows, await readStates(client, shown), await readMasters(client, rows)] : rows,
  );
  return 1;
}

async function readItems(client: pg.Client, { withExtras }: Extras): Promise<number> {
  const { rows } = await client.query({
    name: "items",
    text: `select i.*, c.next_item_index, c.owner_address as collection_owner, c.collection_content
      from nft_items i left join nft_collections c on c.address = i.collection_address
      where i.owner_address = $1 and not i.destroyed order by i.last_transaction_lt desc, i.address limit $2`,
    values: [bytesOf(collector), limit],
  });
  const shown = rows.flatMap((row) => [row.address, row.owner_address, row.collection_address]);
  JSON.stringify(withExtras ? [rows, await readStates(client, shown)] : rows);
  return 1;
}

async function readStates(client: pg.Client, accounts: readonly Uint8Array[]) {
  const { rows } = await client.query({
    name: "states",
    text: `select account, code_hash, methods from latest_account_states left join contract_methods using (code_hash)
      where account = any($1)`,
    values: [accounts],
  });
  return rows;
}

async function readMasters(client: pg.Client, wallets: readonly { jetton: Uint8Array }[]) {
  const { rows } = await client.query({
    name: "masters",
    text: "select address, jetton_content from jetton_masters where address = any($1)",
    values: [wallets.map(({ jetton }) => jetton)],
  });
  return rows;
}
