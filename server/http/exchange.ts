import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallOptions } from "../../shared/methods/define.js";
import type { Caller } from "../access/access.js";
import { type CallContext, noOptions } from "../rpc/dispatch.js";
import { compress, compressFromBytes } from "./compress.js";
import type { HeaderList } from "./headers.js";

/** One request and its answer: what the routes need of both, and who is calling. */
export class Exchange implements CallContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly search: string;
  caller: Caller | undefined;
  options: CallOptions = noOptions;
  /** Begins every answer. */
  readonly #head: HeaderList;
  readonly #extraHead: string[] = [];
  /** `RateLimit` and its companions, as the last point taken left them. */
  limitHeaders: Readonly<Record<string, string>> = noHeaders;
  #gone: AbortSignal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, target: Target, head: HeaderList) {
    this.request = request;
    this.response = response;
    this.path = target.path;
    this.search = target.search;
    this.#head = head;
  }

  get callerId(): string | undefined {
    return this.caller?.id;
  }

  /** Made when somebody has to wait, which cached answers do not. */
  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.response);
    return this.#gone;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.#extraHead.push(name, headers[name]!);
  }

  /** Answers with a text, compressed where that pays. */
  async send(status: number, body: string, type = "application/json; charset=utf-8"): Promise<void> {
    const long = body.length >= compressFromBytes;
    const compressed = long ? await compress(body, header(this.request, "accept-encoding")) : undefined;
    const bytes = compressed?.bytes ?? body;
    const head = [...this.#head, "Cache-Control", "no-store", ...this.#found(), "Content-Type", type];
    if (long) head.push("Vary", "Accept-Encoding");
    if (compressed) head.push("Content-Encoding", compressed.encoding);
    head.push("Content-Length", String(Buffer.byteLength(bytes)));
    this.response.writeHead(status, head).end(bytes);
  }

  /** Answers without a body. */
  sendEmpty(status: number, headers: HeaderList = []): void {
    this.response.writeHead(status, [...this.#head, ...this.#found(), ...headers]).end();
  }

  /** Starts an answer whose length is not known. */
  startStream(type: string): void {
    const head = ["Cache-Control", "no-store", "Content-Type", type, "X-Accel-Buffering", "no"];
    this.response.writeHead(200, [...this.#head, ...this.#found(), ...head]);
  }

  /** Headers found out on the way. */
  #found(): HeaderList {
    if (this.limitHeaders === noHeaders) return this.#extraHead;
    return [...this.#extraHead, ...Object.entries(this.limitHeaders).flat()];
  }
}

const noHeaders: Readonly<Record<string, string>> = {};

export type Target = { readonly path: string; readonly search: string };

/** Path and query of a request line; the absolute form that proxies send is taken too. */
export function targetOf(url: string): Target {
  const relative = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  if (mark < 0) return { path: relative || "/", search: "" };
  return { path: relative.slice(0, mark) || "/", search: relative.slice(mark + 1) };
}

/** A header that is to be there once. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const close = () => {
    if (!response.writableFinished) controller.abort(new Error("the client has gone"));
  };
  if (response.destroyed) close();
  else response.once("close", close);
  return controller.signal;
}
