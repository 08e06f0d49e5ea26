import { once } from "node:events";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { NotificationParams, SubscribeParams } from "../../client/api.js";
import { createClient, fallback, webSocket } from "../../client/index.js";
import { type Reset, watch } from "../../client/watch/index.js";
import { key } from "../helpers/services/role-processes.js";
import { Ledger, seqnoOf } from "./stream-ledger.js";

type Subscriber = { readonly name: string; readonly params: SubscribeParams; readonly ledger: Ledger };

/** A subscriber that knows when its subscription has ended. */
export type EndingSubscriber = Subscriber & { hasEnded(): boolean };

type Connection = { readonly ended: Promise<void>; readonly close: () => void };

/** Reconnects after every loss until the test or the subscription has ended. */
function keepConnecting(connect: () => Connection, hasEnded = () => false): void {
  let isOver = false;
  let current: Connection;
  onTestFinished(() => {
    isOver = true;
    current.close();
  });
  const go = async () => {
    while (!isOver && !hasEnded()) {
      current = connect();
      await current.ended;
      // Connections to a missing process are refused immediately.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  void go();
}

function connectionOf(socket: WebSocket): Connection {
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  return { ended, close: () => socket.terminate() };
}

/**
 * A client of the WebSocket protocol that follows the documents exactly: it resumes from the last cursor of any event.
 */
export function socketSubscriber(url: () => string, params: SubscribeParams): EndingSubscriber {
  const ledger = new Ledger();
  let { from } = params;
  let isAtEnd = false;
  const hasEnded = () => isAtEnd;
  const take = (socket: WebSocket, { subscription, cursor, finality, event }: NotificationParams) => {
    if (cursor !== undefined) from = cursor;
    if (event.type === "reverted") ledger.revert(event.mc_seqno);
    isAtEnd ||= event.type === "end";
    if (isAtEnd) socket.terminate();
    if (finality !== "finalized") return;
    ledger.add(cursor!, event);
    if (params.window !== undefined) call(socket, "subscription.ack", { subscription, cursor });
  };
  const call = (socket: WebSocket, method: string, given: object) =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: method, method, params: given }));
  keepConnecting(() => {
    const socket = new WebSocket(`${url().replace("http", "ws")}/jsonRPC?api_key=${key}`);
    socket.on("open", () => call(socket, "subscribe", { ...params, from }));
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.method === "subscription") take(socket, message.params);
      else if (message.error) socket.terminate();
    });
    return connectionOf(socket);
  }, hasEnded);
  const window = params.window === undefined ? "" : `, window of ${params.window}`;
  return { name: `WebSocket, ${titleOf(params)}${window}`, params, ledger, hasEnded };
}

/** An `EventSource`: it resumes from the last id, until it is answered that nothing follows. */
export function eventSource(url: () => string, params: SubscribeParams): EndingSubscriber {
  const ledger = new Ledger();
  let lastId: string | undefined;
  let isAtEnd = false;
  const hasEnded = () => isAtEnd;
  const take = (frame: string) => {
    const id = /^id: (.*)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (id !== undefined) lastId = id;
    if (data === undefined) return;
    const { finality = "finalized", ...event } = JSON.parse(data);
    if (event.type === "reverted") ledger.revert(event.mc_seqno);
    if (finality === "finalized" && event[recordOf(params)]) ledger.add(id!, event);
  };
  const query = new URLSearchParams({ api_key: key });
  for (const [name, value] of Object.entries({ ...params, from: params.from && JSON.stringify(params.from) }))
    for (const each of [value ?? []].flat()) query.append(name, String(each));
  keepConnecting(() => {
    const headers: Record<string, string> = lastId === undefined ? {} : { "Last-Event-ID": lastId };
    const ending = (status: number) => {
      isAtEnd ||= status === 204;
    };
    return frames(`${url()}/api/streaming/events?${query}`, { headers }, take, ending);
  }, hasEnded);
  return { name: `EventSource, ${titleOf(params)}`, params, ledger, hasEnded };
}

