import { setMaxListeners } from "node:events";
import type { Redis } from "ioredis";
import { Listeners } from "../../../shared/values/listeners.js";
import { connectRedis } from "../../access/shared-redis.js";
import type { Bus } from "../../indexer/follow/bus.js";
import type { Log } from "../../observe/log.js";
import type { Listening } from "../../store/database.js";

type Options = {
  redisUrl: string;
  /** Begins the names of channels, so that processes of other indexes do not hear these. */
  prefix: string;
  log: Log;
  /** Timeout of a command, ms. */
  timeoutMs: number | undefined;
  /** Interval of questions whether Redis answers, ms. */
  askEveryMs?: number;
};

const usualAskMs = 2000;

/** Channels of Redis or Valkey. They are subscribed to again when it is back. */
export class RedisBus implements Bus {
  readonly #publisher: Redis;
  /** A connection with subscriptions takes no other commands. */
  readonly #subscriber: Redis;
  readonly #options: Options;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();
  readonly #changed = new Listeners<void>();
  readonly #ended = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #failure: string | undefined = "it is being connected";
  #hasWarned = false;

  private constructor(publisher: Redis, subscriber: Redis, options: Options) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#options = options;
    setMaxListeners(0, this.#ended.signal);
    for (const client of [publisher, subscriber]) {
      // Failed attempts to connect emit "error" and then "close".
      client.on("error", () => {});
      client.on("close", () => this.#fail("connection lost"));
      client.on("ready", () => void this.#begin());
    }
    subscriber.on("message", (name: string, text: string) => {
      for (const onText of this.#listeners.get(name) ?? []) onText(text);
    });
    const { askEveryMs = usualAskMs } = options;
    this.#timer = setInterval(() => void this.#ask(), askEveryMs).unref();
  }

  /** Connects in the background. Throws `ConfigError` if the package ioredis is not installed. */
  static async open(options: Options): Promise<RedisBus> {
    const { redisUrl, timeoutMs } = options;
    const publisher = await connectRedis(redisUrl, timeoutMs);
    const subscriber = await connectRedis(redisUrl, timeoutMs, { autoResubscribe: false });
    return new RedisBus(publisher, subscriber, options);
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  onChange(listener: () => void): () => void {
    return this.#changed.add(listener);
  }

  async publish(channel: string, texts: readonly string[]): Promise<void> {
    const name = this.#nameOf(channel);
    await Promise.all(texts.map((text) => this.#publisher.publish(name, text)));
  }

  async subscribe(channel: string, onText: (text: string) => void, signal: AbortSignal): Promise<Listening> {
    signal.throwIfAborted();
    const name = this.#nameOf(channel);
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(onText));
    if (this.#subscriber.status === "ready") await this.#begin();
    return {
      lost: this.#ended.signal,
      release: async () => void listeners.delete(onText),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort(new Error("the bus is closed"));
    for (const client of [this.#publisher, this.#subscriber]) {
      client.removeAllListeners("close");
      client.disconnect();
    }
  }

  #nameOf(channel: string): string {
    return `${this.#options.prefix}:${channel}`;
  }

  /** Subscribes to everything, and works once both connections do. */
  async #begin(): Promise<void> {
    const [publisher, subscriber] = [this.#publisher, this.#subscriber];
    if (publisher.status !== "ready" || subscriber.status !== "ready") return;
    try {
      await publisher.ping();
      if (this.#listeners.size > 0) await subscriber.subscribe(...this.#listeners.keys());
      this.#work();
    } catch (error) {
      this.#giveUp(error as Error);
    }
  }

  /** A server that hangs still looks connected. */
  async #ask(): Promise<void> {
    if (this.#failure !== undefined) return;
    await this.#publisher.ping().catch((error: Error) => this.#giveUp(error));
  }

  #giveUp({ message }: Error): void {
    this.#fail(message);
    for (const client of [this.#publisher, this.#subscriber])
      if (client.status === "ready") client.disconnect(true);
  }

  #work(): void {
    if (this.#failure === undefined || this.#ended.signal.aborted) return;
    this.#failure = undefined;
    this.#hasWarned = false;
    this.#options.log.info("Redis carries messages among the processes");
    this.#changed.notify();
  }

  #fail(reason: string): void {
    if (this.#ended.signal.aborted) return;
    const hadFailed = this.#failure !== undefined;
    this.#failure = reason;
    if (!hadFailed) this.#changed.notify();
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.log.warn(
      { reason },
      "Redis carries no messages among the processes: they look into the database until it does",
    );
  }
}
