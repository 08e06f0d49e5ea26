import { Duplex } from "node:stream";
import { joinBytes } from "../../../shared/values/bytes.js";
import type { Fallback } from "../../observe/fallback.js";
import { Moved } from "../../os/channel/channel.js";
import { errorOf } from "../../os/channel/failure.js";
import { Thread } from "../../os/channel/thread.js";
import type { KeptImage } from "../database.js";
import type { PgliteConfig, PgliteEvents, PgliteSide } from "./pglite-protocol.js";

/** Most of what the engine has is not in this heap, which would otherwise keep 30 MB for short-lived objects. */
const maxYoungGenerationSizeMb = 6;

type ThreadOptions = { signal?: AbortSignal | undefined; fallback?: Fallback | undefined };

/** The worker thread of a PGlite. Sessions are streams that `pg` connects to. */
export class PgliteThread {
  readonly #thread: Thread<PgliteSide>;
  #session: PgliteStream | undefined;
  #lastId = 0;
  #ended: Error | undefined;

  private constructor(fallback: Fallback | undefined) {
    const handlers: PgliteEvents = {
      bytes: ({ session, bytes }) => {
        if (session === this.#session?.id) this.#session.push(bytes);
      },
      fallback: ({ reason, failure }) => fallback?.(reason, errorOf(failure)),
    };
    this.#thread = new Thread({
      ...{ url: import.meta.url, entry: "pglite-worker", handlers },
      settings: { resourceLimits: { maxYoungGenerationSizeMb } },
      ended: (failure) => this.#end(failure ?? new Error("the thread of the database has ended")),
    });
  }

  /** Starting takes seconds; the signal aborts it. */
  static async start(config: PgliteConfig, { signal, fallback }: ThreadOptions): Promise<PgliteThread> {
    signal?.throwIfAborted();
    const opened = new PgliteThread(fallback);
    const thread = opened.#thread;
    const stop = () => void thread.stop();
    signal?.addEventListener("abort", stop);
    try {
      await thread.ask("open", config);
    } catch (error) {
      await thread.stop();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    return opened;
  }

  /** Opens a new session. The session before receives nothing more. */
  connect(): Duplex {
    const session = new PgliteStream(++this.#lastId, this.#thread);
    this.#session = session;
    if (this.#ended) session.destroy(this.#ended);
    return session;
  }

  /** Keeps an image of what was committed before. Nothing depends on it. */
  keep(image: KeptImage): void {
    this.#thread.ask("keep", image).catch((error) => this.#session?.destroy(failed(error)));
  }

  async close(): Promise<void> {
    this.#thread.tell("close", undefined);
    this.#ended ??= new Error("the database is closed");
    await this.#thread.exited;
  }

  #end(error: Error): Error {
    this.#ended ??= error;
    this.#session?.destroy(this.#ended);
    return this.#ended;
  }
}

/** The error of a session in which the engine has failed. */
function failed(error: unknown): Error {
  return new Error(String(error));
}

const terminate = 0x58;
/** AuthenticationOk, ReadyForQuery (idle): the whole answer to a StartupMessage. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** One session as the socket that `pg` expects. Writes while it is corked reach the engine in one piece. */
class PgliteStream extends Duplex {
  readonly id: number;
  readonly #thread: Thread<PgliteSide>;
  #hasBegun = false;

  constructor(id: number, thread: Thread<PgliteSide>) {
    super({ allowHalfOpen: false });
    this.id = id;
    this.#thread = thread;
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
    const done = this.#hasBegun ? this.#run(bytes) : this.#begin();
    done.then(
      () => written(),
      (error) => written(failed(error)),
    );
  }

  /** No answer follows. Without its end the stream would stay open, and a pool that ends would wait for it. */
  override _final(ended: () => void): void {
    this.push(null);
    ended();
  }

  async #begin(): Promise<void> {
    this.#hasBegun = true;
    await this.#thread.ask("begin", undefined);
    this.push(welcome);
  }

  #run(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#thread.ask("run", new Moved({ session: this.id, bytes }, [bytes.buffer]));
  }
}
