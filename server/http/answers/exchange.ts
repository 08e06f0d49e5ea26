import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { CallOptions } from "../../../shared/methods/define.js";
import { type Json, SingleUseJson } from "../../../shared/methods/json-text.js";
import type { Access, Caller } from "../../access/access.js";
import { type Allowance, type AnswerBudget, longBytes } from "../../rpc/answers/answer-budget.js";
import { cut, type Pieces, wholeBytes } from "../../rpc/answers/answer-pieces.js";
import { pointsOfLength } from "../../rpc/call-points.js";
import { Cancellation } from "../../rpc/cancellation.js";
import type { CallContext } from "../../rpc/dispatch.js";
import type { QueryPairs } from "../../rpc/params/params.js";
import { readOptions } from "../options.js";
import { chooseEncoding, compress, compressFromBytes, createCompressor, type Encoding } from "./compress.js";
import { type HeaderList, header } from "./headers.js";
import { indexHeader, SeenIndex, seenIndexIn } from "./seen-index.js";

/** The parts of an exchange. */
type ExchangeParts = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  /** Parameters in the path. */
  readonly inPath?: QueryPairs | undefined;
  /** Headers common to all answers. */
  readonly head: HeaderList;
  readonly budget: AnswerBudget;
};

const json = "application/json; charset=utf-8";

/** One HTTP request and its answer, with the caller once identified. */
export class Exchange implements CallContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** Raw query string without `?`. */
  readonly search: string;
  /** Parameters in the path. */
  readonly inPath: QueryPairs | undefined;
  /** How long others may keep the answer. */
  cacheControl = "no-store";
  caller: Caller | undefined;
  refusesUnknownParams = false;
  /** Points for the length of the body that are not charged yet. */
  #bodyPoints = 0;
  /** Charges the caller, once it is identified. */
  access: Pick<Access, "settle"> | undefined;
  /** Headers common to all answers. */
  readonly head: HeaderList;
  #extraHead: Readonly<Record<string, string>> = none;
  readonly #seen = new SeenIndex();
  /** Rate limit headers after the last charge. */
  limitHeaders: Readonly<Record<string, string>> = none;
  #options: CallOptions | undefined;
  #gone: Cancellation | undefined;
  #allowance: Allowance | undefined;
  readonly #budget: AnswerBudget;

  constructor({ request, response, target, inPath, head, budget }: ExchangeParts) {
    this.request = request;
    this.response = response;
    this.path = target.path;
    this.search = target.search;
    this.inPath = inPath;
    this.head = head;
    this.#budget = budget;
  }

  /** The caller, who has been identified. */
  get knownCaller(): Caller {
    if (!this.caller) throw new TypeError("the caller is not identified yet");
    return this.caller;
  }

  get callerId(): string | undefined {
    return this.caller?.id;
  }

  get plan(): string | undefined {
    return this.caller?.plan.name;
  }

  get keyId(): string | undefined {
    return this.caller?.keyId;
  }

  get owner(): string | undefined {
    return this.caller?.owner;
  }

  get unlimited(): boolean {
    return this.caller !== undefined && this.caller.plan.limit === undefined;
  }

  /** Request options, parsed on first use; v2 methods do not need them. */
  get options(): CallOptions {
    this.#options ??= readOptions(this.request, this.search);
    return this.#options;
  }

  get requestId(): string | undefined {
    const id = header(this.request, "x-request-id");
    return id !== undefined && requestIds.test(id) ? id : undefined;
  }

  get seenIndex(): number | undefined {
    return seenIndexIn(this.request);
  }

  sawIndex(seqno: number): void {
    this.#seen.saw(seqno);
    this.addHeaders(indexHeader(this.#seen));
  }

  /** Cancelled when the client disconnects. Created on first use; cached answers do not need it. */
  get gone(): Cancellation {
    this.#gone ??= goneOf(this);
    return this.#gone;
  }

  settle(points: number): void {
    if (this.caller) void this.access?.settle(this.caller, points);
  }

  /** Notes the length of a body that is going to be parsed. */
  received(bytes: number): void {
    this.#bodyPoints += pointsOfLength(bytes);
  }

  /** Points for the body, once: the request is not refused for them, so they are charged after the points of its calls. */
  takeBodyPoints(): number {
    const points = this.#bodyPoints;
    this.#bodyPoints = 0;
    return points;
  }

  get devnetRefusal(): string | undefined {
    return this.caller ? this.caller.devnetRefusal : "its sender is unknown";
  }

  get permit(): Caller["permit"] {
    return this.caller?.permit;
  }

  get isLocal(): Caller["isLocal"] {
    return this.caller?.isLocal;
  }

  /** Memory that the answer takes until it is written. Created on first use; short answers do not need it. */
  get allowance(): Allowance {
    this.#allowance ??= this.#openAllowance();
    return this.#allowance;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    // Most answers get headers from one place at most.
    this.#extraHead = this.#extraHead === none ? headers : { ...this.#extraHead, ...headers };
  }

  /** Sends an answer, compressed if it is long enough, and in pieces if it is long. */
  send(status: number, body: Json, type = json): void | Promise<void> {
    if (!this.#hasRoomToWait(body)) return;
    if (typeof body !== "string" || body.length >= compressFromBytes)
      return this.#sendLong(status, body, type);
    const head = this.#startHead("Cache-Control", this.cacheControl, "Content-Type", type);
    const bytes = Buffer.byteLength(body);
    head.push("Content-Length", String(bytes));
    // ASCII has the same bytes in both, and Node writes Latin-1 without measuring the text again.
    this.response.writeHead(status, head).end(body, bytes === body.length ? "latin1" : "utf8");
  }

  #sendLong(status: number, body: Json, type: string): Promise<void> {
    const write = (bytes: Uint8Array) => this.#sendBytes(status, bytes, type);
    // Node has passed on all of an answer when it closes.
    if (body instanceof SingleUseJson)
      return body.writeTo({ write, onceWritten: (notify) => this.onceClosed(notify) });
    return write(typeof body === "string" ? Buffer.from(body) : body.bytes);
  }

  async #sendBytes(status: number, body: Uint8Array, type: string): Promise<void> {
    const whole = body.length < wholeBytes;
    const encoding = this.#encoding();
    const head = this.#startLongHead(type, encoding);
    const bytes = whole && encoding ? await compress(body, encoding) : body;
    if (whole || !encoding) head.push("Content-Length", String(bytes.length));
    this.response.writeHead(status, head);
    if (whole) this.response.end(bytes);
    else await this.#write(cut(bytes), encoding);
  }

  /** Sends an answer of unknown length, compressed, as fast as the client reads. */
  sendPieces(pieces: Pieces): Promise<void> {
    const encoding = this.#encoding();
    this.response.writeHead(200, this.#startLongHead(json, encoding));
    return this.#write(pieces, encoding);
  }

  /** Sends pieces as they come, uncompressed and not buffered by proxies. */
  sendStream(pieces: Pieces, type: string): Promise<void> {
    const unbuffered = ["X-Accel-Buffering", "no"];
    this.response.writeHead(
      200,
      this.#startHead("Cache-Control", "no-store", "Content-Type", type, ...unbuffered),
    );
    return this.#write(pieces);
  }

  /**
   * Begins an answer of unlimited length, uncompressed and not buffered by proxies. It lasts until the sender or the
   * receiver ends it.
   */
  startStream(type: string): ServerResponse {
    const forever = ["Cache-Control", "no-cache", "Connection", "keep-alive", "X-Accel-Buffering", "no"];
    this.response.writeHead(200, this.#startHead("Content-Type", type, ...forever));
    this.response.socket?.setNoDelay(true);
    return this.response;
  }

  /** Notifies once when the answer was written, or its connection is lost. */
  onceClosed(notify: () => void): void {
    onceClosed(this.request, this.response, notify);
  }

  /** Sends an answer without a body. */
  sendEmpty(status: number, headers: HeaderList = []): void {
    this.response.writeHead(status, this.#startHead(...headers)).end();
  }

  /**
   * Counts a short answer that waits behind others that a pipelining client does not read. Cuts the connection if there
   * is no room: the client has sent hundreds of requests by then.
   */
  #hasRoomToWait(body: Json): boolean {
    const { socket } = this.request;
    const waits = this.response.socket === null && socket.writableLength > 0;
    if (!waits || body.length >= longBytes) return true;
    const hasRoom = this.allowance.take(body.length) === undefined;
    if (!hasRoom) socket.destroy();
    return hasRoom;
  }

  /** A client that disconnects is no error. */
  async #write(pieces: Pieces | Iterable<Uint8Array>, encoding?: Encoding): Promise<void> {
    const { response, gone } = this;
    const options = { signal: gone.signal };
    try {
      if (encoding) await pipeline(pieces, createCompressor(encoding), response, options);
      else await pipeline(pieces, response, options);
    } catch (error) {
      if (!gone.isCancelled) throw error;
    }
  }

  #encoding(): Encoding | undefined {
    return chooseEncoding(header(this.request, "accept-encoding"));
  }

  #openAllowance(): Allowance {
    const allowance = this.#budget.open(this.callerId ?? "");
    onceClosed(this.request, this.response, () => allowance.close());
    return allowance;
  }

  #startLongHead(type: string, encoding: Encoding | undefined): string[] {
    const head = this.#startHead("Cache-Control", this.cacheControl, "Content-Type", type);
    head.push("Vary", "Accept-Encoding");
    if (encoding) head.push("Content-Encoding", encoding);
    return head;
  }

  #startHead(...more: readonly string[]): string[] {
    const head = this.head.concat(more);
    for (const name in this.#extraHead) head.push(name, this.#extraHead[name]!);
    for (const name in this.limitHeaders) head.push(name, this.limitHeaders[name]!);
    return head;
  }
}

