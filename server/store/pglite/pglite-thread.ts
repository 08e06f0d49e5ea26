import { once } from "node:events";
import { Duplex } from "node:stream";
import type { Worker } from "node:worker_threads";
import { joinBytes } from "../../../shared/values/join-bytes.js";
import type { Fallback } from "../../observe/fallback.js";
import { startWorker } from "../../os/worker.js";
import type { KeptImage } from "../database.js";
import type { FromPglite, PgliteConfig, ToPglite } from "./pglite-protocol.js";

/** Most of what the engine has is not in this heap, which would otherwise keep 30 MB for short-lived objects. */
const maxYoungGenerationSizeMb = 6;

type ThreadOptions = { signal?: AbortSignal | undefined; fallback?: Fallback | undefined };

/** The worker thread of a PGlite. Sessions are streams that `pg` connects to. */
export class PgliteThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #fallback: Fallback | undefined;
  #session: PgliteStream | undefined;
  #lastId = 0;
  #ended: Error | undefined;

  private constructor(worker: Worker, fallback: Fallback | undefined) {
    this.#worker = worker;
    this.#fallback = fallback;
    this.#exited = new Promise((resolve) => worker.once("exit", () => resolve()));
    worker.on("message", (message: FromPglite) => this.#take(message));
    worker.on("error", (error) => this.#end(error));
    worker.on("exit", () => this.#end(new Error("the thread of the database has ended")));
  }

  /** Starting takes seconds; the signal aborts it. */
  static async start(workerData: PgliteConfig, { signal, fallback }: ThreadOptions): Promise<PgliteThread> {
    signal?.throwIfAborted();
    const worker = startWorker(import.meta.url, "pglite-worker", {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    const thread = new PgliteThread(worker, fallback);
    const stop = () => void worker.terminate();
    signal?.addEventListener("abort", stop);
    const failed = once(worker, "error").then(([error]) => Promise.reject(error));
    // Awaited below; this only avoids an unhandled rejection.
    failed.catch(() => {});
    await Promise.race([once(worker, "message"), thread.#exited, failed]);
    signal?.removeEventListener("abort", stop);
    if (thread.#ended) throw thread.#ended;
    return thread;
  }

  /** Opens a new session. The session before receives nothing more. */
  connect(): Duplex {
    const session = new PgliteStream(++this.#lastId, (message, moved) => this.#post(message, moved));
    this.#session = session;
    if (this.#ended) session.destroy(this.#ended);
    return session;
  }

  /** Keeps an image of what was committed before. Nothing depends on it. */
  keep(image: KeptImage): void {
    this.#post({ type: "keep", ...image });
  }

  async close(): Promise<void> {
    this.#post({ type: "close" });
    this.#ended ??= new Error("the database is closed");
    await this.#exited;
  }

  #post(message: ToPglite, moved: ArrayBuffer[] = []): void {
    if (!this.#ended) this.#worker.postMessage(message, moved);
  }

  #take(message: FromPglite): void {
    if (message.type === "failed") this.#session?.destroy(new Error(message.message));
    else if (message.type === "fallback") this.#fallback?.(message.reason, new Error(message.message));
    else if (message.type !== "ready" && message.id === this.#session?.id) this.#session.receive(message);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#session?.destroy(this.#ended);
  }
}

type ToSession = Extract<FromPglite, { id: number }>;

/** `moved` buffers are transferred to the other thread instead of being copied. */
type Send = (message: ToPglite, moved?: ArrayBuffer[]) => void;

const terminate = 0x58;
/** AuthenticationOk, ReadyForQuery (idle): the whole answer to a StartupMessage. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** One session as the socket that `pg` expects. Writes while it is corked reach the engine in one piece. */
class PgliteStream extends Duplex {
  readonly id: number;
  readonly #send: Send;
  #written: ((error?: Error | null) => void) | undefined;
  #started = false;

  constructor(id: number, send: Send) {
    super({ allowHalfOpen: false });
    this.id = id;
    this.#send = send;
  }

  receive(message: ToSession): void {
    if (message.type === "bytes") this.push(message.bytes);
    else {
      if (message.type === "opened") this.push(welcome);
      const written = this.#written;
      this.#written = undefined;
      written?.();
    }
  }

  // Methods of a socket that `pg` calls.
  connect(): this {
    queueMicrotask(() => this.emit("connect"));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(bytes: Uint8Array, _encoding: string, written: (error?: Error | null) => void): void {
    this._writev([{ chunk: bytes }], written);
  }

  override _writev(chunks: { chunk: Uint8Array }[], written: (error?: Error | null) => void): void {
    const bytes = joinBytes(chunks.map(({ chunk }) => chunk));
    if (bytes[0] === terminate) {
      written();
      return;
    }
    this.#written = written;
    if (this.#started) this.#send({ type: "bytes", id: this.id, bytes }, [bytes.buffer]);
    else this.#send({ type: "open", id: this.id });
    this.#started = true;
  }
}
