import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { remoteLiteApi } from "../../../server/chain/liteservers/remote-lite-api.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import {
  decodeAnswer,
  encodeAnswer,
  type LiteQuery,
  queryFrom,
} from "../../../shared/ton/tl/lite-functions.js";
import { TlReader } from "../../../shared/ton/tl/tl-reader.js";
import { systemTimers } from "../../../shared/values/timers.js";
import { type AskBytes, byPost, transportBy } from "../http/lite-app.js";

/** A query, its true answer, and the service that gave it. */
export type LiteExchange = {
  readonly query: LiteQuery;
  /** The answer's bytes in TL. */
  readonly bytes: Uint8Array;
  /** The answer's fields; a LiteError of the service rejects. */
  answer(): Record<string, unknown>;
  /** The bytes of another answer to the same query. */
  encode(answer: object): Uint8Array;
  /** The honest service. */
  readonly service: LiteApi;
};

/** Makes the bytes of a false answer; `undefined` lets the true one pass. */
export type LiteLie = (exchange: LiteExchange) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** A broken response: without its second half, without an end, of this many bytes, without a beginning, or without JSON. */
type BrokenAnswer = "cut" | "endless" | { bytes: number } | "silent" | "noise";

type Call = { method?: string; params?: { query?: string }; id?: unknown };
type Answered = { result?: { answer: string }; id?: unknown };

/** Stands before a tonwire and changes its answers to `lite.query`, on the test's command. All else passes unchanged. */
export class LyingTonwire {
  /** The false answers from now on; none by default. */
  lie: LiteLie | undefined;
  /** Breaks responses with answers to `lite.query` from now on. */
  breaks: BrokenAnswer | undefined;
  /** Functions of the queries that have come. */
  readonly asked: string[] = [];
  /** Number of false answers given. */
  lies = 0;
  readonly #server: Server;
  readonly #target: string;
  readonly #service: LiteApi;

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    this.#service = serviceAt(target);
    server.on("request", (request, response) => {
      this.#serve(request, response).catch((error) => response.destroy(error));
    });
  }

  /** `target`: the URL of a service. It ends with the test, or by `close`. */
  static async before(target: string): Promise<LyingTonwire> {
    const proxy = await LyingTonwire.lasting(target);
    onTestFinished(() => proxy.close());
    return proxy;
  }

  /** One for several tests; the owner must `close` it. */
  static async lasting(target: string): Promise<LyingTonwire> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new LyingTonwire(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const honest = await fetch(this.#target + request.url, {
      method: request.method!,
      headers: { ...(headers as Record<string, string>), "accept-encoding": "identity" },
      ...(body.length > 0 && { body }),
    });
    const bytes = Buffer.from(await honest.arrayBuffer());
    const changed = request.url === "/api/lite/v1" ? this.#changed(body, bytes) : this.#inJson(body, bytes);
    const told = honest.ok ? await changed : undefined;
    for (const [name, value] of honest.headers)
      if (name !== "content-length" && name !== "transfer-encoding" && name !== "connection")
        response.setHeader(name, value);
    response.statusCode = honest.status;
    if (told && this.breaks) breakOff(response, Buffer.from(told), this.breaks);
    else response.end(told ?? bytes);
  }

  /** The answers of a JSON-RPC message; `undefined` if it has no query. */
  async #inJson(body: Buffer, bytes: Buffer): Promise<Buffer | undefined> {
    const message = parsed(body) as Call | Call[] | undefined;
    const calls = [message ?? []].flat().filter(({ method }) => method === "lite.query");
    if (calls.length === 0) return undefined;
    const answers = parsed(bytes) as Answered | Answered[];
    for (const answer of [answers].flat()) {
      const call = calls.find(({ id }) => id === answer.id);
      if (!call || !answer.result) continue;
      const query = Buffer.from(call.params!.query!, "base64");
      const told = await this.#changed(query, Buffer.from(answer.result.answer, "base64"));
      answer.result.answer = Buffer.from(told).toString("base64");
    }
    return Buffer.from(JSON.stringify(answers));
  }

  async #changed(asked: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
    const query = functionIn(asked);
    this.asked.push(query.method);
    const told = await this.lie?.({
      query,
      bytes,
      answer: () => decodeAnswer(query, bytes) as Record<string, unknown>,
      encode: (answer) => encodeAnswer(query, answer),
      service: this.#service,
    });
    if (told && !Buffer.from(told).equals(bytes)) this.lies++;
    return told ?? bytes;
  }
}

/** The LiteApi of a tonwire, by its URL. */
export function serviceAt(url: string, ask: AskBytes = byPost({ url })): LiteApi {
  return remoteLiteApi(transportBy(ask), systemTimers);
}

function functionIn(asked: Uint8Array): LiteQuery {
  const reader = new TlReader(asked);
  const first = wire.read(reader);
  return queryFrom(first.name === "liteServer.waitMasterchainSeqno" ? wire.read(reader) : first);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function breakOff(response: ServerResponse, told: Buffer, breaks: BrokenAnswer): void {
  if (breaks === "silent") return;
  if (breaks === "noise") {
    response.end(Buffer.alloc(told.length, "?"));
    return;
  }
  if (breaks === "cut") {
    response.setHeader("Content-Length", told.length);
    response.write(told.subarray(0, told.length >> 1), () => response.destroy());
    return;
  }
  const start = told.subarray(0, told.length >> 1);
  const bytes = breaks === "endless" ? Number.POSITIVE_INFINITY : breaks.bytes;
  // As fast as the client reads, until it goes.
  pipeline(Readable.from(filledUp(start, bytes)), response, () => {});
}

const filling = Buffer.alloc(64 * 1024, "A");

function* filledUp(start: Buffer, bytes: number): Generator<Buffer> {
  yield start;
  for (let left = bytes - start.length; left > 0; left -= filling.length)
    yield filling.subarray(0, Math.min(left, filling.length));
}
