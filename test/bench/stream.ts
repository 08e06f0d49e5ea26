import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type WebSocket, WebSocketServer } from "ws";
import { SocketWriter } from "../../server/http/sockets/socket-writer.js";
import { NotificationForm } from "../../server/http/subscriptions/forms.js";
import { rawAddressToBytes } from "../../server/store/address-bytes.js";
import type { Sql } from "../../server/store/database.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { withTexts } from "../../server/stream/events/event-texts.js";
import type { StreamEvent } from "../../server/stream/events/events.js";
import { readEvents } from "../../server/stream/events/read-events.js";
import { accountRecordEvent } from "../../server/stream/events/records.js";
import { UnitSource } from "../../server/stream/events/unit-source.js";
import { Feed } from "../../server/stream/feed.js";
import type { Hub } from "../../server/stream/hub.js";
import { type EventKey, endOf } from "../../server/stream/subscriptions/event-key.js";
import type { Filter } from "../../server/stream/subscriptions/filter.js";
import { Interests } from "../../server/stream/subscriptions/interests.js";
import { Heartbeats, SentEvent } from "../../server/stream/subscriptions/sent-event.js";
import { type Sink, Subscription } from "../../server/stream/subscriptions/subscription.js";
import { sized } from "../helpers/effort.js";
import { startProcess } from "../helpers/servers/process.js";
import { blockRow, storeRows, transactionRow } from "../helpers/store/rows.js";
import type { Contender, Spent, Suite } from "./harness.js";

const subscribers = sized(50, 1000);
const addresses = sized(1000, 100_000);
/** Events of one block. */
const events = 10;

const addressOf = (at: number) => `0:${at.toString(16).toUpperCase().padStart(64, "0")}`;
const watched = addressOf(0);
const hash = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";
const chain = "00000000";
let lt = 0n;

export const suite: Suite = {
  title: "Streams, per delivered event (baseline: ws that broadcasts the same bytes, encoded once)",
  async rows() {
    const own = await Crowd.open();
    const bare = await Crowd.open();
    const interests = new Interests();
    for (const socket of own.sockets) subscribe(interests, socket, watched);
    const send = () => {
      for (const event of makeEvents()) deliver(interests, event);
    };
    const broadcast = () => {
      for (const event of makeEvents()) {
        const bytes = Buffer.from(textOf(event));
        for (const { webSocket } of bare.sockets) webSocket.send(bytes, { binary: false });
      }
    };
    const goal = { floor: 0.5, aim: 0.75 };
    const crowd = () =>
      Array.from({ length: addresses / 100 }, (_, at) =>
        subscriptionTo(Array.from({ length: 100 }, (_, inner) => addressOf(1 + at * 100 + inner))),
      );
    const few = new Interests([subscriptionTo([watched])]);
    const many = new Interests([subscriptionTo([watched]), ...crowd()]);
    const database = await openUnit();
    const everything = () => new Subscription(nobody, { ...filterOf([]), requires: new Set() });
    const idle = new IdleCrowd(await Crowd.open());
    return [
      {
        title: `processor time, ${subscribers} subscribers`,
        ours: own.processorTime(send),
        baseline: bare.processorTime(broadcast),
        goal,
      },
      {
        title: `delay to the last of ${subscribers}`,
        ours: own.delay(send),
        baseline: bare.delay(broadcast),
        goal,
      },
      {
        title: `matching among ${addresses} addresses, against one`,
        ours: matching(many),
        baseline: matching(few),
        goal: { floor: 0.5, aim: 0.9 },
      },
      {
        title: `a block of ${unitTransactions} transactions, while ${addresses} other addresses are watched (baseline: none)`,
        ours: wholeUnit(database, new Interests([everything(), ...crowd()])),
        baseline: wholeUnit(database, new Interests([everything()])),
        goal: { floor: 0.9, aim: 0.98 },
      },
      {
        title: `${idleSubscriptions} idle subscriptions: a second, with its heartbeats (baseline: 1 % of a core)`,
        ours: () => idle.second(),
        baseline: () => ({ units: 1, micros: 10_000 }),
        goal: { floor: 1, aim: 2 },
      },
      {
        title: `${idleSubscriptions} idle subscriptions: memory, MB (baseline: 150 MB)`,
        ours: () => ({ units: 1, micros: idle.megabytes }),
        baseline: () => ({ units: 1, micros: 150 }),
        goal: { floor: 1, aim: 3 },
      },
    ];
  },
  async close() {
    for (const close of closers) await close();
  },
};