/** `tonwire/watch` over WebSockets. */
export function watcher(urls: readonly string[], params: SubscribeParams): EndingSubscriber {
  const ledger = new Ledger();
  const quick = { baseMs: 1, maxMs: 20 };
  const transports = urls.map((url) => webSocket(`${url}/jsonRPC`, { WebSocket, reconnect: quick }));
  const client = createClient({ transport: fallback(transports, { rest: quick }), apiKey: key });
  const { kind, message, ...options } = params;
  const live = watch(client, { random: () => 0, window: params.window ?? 100 });
  const onReset = (reset: Reset) => {
    if (reset.type === "reverted") ledger.revert(reset.mc_seqno);
  };
  const given = { ...options, onReset } as never;
  const stream = message === undefined ? live[kind as "transactions"](given) : live.message(message, given);
  let isAtEnd = false;
  const hasEnded = () => isAtEnd;
  const read = async () => {
    for await (const { cursor, finality, ...event } of stream)
      if (finality === "finalized") ledger.add(cursor!, event);
    isAtEnd = true;
  };
  const reading = read();
  onTestFinished(async () => {
    await stream.return();
    await reading;
    client.close();
  });
  return { name: `watch, ${titleOf(params)}`, params, ledger, hasEnded };
}

/** Hashes of the transactions that a client of TON Center's protocol has, which come again by design. */
type TonCenterClient = {
  readonly hashes: ReadonlySet<string>;
  /** The masterchain block from which on it can miss nothing. */
  readonly since: number | undefined;
};

/** A client of TON Center's server-sent events, which resumes from the last id once it has one. */
export function tonCenterEvents(url: () => string, addresses: readonly string[]): TonCenterClient {
  const hashes = new Set<string>();
  let since: number | undefined;
  let lastId: string | undefined;
  const body = JSON.stringify({ types: ["transactions"], addresses });
  const take = (frame: string) => {
    lastId = /^id: (.*)$/m.exec(frame)?.[1] ?? lastId;
    if (lastId !== undefined) since ??= seqnoOf(lastId) + 1;
    const { transactions = [] } = JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "{}");
    for (const { hash } of transactions) hashes.add(hash);
  };
  keepConnecting(() => {
    const headers: Record<string, string> = { "Content-Type": "application/json", "X-API-Key": key };
    if (lastId !== undefined) headers["Last-Event-ID"] = lastId;
    return frames(`${url()}/api/streaming/v2/sse`, { method: "POST", headers, body }, take);
  });
  return {
    hashes,
    get since() {
      return since;
    },
  };
}

/** As above over one WebSocket, which has no cursors: it is not reconnected. */
export async function tonCenterSocket(url: string, addresses: readonly string[]): Promise<TonCenterClient> {
  const hashes = new Set<string>();
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/streaming/v2/ws?api_key=${key}`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.on("message", (data) => {
    for (const { hash } of JSON.parse(String(data)).transactions ?? []) hashes.add(hash);
  });
  socket.send(JSON.stringify({ operation: "subscribe", types: ["transactions"], addresses }));
  await once(socket, "message");
  return { hashes, since: 0 };
}

/** Reads frames of server-sent events until the connection ends. */
function frames(
  url: string,
  init: RequestInit,
  take: (frame: string) => void,
  answered?: (status: number) => void,
): Connection {
  const abort = new AbortController();
  const read = async () => {
    const answer = await fetch(url, { ...init, signal: abort.signal });
    answered?.(answer.status);
    if (!answer.ok) return void (await answer.body?.cancel());
    let text = "";
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split("\n\n");
      text = parts.pop()!;
      for (const frame of parts) take(frame);
    }
  };
  // A cut connection is an error of fetch.
  return { ended: read().catch(() => {}), close: () => abort.abort() };
}

function titleOf({ kind, finality, message }: SubscribeParams): string {
  return `${kind}, ${message ?? finality}`;
}

/** The member of events that has the record. */
function recordOf({ kind }: SubscribeParams): string {
  return kind.replace(/s$/, "");
}
