import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallOptions } from "../../shared/methods/define.js";
import type { Caller } from "../access/access.js";
import type { CallContext } from "../rpc/dispatch.js";
import { compress, compressFromBytes } from "./compress.js";
import { devnetRefusal } from "./devnet-refusal.js";
import { type HeaderList, header } from "./headers.js";
import { readOptions } from "./options.js";

/** One HTTP request and its answer, with the caller once identified. */
export class Exchange implements CallContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** Raw query string without `?`. */
  readonly search: string;
  caller: Caller | undefined;
  /** Headers common to all answers. */
  readonly head: HeaderList;
  #extraHead: Readonly<Record<string, string>> = none;
  /** Rate limit headers after the last charge. */
  limitHeaders: Readonly<Record<string, string>> = none;
  #options: CallOptions | undefined;
  #gone: AbortSignal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, target: Target, head: HeaderList) {
    this.request = request;
    this.response = response;
    this.path = target.path;
    this.search = target.search;
    this.head = head;
  }

  get callerId(): string | undefined {
    return this.caller?.id;
  }

  /** Request options, parsed on first use; v2 methods do not need them. */
  get options(): CallOptions {
    this.#options ??= readOptions(this.request, this.search);
    return this.#options;
  }

  /** Aborted when the client disconnects. Created on first use; cached answers do not need it. */
  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.response);
    return this.#gone;
  }

  get devnetRefusal(): string | undefined {
    return devnetRefusal(this.request, this.caller);
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#extraHead = { ...this.#extraHead, ...headers };
  }

  /** Sends an answer, compressed if it is long enough. */
  send(status: number, body: string, type = "application/json; charset=utf-8"): void | Promise<void> {
    const head = this.#startHead("Cache-Control", "no-store", "Content-Type", type);
    if (body.length >= compressFromBytes) return this.#sendLong(status, head, body);
    head.push("Content-Length", String(Buffer.byteLength(body)));
    this.response.writeHead(status, head).end(body);
  }

  async #sendLong(status: number, head: string[], body: string): Promise<void> {
    const compressed = await compress(body, header(this.request, "accept-encoding"));
    const bytes = compressed?.bytes ?? body;
    head.push("Vary", "Accept-Encoding");
    if (compressed) head.push("Content-Encoding", compressed.encoding);
    head.push("Content-Length", String(Buffer.byteLength(bytes)));
    this.response.writeHead(status, head).end(bytes);
  }

  /** Sends an answer without a body. */
  sendEmpty(status: number, headers: HeaderList = []): void {
    this.response.writeHead(status, this.#startHead(...headers)).end();
  }

  /** Starts a streamed answer of unknown length. */
  startStream(type: string): void {
    const unbuffered = ["X-Accel-Buffering", "no"];
    this.response.writeHead(
      200,
      this.#startHead("Cache-Control", "no-store", "Content-Type", type, ...unbuffered),
    );
  }

  #startHead(...more: readonly string[]): string[] {
    const head = this.head.concat(more);
    for (const name in this.#extraHead) head.push(name, this.#extraHead[name]!);
    for (const name in this.limitHeaders) head.push(name, this.limitHeaders[name]!);
    return head;
  }
}

const none: Readonly<Record<string, string>> = {};

/** The parts of a request target; `search` has no `?`. */
export type Target = { readonly path: string; readonly search: string };

/** Splits a request target into path and query. Accepts the absolute form that proxies send. */
export function targetOf(url: string): Target {
  const relative = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  if (mark < 0) return { path: relative || "/", search: "" };
  return { path: relative.slice(0, mark) || "/", search: relative.slice(mark + 1) };
}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // Every call of a batch may add a listener.
  setMaxListeners(0, controller.signal);
  const close = () => {
    if (!response.writableFinished) controller.abort(new Error("the client has gone"));
  };
  if (response.destroyed) close();
  else response.once("close", close);
  return controller.signal;
}
