import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallOptions } from "../../shared/methods/define.js";
import type { Caller } from "../access/access.js";
import type { CallContext } from "../rpc/dispatch.js";
import { compress, compressFromBytes } from "./compress.js";
import { type HeaderList, header } from "./headers.js";
import { readOptions } from "./options.js";

/** One request and its answer: what the routes need of both, and who is calling. */
export class Exchange implements CallContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly search: string;
  caller: Caller | undefined;
  /** Begins every answer. */
  readonly head: HeaderList;
  #extraHead: Readonly<Record<string, string>> = none;
  /** `RateLimit` and its companions, as the last point taken left them. */
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

  /** Read when a method wants them, which those of v2 do not. */
  get options(): CallOptions {
    this.#options ??= readOptions(this.request, this.search);
    return this.#options;
  }

  /** Made when somebody has to wait, which cached answers do not. */
  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.response);
    return this.#gone;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#extraHead = { ...this.#extraHead, ...headers };
  }

  /** Answers with a text, compressed where that pays. */
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

  /** Answers without a body. */
  sendEmpty(status: number, headers: HeaderList = []): void {
    this.response.writeHead(status, this.#startHead(...headers)).end();
  }

  /** Starts an answer whose length is not known. */
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

export type Target = { readonly path: string; readonly search: string };

/** Path and query of a request line; the absolute form that proxies send is taken too. */
export function targetOf(url: string): Target {
  const relative = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  if (mark < 0) return { path: relative || "/", search: "" };
  return { path: relative.slice(0, mark) || "/", search: relative.slice(mark + 1) };
}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // Every call of a batch may be waiting for it.
  setMaxListeners(0, controller.signal);
  const close = () => {
    if (!response.writableFinished) controller.abort(new Error("the client has gone"));
  };
  if (response.destroyed) close();
  else response.once("close", close);
  return controller.signal;
}
