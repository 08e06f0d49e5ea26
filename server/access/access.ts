import { randomUUID } from "node:crypto";
import type { Config } from "../config/settings.js";
import { ServiceError } from "../errors.js";
import type { Fallback } from "../observe/fallback.js";
import type { KeyNumbers } from "../observe/key-metrics.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";
import type { TcpTable } from "../os/tcp-table.js";
import { addressBucket, createClientAddress } from "./client-address.js";
import { builtInKey, KeyRing } from "./keys/key-ring.js";
import type { KeySource } from "./keys/key-store.js";
import { LeasedCounters } from "./limits/leased-counters.js";
import { anonymousPlan, builtInPlans, type Plan } from "./limits/plan.js";
import { type Bucket, RateLimit, type Spending } from "./limits/rate-limit.js";
import { createRedisLeases } from "./limits/redis-leases.js";
import { createSharedHoldings, type SharedHoldings } from "./limits/shared-holdings.js";
import { type Counters, Windows } from "./limits/windows.js";
import { isDevnetKeyRequired, type RequestSource, whyNotLocal } from "./local-request.js";
import { openSharedRedis } from "./shared-redis.js";
import { type Refusal, type Transfer, trustedUsers, UnmarkedProxies } from "./unmarked-proxies.js";
import { mostUsed, permitCall } from "./usage/key-limits.js";
import type { UsageStore } from "./usage/usage.js";
import { UsageFiles } from "./usage/usage-files.js";
import { UsageMeter } from "./usage/usage-meter.js";

/** The caller of a request, identified by API key or by client address. */
export type Caller = {
  /** Key id or address bucket: the unit of rate limits, connection limits and logs. */
  readonly id: string;
  readonly keyId?: string;
  /**
   * Owner of the webhooks that the caller sees and changes: its key, or the key that this one replaced. On a devnet,
   * callers on its machine own those of the built-in key. Absent for other callers without a key.
   */
  readonly owner?: string;
  readonly plan: Plan;
  /** Why it may not change the devnet; `undefined` if it may: it has a key, or is on this machine. */
  readonly devnetRefusal: string | undefined;
  /** Whether it is on the devnet's machine, or has the devnet's own key. Absent: it is not. */
  readonly isLocal?: (() => Promise<boolean>) | undefined;
  /**
   * Counts a call or a stream that begins, for which `points` were charged. Throws `forbidden` if its key is not for the
   * method, and `quota-exceeded` if the month's quota is used up. Absent without a key.
   */
  readonly permit?: ((method: string, points: number) => void) | undefined;
};

/** The key of a request, or else its source, identifies the caller. */
export type Identity = RequestSource &
  Transfer & {
    /** API key as sent; empty counts as none. */
    readonly key: string | undefined;
  };

/** API keys, plans and rate limits. */
export interface Access {
  /**
   * Identifies the caller. Synchronous and cheap, except for the first request without a key on a connection whose user has to
   * be looked up. Throws `unknown-key` and `wrong-network`; the promise never rejects.
   */
  identify(identity: Identity): Caller | Promise<Caller>;
  /** The plan of the keys of an owner; `undefined` if none is valid for this network. */
  planOf(owner: string): Plan | undefined;
  /** Whether a request came through a trusted proxy, whose connections carry the requests of many callers. */
  isProxied(request: Pick<Identity, "remoteAddress" | "headers">): boolean;
  /** Charges points to the caller's rate limit. Never rejects for an exceeded limit: see `granted`. */
  spend(caller: Caller, points: number): Promise<Spending> | Spending;
  /** Charges further points for a call that was served: it cost more than was charged before. */
  settle(caller: Caller, points: number): Promise<void> | void;
  /** Notifies of keys that become invalid, so that their connections can be closed. Returns an unsubscribe function. */
  onRevoked(listener: (keyId: string) => void): () => void;
  /** Reads the key store again. */
  reloadKeys(): void;
  /** The usage of keys. */
  readonly usage: Pick<UsageStore, "read"> & Pick<UsageMeter, "used">;
  /** The keys that have used most in this month, by the first of those that replaced one another. */
  monthUse(): readonly (readonly [key: string, use: KeyNumbers])[];
  /** Why the key store could not be read when it last changed; `undefined` if it could. */
  readonly keysFailure: string | undefined;
  /** Whether the key store has ever been read. */
  readonly knowsKeys: boolean;
  /** Usage of streams over all instances; absent if each instance counts by itself. */
  readonly holdings?: SharedHoldings | undefined;
  close(): Promise<void>;
}

