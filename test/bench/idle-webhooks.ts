import { setTimeout as wait } from "node:timers/promises";
import SQL from "sql-template-tag";
import { systemClock } from "../../server/http/clock.js";
import { internet } from "../../server/metadata/network.js";
import type { Database } from "../../server/store/database.js";
import { IndexReader } from "../../server/store/index-reader.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { cursorOf, endOf } from "../../server/stream/event-key.js";
import { Hub } from "../../server/stream/hub.js";
import { Targets } from "../../server/stream/webhooks/targets.js";
import { WebhookWorker } from "../../server/stream/webhooks/worker.js";
import { noFallback } from "../helpers/no-fallback.js";
import { blockRow, storeRows } from "../helpers/store/rows.js";
import { until } from "../helpers/until.js";
import type { Spent } from "./harness.js";

const chain = "00000000";

/** Webhooks to accounts without events, while a block comes each second. */
export class IdleWebhooks {
  readonly #database: Database;
  readonly #hub: Hub;
  readonly #worker: WebhookWorker;
  #seqno = 1;

  private constructor(database: Database, hub: Hub, worker: WebhookWorker) {
    this.#database = database;
    this.#hub = hub;
    this.#worker = worker;
  }

  static async open(count: number): Promise<IdleWebhooks> {
    const database = await openPglite();
    await store(database, 1);
    const index = new IndexReader();
    index.connect(database.sql());
    const onError = (error: Error) => {
      throw error;
    };
    const parts = { index, book: { testOnly: false }, pending: undefined, isDevnet: false };
    const readMessage = () => Promise.reject(new Error("webhooks are not about a message"));
    const hub = new Hub({ ...parts, readMessage, chain, now: Date.now, onError, fallback: noFallback });
    const worker = new WebhookWorker({
      hub,
      posting: {
        network: internet,
        targets: new Targets({ isDevnet: false, networks: undefined }),
        timeoutMs: 1000,
      },
      deliveriesOf: () => 1,
      every: (ms, work) => systemClock.every(ms, work),
      now: Date.now,
      random: Math.random,
      onAttempt: () => {},
      onError,
    });
    hub.start();
    await until("the hub", () => hub.head);
    await fill(database, count, cursorOf(endOf(hub.head!), chain));
    worker.start(database);
    await until("the webhooks", () => hub.subscriptions === count && hub.lagging === 0);
    return new IdleWebhooks(database, hub, worker);
  }

  /** The processor time of five seconds, in which the database is looked at for changes, and five blocks. */
  async seconds(): Promise<Spent> {
    const before = process.cpuUsage();
    const units = 5;
    for (let second = 0; second < units; second++) {
      await store(this.#database, ++this.#seqno);
      this.#hub.indexChanged();
      await wait(1000);
    }
    if (this.#hub.seqno !== this.#seqno) throw new Error("the blocks were not told");
    const { user, system } = process.cpuUsage(before);
    return { units, micros: user + system };
  }

  async close(): Promise<void> {
    await this.#worker.close();
    await this.#hub.close();
    await this.#database.close();
  }
}

/** Stores an empty masterchain block. */
async function store(database: Database, seqno: number): Promise<void> {
  const lt = BigInt(seqno) * 1000n;
  const block = blockRow({ seqno, mc_block_seqno: seqno, start_lt: lt, end_lt: lt + 10n });
  await storeRows(database, { blocks: [block] });
  await database.sql().query(SQL`
    insert into index_ranges (from_seqno, to_seqno, done_to, state) values (1, 2147483647, ${seqno}, 1)
    on conflict (from_seqno) do update set done_to = excluded.done_to`);
}

async function fill(database: Database, count: number, cursor: string): Promise<void> {
  await database.sql().query(SQL`
    insert into tonwire_kept.webhooks
      (id, key_id, url, choice, accounts, firehose, secret, created_at, cursor)
    select 'wh_' || n, 'k_' || n % 10, 'https://shop.example/', jsonb_build_object(
        'kind', 'transactions', 'finality', 'finalized', 'include', jsonb_build_array('messages'),
        'accounts', jsonb_build_array('0:' || lpad(to_hex(n), 64, '0'))),
      1, false, 'secret', 0, ${cursor}
    from generate_series(1, ${count}::integer) n`);
}
