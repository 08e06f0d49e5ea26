import { notReached, RpcError } from "../errors.js";
import { type Json, notOurs } from "./answer.js";
import { answerTooLarge } from "./read-body.js";
import type { SocketLike, TransportContext } from "./transport.js";

/** Opens a connection. Only Node can send the key as a header. */
export type OpenSocket = (
  target: URL,
  options: Pick<TransportContext, "apiKey" | "maxAnswerBytes">,
) => SocketLike;

/** Makes the error for a connection that a service refused; `undefined` if it cannot find out why. */
export type Refused = (cause: unknown, target: URL) => Promise<RpcError | undefined> | RpcError;

/** How a connection is opened, and what it calls. */
type ConnectionSetup = TransportContext & {
  /** Address of the service; http and https become ws and wss. */
  readonly url: string;
  /** Silence before a ping; without an answer the connection ends after as long again. */
  readonly silenceMs: number;
  /** Opens the socket. */
  readonly open: OpenSocket;
  /** Finds out why a connection was refused. */
  readonly refused: Refused;
  /** Called for each answer. May throw if the answer is no JSON-RPC. */
  readonly take: (answer: Json) => void;
  /** Called once, also if the connection never opened. */
  readonly closed: (error: RpcError) => void;
};

/** One WebSocket from the attempt to open it until it is closed, lost or refused. */
export class SocketConnection {
  /** Rejected if the connection ends before it is open. */
  declare readonly opened: Promise<SocketLike>;
  /** The socket, once it is open. */
  declare live: SocketLike | undefined;
  readonly #setup: ConnectionSetup;
  #failed!: (error: RpcError) => void;
  #socket: SocketLike | undefined;
  #hasEnded?: boolean;
  #timer: unknown;
  #lastReceived = 0;

  /** Opens immediately without `delayMs`, so that the first call does not pay for a timer. */
  constructor(setup: ConnectionSetup, delayMs: number | undefined) {
    this.#setup = setup;
    this.opened = new Promise((opened, failed) => {
      this.#failed = failed;
      const open = () => this.#open(opened);
      if (delayMs === undefined) open();
      else this.#wait(delayMs, open);
    });
  }

  /** Closes the connection, or stops the attempt to open it. Without effect if that has happened. */
  close(error: RpcError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#setup.clock.clearTimeout(this.#timer);
    this.#failed(error);
    this.#setup.closed(error);
    if (!this.#socket) return;
    this.#setup.heard?.(this.#socket);
    this.#socket.close();
  }

  /** Runs `next` after `ms`, in place of what was to run before. */
  #wait(ms: number, next: () => void): void {
    const { clock } = this.#setup;
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(next, ms);
  }

  #open(opened: (socket: SocketLike) => void): void {
    const { clock, url, silenceMs, open, refused } = this.#setup;
    let cause: unknown;
    try {
      const target = new URL(url, globalThis.location?.href);
      target.protocol = target.protocol.replace("http", "ws");
      const socket = open(target, this.#setup);
      this.#socket = socket;
      this.#wait(silenceMs, () => this.close(notConnected("no answer", url)));
      socket.binaryType = "arraybuffer";
      socket.onopen = () => {
        if (this.#hasEnded) return;
        this.live = socket;
        this.#lastReceived = clock.now();
        this.#watch(socket);
        opened(socket);
      };
      socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => {
        if (!this.#hasEnded) this.#receive(data, socket);
      };
      socket.onerror = (event: { message?: string }) => {
        cause = event.message;
      };
      socket.onclose = async ({ code, reason }: { code?: number; reason?: string }) => {
        this.close(
          this.live
            ? lost(`${code} ${reason}`)
            : ((await refused(cause, target)) ?? notConnected(cause, url)),
        );
      };
    } catch (cause) {
      this.close(notConnected(cause, url));
    }
  }

  #receive(data: string | ArrayBuffer, socket: SocketLike): void {
    const { clock, heard, maxAnswerBytes } = this.#setup;
    this.#lastReceived = clock.now();
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    if (text.length > maxAnswerBytes) this.close(answerTooLarge(maxAnswerBytes));
    else
      try {
        for (const answer of [JSON.parse(text)].flat()) {
          heard?.(socket, answer, text.length);
          this.#setup.take(answer);
        }
      } catch {
        // Not JSON, or JSON that throws on access, as `{"toString":1}` does when converted to a string.
        this.close(new RpcError("bad-answer", notOurs, { body: text }));
      }
  }

  /** Pings after `silenceMs` of silence, and ends the connection after as long without an answer. */
  #watch(socket: SocketLike): void {
    const { clock, nextId, silenceMs } = this.#setup;
    const silent = clock.now() - this.#lastReceived;
    const ping = silent >= silenceMs;
    if (silent >= 2 * silenceMs) this.close(lost("no answer"));
    else {
      if (ping) socket.send(`{"jsonrpc":"2.0","id":${nextId()},"method":"rpc.ping"}`);
      this.#wait(ping ? silenceMs : silenceMs - silent, () => this.#watch(socket));
    }
  }
}

function lost(why: string): RpcError {
  return new RpcError("closed", `the connection was lost: ${why}`, { retryable: true });
}

/** The error of a connection that could not be opened: nothing was sent, so the call can be retried. */
export function notConnected(cause: unknown, endpoint: string): RpcError {
  const why = (cause as Error | undefined)?.message ?? cause ?? "refused";
  return notReached(endpoint, why, { cause, unsent: true });
}
