import { type Config, keysFileOf } from "../config/settings.js";
import { ServiceError } from "../errors.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";
import { addressBucket, createClientAddress } from "./client-address.js";
import { ClosedWindows } from "./closed-windows.js";
import { type Count, type Counters, createLocalCounters } from "./counters.js";
import { KeyRing } from "./key-ring.js";
import { anonymousPlan, type Limit, type Plan, windowSec } from "./plan.js";
import { createSharedCounters } from "./shared-counters.js";

/** The caller of a request, identified by API key or by client address. */
export type Caller = {
  /** Key id or address bucket: the unit of rate limits, connection limits and logs. */
  readonly id: string;
  readonly keyId?: string;
  readonly plan: Plan;
};

/** What identifies a caller: the key, or the address. */
export type Identity = {
  /** API key as sent; empty counts as none. */
  key: string | undefined;
  remoteAddress: string;
  forwardedFor: string | undefined;
};

/** The result of charging points. */
export type Spending = {
  /** Points granted; calls beyond them must be refused. */
  readonly granted: number;
  /** Whether the caller had exceeded its limit before these points were charged. */
  readonly overdrawn?: boolean;
  /** Seconds until the next window; set if points were refused. */
  readonly retryAfterSec?: number;
  /** `RateLimit` and `RateLimit-Policy`, plus `Retry-After` if points were refused; empty for unlimited plans. */
  readonly headers: Readonly<Record<string, string>>;
};

/** API keys, plans and rate limits. */
export interface Access {
  /** Identifies the caller. Synchronous and cheap. Throws `unknown-key` and `wrong-network`. */
  identify(identity: Identity): Caller;
  /** Whether a request came through a trusted proxy, whose connections carry the requests of many callers. */
  isProxied(request: Pick<Identity, "remoteAddress" | "forwardedFor">): boolean;
  /** Charges points to the caller's rate limit. Never rejects for an exceeded limit: see `granted`. */
  spend(caller: Caller, points: number): Promise<Spending> | Spending;
  /** Notifies of keys that become invalid, so that their connections can be closed. Returns an unsubscribe function. */
  onRevoked(listener: (keyId: string) => void): () => void;
  close(): Promise<void>;
}

export type AccessOptions = {
  config: Pick<Config, "network" | "keysFile" | "data" | "anonymousRps" | "trustProxy" | "redisUrl">;
  /** The built-in key of the devnet. */
  devnetKey?: string | undefined;
  log: Log;
  metrics: Metrics;
  /** Wall clock, ms. */
  now: () => number;
  /** Timeout of a Redis command, if limits are shared. */
  redisTimeoutMs?: number | undefined;
};

/** Opens the key store and the counters. Throws `ConfigError` if the key store cannot be read. */
export async function createAccess(options: AccessOptions): Promise<Access> {
  const { config, devnetKey, log, metrics, now, redisTimeoutMs: timeoutMs } = options;
  const { network, redisUrl } = config;
  const keys = new KeyRing({
    path: keysFileOf(config),
    ...(devnetKey !== undefined && { builtIn: { text: devnetKey, network } }),
    log,
    metrics,
    now,
  });
  const counters =
    redisUrl === undefined
      ? createLocalCounters()
      : await createSharedCounters({ redisUrl, network, log, metrics, timeoutMs });
  const clientAddress = createClientAddress(config.trustProxy);
  const anonymous = anonymousPlanOf(config.anonymousRps);
  const deps = { counters, closed: new ClosedWindows(now), metrics };

  return {
    identify({ key, remoteAddress, forwardedFor }) {
      if (key) {
        const { id, network: keyNetwork, plan } = keys.find(key);
        if (keyNetwork !== network) throw new ServiceError("wrong-network");
        return { id, keyId: id, plan };
      }
      return { id: addressBucket(clientAddress(remoteAddress, forwardedFor)), plan: anonymous };
    },
    isProxied: ({ remoteAddress, forwardedFor }) =>
      clientAddress(remoteAddress, forwardedFor) !== clientAddress(remoteAddress, undefined),
    spend: ({ id, keyId, plan: { name, limit } }, points) =>
      limit === undefined
        ? { granted: points, headers: {} }
        : count({ ...deps, bucket: `${keyId ? "key" : "address"}:${id}`, name, limit, points }),
    onRevoked: (listener) => keys.onRevoked(listener),
    async close() {
      keys.close();
      await counters.close();
    },
  };
}

function anonymousPlanOf(rps: Config["anonymousRps"]): Plan {
  return { name: anonymousPlan, limit: rps === "unlimited" ? undefined : { rps, burst: rps } };
}

type CountRequest = {
  counters: Counters;
  closed: ClosedWindows;
  metrics: Pick<Metrics, "refused">;
  bucket: string;
  name: string;
  limit: Limit;
  points: number;
};

function count(request: CountRequest): Spending | Promise<Spending> {
  const { closed, bucket, limit } = request;
  const msBeforeNext = closed.msLeft(bucket, limit.burst, windowSec(limit));
  if (msBeforeNext === undefined) return countPoints(request);
  return spending(request, { consumedPoints: Number.POSITIVE_INFINITY, msBeforeNext });
}

async function countPoints(request: CountRequest): Promise<Spending> {
  const { counters, closed, bucket, limit, points } = request;
  const counted = await counters.add(bucket, points, windowSec(limit));
  if (counted.consumedPoints > limit.burst) closed.close(bucket, limit.burst, counted.msBeforeNext);
  return spending(request, counted);
}

function spending({ metrics, name, limit, points }: CountRequest, counted: Count): Spending {
  const window = windowSec(limit);
  const refused = Math.min(points, Math.max(0, counted.consumedPoints - limit.burst));
  const headers = rateHeaders(name, limit, counted, window);
  if (refused === 0) return { granted: points, headers };
  metrics.refused(name, refused);
  const retryAfterSec = secondsLeft(counted, window);
  return {
    granted: points - refused,
    ...(counted.consumedPoints - points > limit.burst && { overdrawn: true }),
    retryAfterSec,
    headers: { ...headers, "Retry-After": String(retryAfterSec) },
  };
}

/** Structured fields of draft-ietf-httpapi-ratelimit-headers-10. */
function rateHeaders(name: string, { burst }: Limit, counted: Count, window: number): Record<string, string> {
  const left = Math.max(0, burst - counted.consumedPoints);
  return {
    "RateLimit-Policy": `"${name}";q=${burst};w=${window}`,
    RateLimit: `"${name}";r=${left};t=${secondsLeft(counted, window)}`,
  };
}

/**
 * Whole seconds until the next window, rounded up, at least one. At most a window: the counters compute the time from the
 * wall clock, which may have been set back.
 */
function secondsLeft({ msBeforeNext }: Count, window: number): number {
  return Math.min(window, Math.max(1, Math.ceil(msBeforeNext / 1000)));
}
