import type { Webhook } from "../../../client/index.js";
import type { Config } from "../../../server/config/settings.js";
import { type Clock, systemClock } from "../../../server/http/clock.js";
import type { Environment } from "../../../server/process/service/service.js";
import { until } from "../until.js";
import { type AskOptions, startService, type TestService } from "./service.js";
import { untilIndexed } from "./until-indexed.js";

type Created = Webhook & { secret: string };

/** Time that a test moves on: what is done again and again is done once more then. */
class MovedClock implements Clock {
  #ahead = 0;
  readonly #repeated = new Set<() => void>();

  readonly now = (): number => Date.now() + this.#ahead;

  every(ms: number, work: () => void): () => void {
    const stop = systemClock.every(ms, work);
    this.#repeated.add(work);
    return () => {
      this.#repeated.delete(work);
      stop();
    };
  }

  pass(ms: number): void {
    this.#ahead += ms;
    for (const work of this.#repeated) work();
  }
}

/** A devnet with an index, and methods to create webhooks. */
export class WebhookService {
  readonly service: TestService;
  readonly clock: MovedClock;

  constructor(service: TestService, clock: MovedClock) {
    this.service = service;
    this.clock = clock;
  }

  static async start(settings: Partial<Config> = {}, environment: Environment = {}): Promise<WebhookService> {
    const clock = new MovedClock();
    const service = await startService(
      { index: true, ...settings },
      { now: clock.now, clock, ...environment },
    );
    const started = new WebhookService(service, clock);
    await untilIndexed(service, 1);
    // The streams start with the first block.
    await until("the streams", async () => (await service.get("/api/streaming/healthz")).status === 200);
    return started;
  }

  close(): Promise<void> {
    return this.service.close();
  }

  /** The result of a method, or the error's message. */
  async call(method: string, params: object = {}, options?: AskOptions): Promise<unknown> {
    const answer = (await this.service.rpc(method, params, options)) as {
      result?: unknown;
      error?: { message: string };
    };
    return answer.error ? answer.error.message : answer.result;
  }

  async create(params: object, options?: AskOptions): Promise<Created> {
    const created = await this.call("v3.webhooks.create", params, options);
    if (typeof created === "string") throw new Error(created);
    return created as Created;
  }

  async list(options?: AskOptions): Promise<Webhook[]> {
    return ((await this.call("v3.webhooks.list", {}, options)) as { webhooks: Webhook[] }).webhooks;
  }

  async one(id: string): Promise<Webhook> {
    return (await this.list()).find((each) => each.id === id)!;
  }

  /** Makes blocks; resolves with the newest one. */
  async mine(blocks: number): Promise<number> {
    const { block } = (await this.call("devnet.mine", { blocks })) as { block: { seqno: number } };
    return block.seqno;
  }
}
