import type { NotificationParams, SubscribeParams } from "../api.js";
import type { Caller } from "../caller.js";
import { RpcError } from "../errors.js";
import { errorIn, type Json } from "../transports/answer.js";
import type { Clock, Heard, SocketLike } from "../transports/transport.js";
import { silenceMs } from "./defaults.js";

/** Callbacks of a subscription. */
export interface Receiver {
  /** An event, and the length of its message. */
  receive(params: NotificationParams, length: number): void;
  /** The subscription ended with its connection. */
  lost(): void;
}

/** A subscription on the connection that it was made on. */
export interface Subscribed {
  /** Everything up to it was sent before the subscription began. */
  readonly cursor: string;
  /** Starts to call the receiver, first with the events received so far. */
  open(receiver: Receiver): void;
  /** Acknowledges the events up to a cursor. */
  ack(cursor: string): void;
  /** Ends the subscription. Its receiver is not called any more. */
  close(): void;
}

/** A connection with subscriptions. */
type Link = {
  readonly socket: SocketLike;
  readonly channels: Map<string, Channel>;
  /** Requests that are not answered yet, by id. */
  readonly sent: Map<string, Request>;
  heardAt: number;
  timer: unknown;
};

type Channel = {
  readonly early: [NotificationParams, number][];
  receiver: Receiver | undefined;
  isLost: boolean;
  /** The last cursor that was acknowledged. */
  acked?: string;
};

type Request = { readonly method: string; readonly params: { subscription: string; cursor?: string } };

/**
 * The subscriptions on the WebSockets of a client. `subscribe` is an ordinary call. Ids of subscriptions belong to a
 * connection, so all later calls about a subscription use that connection.
 */
export class Connections {
  readonly #client: Pick<Caller, "call">;
  readonly #clock: Clock;
  readonly #links = new Map<SocketLike, Link>();
  /** Connection that a result of `subscribe` came from. */
  readonly #origins = new WeakMap<object, { link: Link; channel: Channel }>();
  #subscribing = 0;
  #lastId = 0;

  constructor(client: Pick<Caller, "call">, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Makes a subscription on the connection that carries the call. */
  async subscribe(params: SubscribeParams): Promise<Subscribed> {
    this.#subscribing++;
    try {
      // No deadline, only the end of the connection: an answer after a deadline would leave a subscription without a
      // receiver.
      const result = (await this.#client.call("subscribe" as string, params, { timeoutMs: 0 })) as {
        subscription: string;
        cursor: string;
      };
      const origin = this.#origins.get(result);
      if (!origin) throw new RpcError("bad-answer", "watch needs a client of createClient with a WebSocket");
      return this.#subscribed(origin.link, origin.channel, result);
    } finally {
      this.#subscribing--;
    }
  }

  /** Hears all WebSockets of the client. */
  readonly heard: Heard = (socket, message, length = 0) => {
    const known = this.#links.get(socket);
    if (message === undefined) {
      if (known) this.#lose(known);
      return;
    }
    if (known) known.heardAt = this.#clock.now();
    const { method, params, result, id }: Json = message ?? {};
    if (method === "subscription") {
      const channel = known?.channels.get(params.subscription);
      if (params.event.type === "end") known?.channels.delete(params.subscription);
      if (channel?.receiver) channel.receiver.receive(params, length);
      else channel?.early.push([params, length]);
    } else if (this.#subscribing > 0 && typeof result?.subscription === "string") {
      const link = known ?? this.#link(socket);
      const channel: Channel = { early: [], receiver: undefined, isLost: false };
      link.channels.set(result.subscription, channel);
      this.#origins.set(result, { link, channel });
    } else if (known && typeof id === "string") this.#answered(known, id, message);
  };

  #link(socket: SocketLike): Link {
    const link: Link = {
      socket,
      channels: new Map(),
      sent: new Map(),
      heardAt: this.#clock.now(),
      timer: undefined,
    };
    this.#links.set(socket, link);
    this.#listen(link);
    return link;
  }

  /** Ends the connection after a silence. */
  #listen(link: Link): void {
    const leftMs = link.heardAt + silenceMs - this.#clock.now();
    if (leftMs > 0) link.timer = this.#clock.setTimeout(() => this.#listen(link), leftMs);
    else {
      // A silent connection may take long to close. The transport handles it as closed.
      link.socket.onclose?.({ code: 1006, reason: "silence" } as never);
      this.#lose(link);
    }
  }

  #lose(link: Link): void {
    this.#forget(link);
    for (const channel of link.channels.values()) {
      channel.isLost = true;
      channel.receiver?.lost();
    }
  }

  #forget(link: Link): void {
    this.#links.delete(link.socket);
    this.#clock.clearTimeout(link.timer);
  }

  #subscribed(
    link: Link,
    channel: Channel,
    { subscription, cursor }: { subscription: string; cursor: string },
  ) {
    return {
      cursor,
      open: (receiver: Receiver) => {
        channel.receiver = receiver;
        for (const [params, length] of channel.early.splice(0)) receiver.receive(params, length);
        if (channel.isLost) receiver.lost();
      },
      ack: (to: string) => {
        channel.acked = to;
        this.#send(link, { method: "subscription.ack", params: { subscription, cursor: to } });
      },
      close: () => {
        if (channel.isLost || link.channels.get(subscription) !== channel) return;
        link.channels.delete(subscription);
        this.#send(link, { method: "unsubscribe", params: { subscription } });
      },
    };
  }

  #send(link: Link, request: Request): void {
    if (this.#links.get(link.socket) !== link) return;
    const id = `watch-${++this.#lastId}`;
    link.sent.set(id, request);
    link.socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...request }));
  }

  #answered(link: Link, id: string, answer: Json): void {
    const request = link.sent.get(id);
    link.sent.delete(id);
    if (!request) return;
    const error = errorIn(answer, { status: 200 });
    const channel = link.channels.get(request.params.subscription);
    if (error?.retryable && request.params.cursor === channel?.acked)
      this.#clock.setTimeout(() => this.#send(link, request), error.retryAfterMs ?? retryMs);
    else if (error && !error.retryable && channel) {
      // The service does not know the subscription.
      link.channels.delete(request.params.subscription);
      channel.isLost = true;
      channel.receiver?.lost();
    }
    if (!error && link.channels.size + link.sent.size === 0) this.#forget(link);
  }
}

/** Before a request is sent again that the service could not take. */
const retryMs = 1000;
