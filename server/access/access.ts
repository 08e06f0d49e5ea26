import { type Config, keysFileOf } from "../config/settings.js";
import { ServiceError } from "../errors.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";
import { addressBucket, createClientAddress } from "./client-address.js";
import { type Count, type Counters, createLocalCounters } from "./counters.js";
import { KeyRing } from "./key-ring.js";
import { anonymousPlan, type Limit, type Plan, windowSec } from "./plan.js";
import { createSharedCounters } from "./shared-counters.js";

/** Who calls: a key, or the address of somebody without one. */
export type Caller = {
  /** Key id or address bucket; what is counted, logged and capped. */
  readonly id: string;
  readonly keyId?: string;
  readonly plan: Plan;
};

export type Identity = {
  /** Key text as sent; empty counts as none. */
  key: string | undefined;
  remoteAddress: string;
  forwardedFor: string | undefined;
};

export type Spending = {
  /** How many of the points may be served. */
  readonly granted: number;
  /** Set when something was refused: seconds until the next window. */
  readonly retryAfterSec?: number;
  /** `RateLimit` and `RateLimit-Policy`, with a refusal `Retry-After`; nothing where there is no limit. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Keys, plans and limits: decides who is calling and how much of it may be served. */
export interface Access {
  /** Synchronous and cheap. Throws `unknown-key` and `wrong-network`. */
  identify(identity: Identity): Caller;
  spend(caller: Caller, points: number): Promise<Spending> | Spending;
  /** Tells of keys that stop working while somebody may be connected with them. */
  onRevoked(listener: (keyId: string) => void): () => void;
  close(): Promise<void>;
}

export type AccessOptions = {
  config: Pick<Config, "network" | "keysFile" | "data" | "anonymousRps" | "trustProxy" | "redisUrl">;
  /** The devnet's ready-made key. */
  devnetKey?: string | undefined;
  log: Log;
  metrics: Metrics;
  now: () => number;
  /** How long Redis may take for one command, where limits are shared. */
  redisPatienceMs?: number | undefined;
};

export async function createAccess(options: AccessOptions): Promise<Access> {
  const { config, devnetKey, log, metrics, now, redisPatienceMs: patienceMs } = options;
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
      : await createSharedCounters({ redisUrl, network, log, metrics, patienceMs });
  const clientAddress = createClientAddress(config.trustProxy);
  const anonymous = planOfAnonymous(config.anonymousRps);

  return {
    identify({ key, remoteAddress, forwardedFor }) {
      if (key) {
        const { id, network: keyNetwork, plan } = keys.find(key);
        if (keyNetwork !== network) throw new ServiceError("wrong-network");
        return { id, keyId: id, plan };
      }
      return { id: addressBucket(clientAddress(remoteAddress, forwardedFor)), plan: anonymous };
    },
    spend: ({ id, keyId, plan: { name, limit } }, points) =>
      limit === undefined
        ? { granted: points, headers: {} }
        : count({ counters, metrics, bucket: `${keyId ? "key" : "address"}:${id}`, name, limit, points }),
    onRevoked: (listener) => keys.onRevoked(listener),
    async close() {
      keys.close();
      await counters.close();
    },
  };
}

function planOfAnonymous(rps: Config["anonymousRps"]): Plan {
  return { name: anonymousPlan, limit: rps === "unlimited" ? undefined : { rps, burst: rps } };
}

type Order = {
  counters: Counters;
  metrics: Pick<Metrics, "refused">;
  bucket: string;
  name: string;
  limit: Limit;
  points: number;
};

async function count({ counters, metrics, bucket, name, limit, points }: Order): Promise<Spending> {
  const window = windowSec(limit);
  const counted = await counters.add(bucket, points, window);
  const refused = Math.min(points, Math.max(0, counted.consumedPoints - limit.burst));
  const headers = rateHeaders(name, limit, counted);
  if (refused === 0) return { granted: points, headers };
  metrics.refused(name, refused);
  const retryAfterSec = secondsLeft(counted);
  return {
    granted: points - refused,
    retryAfterSec,
    headers: { ...headers, "Retry-After": String(retryAfterSec) },
  };
}

/** Structured fields of draft-ietf-httpapi-ratelimit-headers-10. */
function rateHeaders(name: string, limit: Limit, counted: Count): Record<string, string> {
  const left = Math.max(0, limit.burst - counted.consumedPoints);
  return {
    "RateLimit-Policy": `"${name}";q=${limit.burst};w=${windowSec(limit)}`,
    RateLimit: `"${name}";r=${left};t=${secondsLeft(counted)}`,
  };
}

/** Whole seconds, at least one: a client that waits so long finds a new window. */
function secondsLeft({ msBeforeNext }: Count): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
