import { handledLater } from "../../shared/values/promises.js";
import { Call } from "../call.js";
import { isRpcError, RpcError } from "../errors.js";
import { backOff } from "../retry.js";
import type { Transport, TransportContext, TransportFactory } from "./transport.js";

/** Options of `fallback`. */
export type FallbackOptions = {
  /** Backoff of a failed endpoint: `baseMs`, doubled with each failure, at most `maxMs`. */
  readonly rest?: { readonly baseMs: number; readonly maxMs: number } | undefined;
};

/** Backoff of a failed endpoint unless `rest` overrides it. */
export const defaultRest = { baseMs: 5000, maxMs: 60_000 };

/**
 * Uses the first healthy endpoint, in the given order. An endpoint that serves another network than the first one to
 * answer is not used. Each endpoint's network is identified by its zero state.
 */
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
  /** File hash of its zero state; empty if the endpoint does not return it, `undefined` if not known yet. */
  network?: string | undefined;
  /** The request for the network, while it is in flight. */
  probe?: Probe | undefined;
};

type Probe = { readonly call: Call; readonly answered: Promise<void> };

class FallbackTransport implements Transport {
  readonly #endpoints: readonly Endpoint[];
  readonly #rest: { readonly baseMs: number; readonly maxMs: number };
  readonly #context: TransportContext;
  /** Zero state hash of the network in use, from the first endpoint that answered. */
  #network: string | undefined;

  constructor(transports: readonly TransportFactory[], { rest }: FallbackOptions, context: TransportContext) {
    this.#context = context;
    this.#rest = rest ?? defaultRest;
    this.#endpoints = transports.map((make) => ({
      transport: make(context),
      restsUntil: 0,
      failures: 0,
    }));
  }

  async request(call: Call): Promise<unknown> {
    let last: unknown;
    let asked: Endpoint | undefined;
    call.whenAbandoned(() => {
      // Abandoned at its deadline: counts as a failure of the endpoint.
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
        if (!isUnhealthy(error)) throw error;
        this.#failed(endpoint);
        if (call.effect && !(error as RpcError).unsent) throw error;
      } finally {
        asked = undefined;
      }
    }
    throw last ?? wrongNetwork();
  }

  close(): void {
    for (const { transport, probe } of this.#endpoints) {
      probe?.call.abandon();
      transport.close();
    }
  }

  /** Endpoints of our network not in backoff; if all are, the one whose backoff ends first. */
  #candidates(): readonly Endpoint[] {
    const now = this.#context.clock.now();
    const ours = this.#endpoints.filter((endpoint) => !this.#isForeign(endpoint));
    const healthy = ours.filter(({ restsUntil }) => restsUntil <= now);
    return healthy.length > 0 ? healthy : ours.sort((a, b) => a.restsUntil - b.restsUntil).slice(0, 1);
  }

  #isForeign({ network }: Endpoint): boolean {
    return this.#network !== undefined && network !== undefined && network !== this.#network;
  }

  /** While no network is known, the probe runs in parallel with the call; afterwards it must finish first. */
  async #checkNetwork(endpoint: Endpoint): Promise<void> {
    if (endpoint.network === undefined) {
      endpoint.probe ??= this.#probe(endpoint);
      if (this.#network !== undefined) await endpoint.probe.answered;
    }
    if (this.#isForeign(endpoint)) throw wrongNetwork();
  }

  #probe(endpoint: Endpoint): Probe {
    const call = new Call("getMasterchainInfo", "{}");
    const abandoned = new Promise<never>((_, reject) => {
      // Callers whose deadline is later try the next endpoint.
      call.whenAbandoned(() => reject(new RpcError("timeout", "no answer")));
    });
    const answered = Promise.race([endpoint.transport.request(call), abandoned]).then(
      (info) => {
        const { init } = (info ?? {}) as { init?: { file_hash?: string } };
        endpoint.network = init?.file_hash ?? "";
        this.#network ??= endpoint.network || undefined;
      },
      (error: unknown) => {
        endpoint.probe = undefined;
        const isRefused = isRpcError(error, "quota-exceeded") || (error as RpcError).retryable;
        if (isUnhealthy(error) || isRefused) throw error;
        endpoint.network = "";
      },
    );
    handledLater(answered);
    return { call, answered };
  }

  #failed(endpoint: Endpoint): void {
    const now = this.#context.clock.now();
    // Calls in flight together fail together: that counts as one failure.
    if (endpoint.restsUntil > now) return;
    endpoint.restsUntil = now + backOff(this.#rest, endpoint.failures++);
    endpoint.probe?.call.abandon();
    endpoint.probe = undefined;
  }
}

function wrongNetwork(): RpcError {
  return new RpcError("wrong-network", "the endpoint serves another network than the others");
}

/** Whether the error indicates an unhealthy endpoint rather than a bad call. */
function isUnhealthy(error: unknown): boolean {
  return isRpcError(error) && /^(network|timeout|unavailable|internal|closed|bad-answer)$/.test(error.code);
}