const closers: (() => void | Promise<void>)[] = [];

type Accepted = { webSocket: WebSocket; connection: Duplex };

/** Open connections to clients in another process. */
class Crowd {
  readonly sockets: readonly Accepted[];

  private constructor(sockets: readonly Accepted[]) {
    this.sockets = sockets;
  }

  static async open(): Promise<Crowd> {
    const sockets: Accepted[] = [];
    const server = createServer();
    const handshakes = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    server.on("upgrade", (request, connection, head) =>
      handshakes.handleUpgrade(request, connection, head, (webSocket) =>
        sockets.push({ webSocket, connection }),
      ),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const readers: ChildProcess = await startProcess("readers", {
      BENCH_READERS: JSON.stringify({ url, count: subscribers }),
    });
    closers.push(() => {
      readers.kill();
      for (const { webSocket } of sockets) webSocket.terminate();
      server.close();
    });
    await once(readers, "message");
    return new Crowd(sockets);
  }

  processorTime(send: () => void): Contender {
    return async () => {
      const before = process.cpuUsage();
      send();
      await this.taken();
      const { user, system } = process.cpuUsage(before);
      return { units: events * this.sockets.length, micros: user + system };
    };
  }

  delay(send: () => void): Contender {
    return async () => {
      send();
      await this.taken();
      return events * this.sockets.length;
    };
  }

  /** The operating system has taken everything. */
  async taken(): Promise<void> {
    while (this.sockets.some(({ webSocket }) => webSocket.bufferedAmount > 0))
      await new Promise(setImmediate);
  }
}

function filterOf(accounts: readonly string[]): Filter {
  return {
    types: new Set(["account"]),
    requires: new Set(["accounts"]),
    addresses: new Set(accounts),
    traces: new Set(),
    minFinality: "finalized",
    actions: { wanted: [], ancestors: [] },
    withAddressBook: false,
    withMetadata: false,
  };
}

const nobody: Sink = { isFull: false, send: () => {}, tell: () => {} };

function subscriptionTo(accounts: readonly string[]): Subscription {
  return new Subscription(nobody, filterOf(accounts));
}

/** A feed over a socket, as a session makes it. */
function subscribe(
  interests: Interests,
  { webSocket, connection }: Accepted,
  account: string,
  { id = 1, now = () => performance.now() } = {},
): Feed {
  const writer = new SocketWriter(webSocket, connection);
  const channel = {
    get isFull() {
      return webSocket.bufferedAmount > 1024 * 1024;
    },
    isSlowed: false,
    write: (frame: Buffer) => writer.notify(frame),
  };
  // Only what a feed needs while nothing is read for it alone.
  const hub = {
    counts: { resumes: 0 },
    chain,
    head,
    heartbeat: heartbeats.at(head),
    cursorOf: () => endOf(head),
    prepare(sink: Sink, filter: Filter) {
      const subscription = new Subscription(sink, filter);
      interests.add(subscription);
      return subscription;
    },
    resume: (subscription: Subscription) => subscription.tellOwed(0),
  } as unknown as Hub;
  const form = new NotificationForm(String(id), "subscription");
  const options = { hub, channel, form, window: undefined, onEnd: () => {}, now };
  return new Feed(options, filterOf([account]), { isPast: false });
}

const head = { seqno: 1, genUtime: 0n, rootHash: new Uint8Array(32), endLt: 0n };
const heartbeats = new Heartbeats(chain);
const idleSubscriptions = sized(1000, 10_000);

/** Subscriptions to accounts without events, spread over connections. */
class IdleCrowd {
  readonly megabytes: number;
  readonly #crowd: Crowd;
  /** By connection. */
  readonly #feeds: Feed[][] = [];
  #time = 0;

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
    const before = usedMemory();
    const interests = new Interests();
    const now = () => this.#time;
    const each = idleSubscriptions / crowd.sockets.length;
    for (const [at, socket] of crowd.sockets.entries()) {
      const ids = Array.from({ length: each }, (_, id) => id + 1);
      this.#feeds.push(ids.map((id) => subscribe(interests, socket, addressOf(at * each + id), { id, now })));
    }
    this.megabytes = (usedMemory() - before) / 2 ** 20;
    // Heartbeats of ten seconds, spread over them.
    for (const [at, feeds] of this.#feeds.entries()) {
      this.#time = (at % 10) * 1000;
      for (const feed of feeds) feed.closing();
    }
    this.#time = 10_000;
  }