type AccessOptions = {
  config: Pick<Config, "network" | "host" | "anonymousRps" | "trustProxy" | "devnetKeyRequired" | "redisUrl">;
  keySource: KeySource;
  /** Default: in memory. */
  usageStore?: UsageStore | undefined;
  /** The built-in key of the devnet. */
  devnetKey?: string | undefined;
  log: Log;
  metrics: Metrics;
  fallback: Fallback;
  /** Wall clock, ms. */
  now: () => number;
  /** Timeout of a Redis command, if limits are shared. */
  redisTimeoutMs?: number | undefined;
  /** The limits of all processes of this service; with Redis they are not used, as more processes share those. */
  shared?: SharedLimits | undefined;
  /** Finds the users of connections; absent on systems without such a table. */
  tcpTable?: TcpTable | undefined;
};

/** The limits that several processes share. */
export type SharedLimits = {
  readonly counters: Counters;
  readonly holdings: SharedHoldings;
  /** Also with Redis. */
  readonly usage: UsageStore;
};

const defaultAnonymousRps = 1;

/** Opens the key store and the counters. Throws `ConfigError` if the key store cannot be read. */
export async function createAccess(options: AccessOptions): Promise<Access> {
  const {
    config,
    keySource,
    usageStore = new UsageFiles(undefined),
    devnetKey,
    log,
    metrics,
    now,
    shared,
  } = options;
  const { redisTimeoutMs: timeoutMs } = options;
  const { network, redisUrl } = config;
  const keys = new KeyRing({
    source: keySource,
    ...(devnetKey !== undefined && { builtIn: { text: devnetKey, network } }),
    log,
    metrics,
    now,
  });
  const redis =
    redisUrl === undefined ? undefined : await openSharedRedis({ redisUrl, log, metrics, timeoutMs });
  await keys.start().catch((error: unknown) => {
    redis?.close();
    throw error;
  });
  const meter = new UsageMeter({ store: usageStore, now, fallback: options.fallback });
  await meter.start();
  const counters = redis
    ? new LeasedCounters(createRedisLeases(redis, network, now), now)
    : (shared?.counters ?? new Windows(now));
  const clientAddress = createClientAddress(config.trustProxy);
  const { anonymous, local } = plansWithoutKey(config);
  const whyStranger = strangerRule(options);
  const rates = new RateLimit({ counters, metrics, now });

  return {
    identify(source) {
      const { key } = source;
      if (key) {
        const { id, owner, network: keyNetwork, plan, rules } = keys.find(key);
        if (keyNetwork !== network) throw new ServiceError("wrong-network");
        const origin = source.headers["origin"];
        if (rules && origin !== undefined && !rules.allowsOrigin(String(origin))) {
          meter.count(owner, { refused: 1 });
          throw new ServiceError("forbidden", "this API key is not for pages of this origin");
        }
        const isLocal = async () => id === builtInKey || (await whyStranger(source)) === undefined;
        const limits = { owner, plan, rules };
        const permit = (method: string, points: number) => permitCall(meter, limits, method, points);
        return { id, keyId: id, owner, plan, devnetRefusal: undefined, isLocal, permit };
      }
      const id = addressBucket(clientAddress(source.remoteAddress, forwardedFor(source)));
      const callerWith = (devnetRefusal: string | undefined): Caller =>
        devnetRefusal === undefined
          ? { id, owner: builtInKey, plan: local, devnetRefusal, isLocal: async () => true }
          : { id, plan: anonymous, devnetRefusal };
      const refusal = whyStranger(source);
      return refusal instanceof Promise ? refusal.then(callerWith) : callerWith(refusal);
    },
    planOf(owner) {
      const key = keys.ofOwner(owner);
      return key?.network === network ? key.plan : undefined;
    },
    isProxied: ({ remoteAddress, headers }) =>
      clientAddress(remoteAddress, forwardedFor({ headers })) !== clientAddress(remoteAddress, undefined),
    ...chargesOf(rates, meter),
    usage: {
      read: (range, limit) => usageStore.read(range, limit),
      used: (key) => meter.used(key),
    },
    monthUse: () => mostUsed(meter, (owner) => keys.ofOwner(owner)?.plan.month),
    onRevoked: (listener) => keys.onRevoked(listener),
    reloadKeys: () => keys.reload(),
    get keysFailure() {
      return keys.failure;
    },
    get knowsKeys() {
      return keys.isKnown;
    },
    holdings: redis ? createSharedHoldings(redis, { network, instance: randomUUID() }) : shared?.holdings,
    async close() {
      await keys.close();
      await meter.close();
      await counters.close();
      redis?.close();
    },
  };
}

