import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { SocketWriter } from "../../server/http/socket-writer.js";
import { NotificationForm } from "../../server/http/subscriptions/forms.js";
import type { EventKey } from "../../server/stream/event-key.js";
import type { StreamEvent } from "../../server/stream/events.js";
import { Feed } from "../../server/stream/feed.js";
import type { Filter } from "../../server/stream/filter.js";
import type { Hub } from "../../server/stream/hub.js";
import { Interests } from "../../server/stream/interests.js";
import { accountRecordEvent } from "../../server/stream/records.js";
import { Sent } from "../../server/stream/sent.js";
import { type Sink, Subscription } from "../../server/stream/subscription.js";
import type { Contender, Suite } from "./harness.js";
import { startProcess } from "./servers/process.js";

const subscribers = 1000;
const addresses = 100_000;
/** Events of one block. */
const events = 10;

const addressOf = (at: number) => `0:${at.toString(16).toUpperCase().padStart(64, "0")}`;
const watched = addressOf(0);
const hash = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";
const chain = "00000000";
let lt = 0n;

export const suite: Suite = {
  title: "Streams, per delivered event (baseline: ws that broadcasts the same bytes)",
  async rows() {
    const own = await Crowd.open();
    const bare = await Crowd.open();
    const interests = new Interests();
    for (const { webSocket, connection } of own.sockets) subscribe(interests, webSocket, connection);
    const send = () => {
      for (const event of makeEvents()) deliver(interests, event);
    };
    const broadcast = () => {
      for (const event of makeEvents()) {
        const text = textOf(event);
        for (const { webSocket } of bare.sockets) webSocket.send(text);
      }
    };
    const goal = { floor: 0.5, aim: 0.75 };
    const few = new Interests([subscriptionTo([watched])]);
    const many = new Interests([
      subscriptionTo([watched]),
      ...Array.from({ length: addresses / 100 }, (_, at) =>
        subscriptionTo(Array.from({ length: 100 }, (_, inner) => addressOf(1 + at * 100 + inner))),
      ),
    ]);
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
    ];
  },
  close() {
    for (const close of closers) close();
  },
};

const closers: (() => void)[] = [];

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
      await this.#taken();
      const { user, system } = process.cpuUsage(before);
      return { units: events * this.sockets.length, micros: user + system };
    };
  }

  delay(send: () => void): Contender {
    return async () => {
      send();
      await this.#taken();
      return events * this.sockets.length;
    };
  }

  /** The operating system has taken everything. */
  async #taken(): Promise<void> {
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
function subscribe(interests: Interests, webSocket: WebSocket, connection: Duplex): void {
  const writer = new SocketWriter(webSocket, connection);
  const channel = {
    get isFull() {
      return webSocket.bufferedAmount > 1024 * 1024;
    },
    isSlowed: false,
    write: (frame: Buffer) => writer.notify(frame),
  };
  // Only what a feed needs to begin.
  const hub = {
    counts: { resumes: 0 },
    prepare(sink: Sink, filter: Filter) {
      const subscription = new Subscription(sink, filter);
      interests.add(subscription);
      return subscription;
    },
  } as unknown as Hub;
  const form = new NotificationForm("1");
  const now = () => performance.now();
  new Feed({ hub, channel, form, window: undefined, onEnd: () => {}, now }, filterOf([watched]), {
    isPast: false,
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

function sentOf(event: StreamEvent, json: string): Sent & { key: EventKey } {
  const { key, id, finality } = event;
  return new Sent({ json, key: key!, id: id!, finality, chain }) as Sent & { key: EventKey };
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
  return new NotificationForm("1").write(json, sentOf(event, json));
}

function matching(interests: Interests): Contender {
  return () => {
    for (const event of makeEvents())
      for (const { members } of event.deliveries(interests)) JSON.stringify(members);
    return events;
  };
}