  /** The processor time of a second. */
  async second(): Promise<Spent> {
    await this.#crowd.taken();
    const before = process.cpuUsage();
    this.#time += 1000;
    for (const feeds of this.#feeds) Feed.watch(feeds);
    await this.#crowd.taken();
    const { user, system } = process.cpuUsage(before);
    return { units: 1, micros: user + system };
  }
}

/** Bytes in use once all garbage is collected. */
function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const unitTransactions = 300;

/** An index with one masterchain block. */
async function openUnit(): Promise<Sql> {
  const database = await openPglite();
  closers.push(() => database.close());
  const transactions = Array.from({ length: unitTransactions }, (_, at) =>
    transactionRow({
      account: rawAddressToBytes(`0:${(at + 1).toString(16).padStart(8, "0").repeat(8)}`),
      lt: BigInt(at + 1),
      hash: new Uint8Array(32).fill(at % 256),
      block_seqno: 1,
      mc_block_seqno: 1,
    }),
  );
  const block = blockRow({ seqno: 1, start_lt: 1n, end_lt: BigInt(unitTransactions) });
  await storeRows(database, { blocks: [block], transactions });
  return database.sql();
}

/** Reads the transactions of the block, and makes their texts. */
function wholeUnit(database: Sql, interests: Interests): Contender {
  return () =>
    database.transaction(async (queries) => {
      const events = await readEvents(new UnitSource(queries, 1, { testOnly: false }), interests);
      if (events.length < unitTransactions) throw new Error("the block was not read");
      await withTexts(queries, events, { interests, book: { testOnly: false } }, () => {});
      return 1;
    });
}

function makeEvents(): StreamEvent[] {
  return Array.from({ length: events }, () => {
    const key: EventKey = { seqno: Number(++lt), rank: 2, lt, id: watched };
    const state = {
      hash,
      balance: "1000000000",
      extra_currencies: {},
      account_status: "active",
      frozen_hash: null,
      data_hash: hash,
      code_hash: hash,
    } as const;
    return accountRecordEvent(
      { finality: "finalized", key },
      { account: watched, lt: String(lt), account_state_after: state },
    );
  });
}

function sentOf(event: StreamEvent, json: string): SentEvent & { key: EventKey } {
  const { key, id, finality } = event;
  return new SentEvent({ json, key: key!, id: id!, finality, chain }) as SentEvent & { key: EventKey };
}

function deliver(interests: Interests, event: StreamEvent): void {
  for (const { members, receivers } of event.deliveries(interests)) {
    const sent = sentOf(event, JSON.stringify(members));
    for (const receiver of receivers) receiver.offer(sent);
  }
}

const everybody = new Interests([subscriptionTo([watched])]);

/** The notification that subscribers receive. */
function textOf(event: StreamEvent): string {
  const [delivery] = event.deliveries(everybody);
  const json = JSON.stringify(delivery!.members);
  return new NotificationForm("1", "subscription").write(json, sentOf(event, json));
}

function matching(interests: Interests): Contender {
  return () => {
    for (const event of makeEvents())
      for (const { members } of event.deliveries(interests)) JSON.stringify(members);
    return events;
  };
}