/** Charges callers, and counts the points of keys. */
function chargesOf(rates: RateLimit, meter: UsageMeter): Pick<Access, "spend" | "settle"> {
  return {
    spend(caller, points) {
      const bucket = bucketOf(caller);
      const spending = bucket ? rates.spend(bucket, points) : { granted: points, headers: {} };
      const owner = points > 0 && caller.keyId !== undefined && caller.owner;
      if (!owner) return spending;
      const count = (spent: Spending) => {
        meter.count(owner, { points: spent.granted, refused: points - spent.granted });
        return spent;
      };
      return spending instanceof Promise ? spending.then(count) : count(spending);
    },
    settle(caller, points) {
      const { keyId, owner } = caller;
      if (keyId !== undefined && owner !== undefined) meter.count(owner, { points });
      const bucket = bucketOf(caller);
      return bucket && rates.settle(bucket, points);
    },
  };
}

/**
 * The one rule for callers without a key: why one is not trusted as a caller on this machine, who may change the devnet and
 * has its own plan.
 */
function strangerRule({
  config,
  log,
  fallback,
  tcpTable: table,
}: AccessOptions): (source: RequestSource & Transfer) => Refusal {
  if (config.network !== "devnet") return () => "this network is no devnet";
  if (isDevnetKeyRequired(config)) return () => "this devnet asks every caller for one";
  // The operator set false: callers that look local need no key, also behind a proxy.
  if (config.devnetKeyRequired === false) return whyNotLocal;
  const proxies = new UnmarkedProxies({ table, users: trustedUsers(), log, fallback });
  return (source) => whyNotLocal(source) ?? proxies.whyProxied(source);
}

function forwardedFor({ headers }: Pick<RequestSource, "headers">): string | undefined {
  return headers["x-forwarded-for"]?.toString();
}

/** Undefined for unlimited plans. */
function bucketOf({ id, keyId, plan: { name, limit } }: Caller): Bucket | undefined {
  return limit && { name: `${keyId ? "key" : "address"}:${id}`, plan: name, limit };
}

/** The plans of callers without a key; `local` is for callers on this machine. */
function plansWithoutKey({ network, anonymousRps }: Pick<Config, "network" | "anonymousRps">) {
  const rps = anonymousRps ?? defaultAnonymousRps;
  const anonymous = { name: anonymousPlan, limit: rps === "unlimited" ? undefined : { rps, burst: rps } };
  const isOwnDevnet = network === "devnet" && anonymousRps === undefined;
  return {
    anonymous,
    local: isOwnDevnet ? { name: "unlimited", limit: builtInPlans["unlimited"] } : anonymous,
  };
}
