import { Call } from "../call.js";
import { isRpcError, RpcError } from "../errors.js";
import { backOff } from "../retry.js";
import type { Transport, TransportContext, TransportFactory } from "./transport.js";

export type FallbackOptions = {
  /** An endpoint that failed rests `baseMs`, then twice as long each time, at most `maxMs`. */
  readonly rest?: { readonly baseMs: number; readonly maxMs: number } | undefined;
};

export const defaultRest = { baseMs: 5000, maxMs: 60_000 };

/** The first of several endpoints that is well, in the order given, provided all of them serve one network. */
export function fallback(
  transports: readonly TransportFactory[],
  options: FallbackOptions = {},
): TransportFactory {
  return (context) => new FallbackTransport(transports, options, context);
}

type Endpoint = {
  readonly transport: Transport;
  restsUntil: number;
  failures: number;
  /** Hash of the zero state it serves; empty when it does not say. */
  network: string | undefined;
  /** The question for that, while it is open. */
  question: Question | undefined;
};

type Question = { readonly call: Call; readonly answered: Promise<void> };

class FallbackTransport implements Transport {
  readonly #endpoints: readonly Endpoint[];
  readonly #rest: { readonly baseMs: number; readonly maxMs: number };
  readonly #context: TransportContext;
  /** Hash of the zero state of the network that the first endpoint to answer serves. */
  #network: string | undefined;

  constructor(transports: readonly TransportFactory[], { rest }: FallbackOptions, context: TransportContext) {
    this.#context = context;
    this.#rest = rest ?? defaultRest;
    this.#endpoints = transports.map((make) => ({
      transport: make(context),
      restsUntil: 0,
      failures: 0,
      network: undefined,
      question: undefined,
    }));
  }

  async request(call: Call): Promise<unknown> {
    let last: unknown = wrongNetwork();
    let asked: Endpoint | undefined;
    call.whenAbandoned(() => {
      // Given up at its deadline: the endpoint has had its time.
      if (asked && this.#context.clock.now() >= call.deadline) this.#failed(asked);
    });
    for (const endpoint of this.#candidates()) {
      if (call.abandoned) break;
      asked = endpoint;
      try {
        await this.#checkNetwork(endpoint);
        const result = await endpoint.transport.request(call);
        endpoint.failures = 0;
        return result;
      } catch (error) {
        last = error;
        if (isRpcError(error, "wrong-network")) continue;
        if (!isSick(error)) throw error;
        this.#failed(endpoint);
        if (call.effect && !(error as RpcError).unsent) throw error;
      } finally {
        asked = undefined;
      }
    }
    throw last;
  }

  close(): void {
    for (const { transport, question } of this.#endpoints) {
      question?.call.abandon();
      transport.close();
    }
  }

  /** Those that do not rest; when all do, the one that will be up first. What serves another network is none. */
  #candidates(): readonly Endpoint[] {
    const now = this.#context.clock.now();
    const ours = this.#endpoints.filter((endpoint) => !this.#isForeign(endpoint));
    const awake = ours.filter(({ restsUntil }) => restsUntil <= now);
    return awake.length > 0 ? awake : ours.sort((a, b) => a.restsUntil - b.restsUntil).slice(0, 1);
  }

  #isForeign({ network }: Endpoint): boolean {
    return this.#network !== undefined && network !== undefined && network !== this.#network;
  }

  /** While the network is not known the question goes along with the call; later it comes first. */
  async #checkNetwork(endpoint: Endpoint): Promise<void> {
    if (endpoint.network === undefined) {
      endpoint.question ??= this.#askNetwork(endpoint);
      if (this.#network !== undefined) await endpoint.question.answered;
    }
    if (this.#isForeign(endpoint)) throw wrongNetwork();
  }

  #askNetwork(endpoint: Endpoint): Question {
    const call = new Call("getMasterchainInfo", "{}");
    const givenUp = new Promise<never>((_, reject) => {
      // Those who still have time go on to the next endpoint.
      call.whenAbandoned(() => reject(new RpcError("timeout", "the endpoint does not say its network")));
    });
    const answered = Promise.race([endpoint.transport.request(call), givenUp]).then(
      (info) => {
        const { init } = (info ?? {}) as { init?: { file_hash?: string } };
        endpoint.network = init?.file_hash ?? "";
        this.#network ??= endpoint.network || undefined;
      },
      (error: unknown) => {
        endpoint.question = undefined;
        if (isSick(error) || (error as RpcError).retryable) throw error;
        endpoint.network = "";
      },
    );
    answered.catch(() => {});
    return { call, answered };
  }

  #failed(endpoint: Endpoint): void {
    const now = this.#context.clock.now();
    // Calls that were on their way together fail together: that is one failure.
    if (endpoint.restsUntil > now) return;
    endpoint.restsUntil = now + backOff(this.#rest, endpoint.failures++);
    endpoint.question?.call.abandon();
    endpoint.question = undefined;
  }
}

function wrongNetwork(): RpcError {
  return new RpcError("wrong-network", "the endpoint serves another network than the ones before it");
}

/** Whether an error says that the endpoint is not well, rather than that the call is not right. */
function isSick(error: unknown): boolean {
  return isRpcError(error) && /^(network|timeout|unavailable|internal|closed|bad-answer)$/.test(error.code);
}
