import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { verifyWebhook, type WebhookDelivery } from "../../../client/webhooks/index.js";

/** A request to a receiver. */
type Received = { headers: IncomingMessage["headers"]; body: string; path: string };

/** Answers a request; its delivery is taken only if the status is 2xx. */
export type Answer = (response: ServerResponse, request: Received) => void;

export const ok: Answer = (response) => void response.writeHead(200).end("ok");

/** A server that receives deliveries of webhooks. */
export class Receiver {
  readonly requests: Received[] = [];
  /** Requests that are being answered. */
  open = 0;
  answer: Answer = ok;
  readonly #server = createServer((request, response) => {
    this.open++;
    response.once("close", () => this.open--);
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("error", () => {});
    request.socket.on("error", () => {});
    request.on("end", () => {
      const received = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        path: request.url!,
      };
      this.requests.push(received);
      this.answer(response, received);
    });
  });

  /** Listens on a free port, or again on the one that it had. */
  async listen(port = 0): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** As a process that is killed. */
  async kill(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.closeAllConnections();
    this.#server.close();
    await closed;
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.listen();
    onTestFinished(() => receiver.kill().catch(() => {}));
    return receiver;
  }
}

/** A receiver that takes events as documented: it skips events it has, by the ids of records. */
export class Ledger {
  /** All events with a cursor, each time that they were taken. */
  readonly taken: { id: string; webhook: string; seqno: number | undefined }[] = [];
  readonly deliveries: WebhookDelivery[] = [];
  readonly #secrets: (webhook: string) => string;
  readonly #now: () => number;

  constructor(secrets: (webhook: string) => string, now: () => number = Date.now) {
    this.#secrets = secrets;
    this.#now = now;
  }

  /** Takes a request whose signature is right; throws for any other one. */
  async take({ headers, body }: Received): Promise<WebhookDelivery> {
    const secret = this.#secrets(String(headers["tonwire-webhook"]));
    const delivery = await verifyWebhook({ headers, body }, secret, { now: this.#now });
    this.deliveries.push(delivery);
    for (const { id, cursor, event } of delivery.events) {
      if (cursor === undefined || event.type === "reverted") continue;
      const seqno = event.type === "block" ? event.block.seqno : undefined;
      this.taken.push({ id: id ?? cursor, webhook: delivery.webhook, seqno });
    }
    return delivery;
  }

  /** Seqnos of the blocks of a webhook, each once, in the order in which they came first. */
  blocks(webhook: string): number[] {
    const seqnos = this.taken.filter((each) => each.webhook === webhook).map(({ seqno }) => seqno!);
    return [...new Set(seqnos)];
  }
}
