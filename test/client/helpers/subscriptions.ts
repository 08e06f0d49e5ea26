import type { WebSocket } from "ws";
import type { NotificationParams, StreamEvent } from "../../../client/index.js";
import { echo, type RpcRequest } from "../../helpers/peers/rpc-server.js";
import { until } from "../../helpers/until.js";
import { type Message, send, serveSockets } from "./sockets.js";

type Subscription = {
  readonly id: string;
  readonly socket: WebSocket;
  readonly params: Record<string, unknown>;
  readonly acks: string[];
  isOpen: boolean;
};

type Answer = { result: unknown } | { error: { code: number; message: string; data: object } };

/** The cursor of an event, as the service writes it. */
export function cursorAt(seqno: number, lt = 0): string {
  return Buffer.from(`c1.${seqno}.1.${lt}.hash.0a0b0c0d.01020304`).toString("base64url");
}

/** The cursor of the newest block when a subscription begins. */
export const headCursor = cursorAt(100);

/** A service to whose subscriptions a test sends events. */
export async function serveSubscriptions() {
  const subscriptions: Subscription[] = [];
  const rules: ((request: RpcRequest) => Answer | undefined)[] = [];
  const answer = (request: RpcRequest, socket: WebSocket): Answer => {
    const { method, params } = request;
    const known = subscriptions.findLast(
      (each) => each.socket === socket && each.id === params?.["subscription"],
    );
    if (method === "subscribe") {
      const ofSocket = subscriptions.filter((each) => each.socket === socket);
      const id = String(ofSocket.length + 1);
      subscriptions.push({ id, socket, params, acks: [], isOpen: true });
      return { result: { subscription: id, cursor: headCursor, head: { seqno: 100, gen_utime: 1 } } };
    }
    if (method === "unsubscribe") {
      const wasOpen = known?.isOpen === true;
      if (known) known.isOpen = false;
      return { result: wasOpen };
    }
    if (method === "subscription.ack") {
      known!.acks.push(params["cursor"] as string);
      return { result: true };
    }
    return { result: echo(request).result };
  };
  /** Callbacks that run right after the next answers. */
  const after: ((subscription: Subscription) => void)[] = [];
  const server = await serveSockets((message: Message, socket) => {
    for (const request of [message].flat()) {
      const rule = rules.map((each) => each(request)).find((each) => each !== undefined);
      send(socket, { jsonrpc: "2.0", id: request.id, ...(rule ?? answer(request, socket)) });
      if (request.method === "subscribe" && !rule) after.shift()?.(subscriptions.at(-1)!);
    }
  });
  const tell = (to: Subscription, event: object, place: Partial<NotificationParams> = {}) =>
    send(to.socket, {
      jsonrpc: "2.0",
      method: "subscription",
      params: { subscription: to.id, ...place, event: event as StreamEvent },
    });
  return {
    ...server,
    subscriptions,
    rules,
    after,
    tell,
    /** Sends a finalized transaction. */
    pay: (to: Subscription, seqno: number, lt: number, more: object = {}) =>
      tell(
        to,
        { type: "transaction", transaction: { lt: `${lt}`, ...more } },
        { cursor: cursorAt(seqno, lt), finality: "finalized", id: `${lt}.hash` },
      ),
    /** The n-th subscription, once it is made. */
    subscription: (n: number) => until(`subscription ${n}`, () => subscriptions[n - 1]),
  };
}
