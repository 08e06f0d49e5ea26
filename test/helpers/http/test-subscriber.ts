import type { Notification, TonNotification } from "../../../shared/schema/streams/subscription-events.js";
import { until } from "../until.js";
import { openSocket } from "./socket.js";

export type Params = Notification["params"];
type Answer = { id: number; result?: unknown; error?: { code: number; message: string; data: object } };
type Started = { subscription: string; cursor: string; head: { seqno: number; gen_utime: number } };

/** A client of subscriptions over WebSocket that remembers everything it was sent. */
export class TestSubscriber {
  readonly socket: Awaited<ReturnType<typeof openSocket>>;
  /** All messages in the order of their arrival. */
  readonly messages: (Answer | Notification | TonNotification)[] = [];
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(socket: Awaited<ReturnType<typeof openSocket>>) {
    this.socket = socket;
    socket.raw.on("message", (data) => {
      const message: Answer | Notification | TonNotification = JSON.parse(String(data));
      this.messages.push(message);
      if ("id" in message) this.#waiting.get(message.id)?.(message);
    });
  }

  static async open(url: string, key?: string, path = "/jsonRPC"): Promise<TestSubscriber> {
    return new TestSubscriber(await openSocket(url, { path, headers: key ? { "x-api-key": key } : {} }));
  }

  /** The answer to a call. */
  async ask(method: string, params: object): Promise<Answer> {
    const id = ++this.#lastId;
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.socket.send({ jsonrpc: "2.0", id, method, params });
    const closed = this.socket.closed.then(({ code, reason }) => {
      throw new Error(`the connection ended before the answer to ${method}: ${code} ${reason}`);
    });
    return Promise.race([answer, closed]);
  }

  /** The result of a call; fails the test if it is refused. */
  async run<T>(method: string, params: object): Promise<T> {
    const answer = await this.ask(method, params);
    if (answer.error) throw new Error(`${method} is refused: ${JSON.stringify(answer.error)}`);
    return answer.result as T;
  }

  subscribe(params: object): Promise<Started> {
    return this.run("subscribe", params);
  }

  /** Events of all subscriptions. */
  get params(): Params[] {
    return this.messages.flatMap((each) => ("params" in each ? [placedIn(each)] : []));
  }

  /** Events of a subscription. */
  of(subscription: string): Params[] {
    return this.params.filter((params) => params.subscription === subscription);
  }

  /** Its events of a type. */
  events(subscription: string, type: string): Params[] {
    return this.of(subscription).filter(({ event }) => event.type === type);
  }

  /** Waits until a subscription has some events of a type. */
  async has(subscription: string, type: string, count = 1): Promise<Params[]> {
    return until(
      () => `${count} of ${type}: ${JSON.stringify(this.of(subscription)).slice(0, 2000)}`,
      () => {
        const found = this.events(subscription, type);
        return found.length >= count && found;
      },
    );
  }

  close(): void {
    this.socket.raw.terminate();
  }
}

/** The params of both forms of notifications, in the form of `subscription`. */
function placedIn(notification: Notification | TonNotification): Params {
  if (notification.method === "subscription") return notification.params;
  const { subscription, result } = notification.params;
  return { subscription, ...result };
}