const none: Readonly<Record<string, string>> = {};
/** Ids of requests that are taken over, as nginx and others make them. */
const requestIds = /^[\w-]{8,64}$/;

/** The parts of a request target; `search` has no `?`. */
export type Target = { readonly path: string; readonly search: string };

/** Splits a request target into path and query. Accepts the absolute form that proxies send. */
export function targetOf(url: string): Target {
  const relative = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  if (mark < 0) return { path: relative || "/", search: "" };
  return { path: relative.slice(0, mark) || "/", search: relative.slice(mark + 1) };
}

function goneOf({ request, response }: Exchange): Cancellation {
  const gone = new Cancellation();
  onceClosed(request, response, () => {
    if (!response.writableFinished) gone.cancel(new Error("the client has gone"));
  });
  return gone;
}

/**
 * Notifies once when the response was written or its connection is lost. Node does not close responses that wait
 * behind others of a pipelining client, so the connection is watched as well.
 */
function onceClosed({ socket }: IncomingMessage, response: ServerResponse, notify: () => void): void {
  const close = () => {
    response.off("close", close);
    socket.off("close", close);
    notify();
  };
  if (response.destroyed || socket.destroyed) {
    close();
    return;
  }
  // A pipelining client adds listeners for each of its requests.
  setMaxListeners(0, socket);
  response.once("close", close);
  socket.once("close", close);
}
