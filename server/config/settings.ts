import {
  choice,
  fraction,
  integer,
  optionalBlock,
  optionalInteger,
  optionalKey,
  optionalText,
  optionalUrl,
  rate,
  type Setting,
  text,
  toggle,
  trustProxy,
} from "./kinds.js";

export const networks = ["devnet", "mainnet", "testnet"] as const;
export type Network = (typeof networks)[number];

/**
 * Every setting of the service. The key is the name in the configuration file; its kebab-case form is the flag.
 * An entry here is all it takes: loading, `--help`, `--print-config` and the README's table read this object.
 */
export const settings = {
  host: {
    ...text("a host name or address"),
    variable: "HOST",
    default: "127.0.0.1",
    help: "Address the public listener binds to",
  },
  port: {
    ...integer(0, 65535),
    variable: "PORT",
    default: 8081,
    help: "Port of the public listener; 0 takes any free one",
  },
  adminPort: {
    ...integer(0, 65535),
    variable: "TONWIRE_ADMIN_PORT",
    default: 8082,
    help: "Port on 127.0.0.1 for /metrics, /status and /healthcheck; 0 switches it off",
  },
  network: {
    ...choice(networks),
    variable: "TONWIRE_NETWORK",
    default: "devnet",
    help: "Network served; keys of another one are refused",
  },
  data: {
    ...optionalText("a folder"),
    variable: "TONWIRE_DATA",
    default: undefined,
    help: "Folder for everything that shall outlive the process",
  },
  keysFile: {
    ...optionalText("a file"),
    variable: "TONWIRE_KEYS_FILE",
    default: undefined,
    help: "Key store; unless given `keys.json` in the data folder, without one `./tonwire-keys.json`",
  },
  devnetKey: {
    ...optionalKey(),
    variable: "TONWIRE_DEVNET_KEY",
    default: undefined,
    secret: true,
    help: "The devnet's ready-made key; unless given a new one at every start",
  },
  devnetSeed: {
    ...text("any text"),
    variable: "TONWIRE_DEVNET_SEED",
    default: "tonwire",
    help: "What the devnet's zero state and the keys of its wallets are made from",
  },
  story: {
    ...toggle(),
    variable: "TONWIRE_STORY",
    default: true,
    help: "Whether something happens on a new devnet, so that there is something to look at",
  },
  mining: {
    ...choice(["interval", "message", "manual"]),
    variable: "TONWIRE_MINING",
    default: "interval",
    help: "When the devnet makes blocks: at a pace while there is work, for every message, or when told to",
  },
  miningIntervalMs: {
    ...integer(50, 60_000),
    variable: "TONWIRE_MINING_INTERVAL_MS",
    default: 1000,
    help: "The pace",
  },
  clock: {
    ...choice(["wall", "fixed"]),
    variable: "TONWIRE_CLOCK",
    default: "wall",
    help: "The devnet's time: that of the machine, or one second from block to block",
  },
  devnetRewards: {
    ...toggle(),
    variable: "TONWIRE_DEVNET_REWARDS",
    default: false,
    help: "Whether the devnet's blocks create money, as those of other networks do",
  },
  anonymousRps: {
    ...rate(),
    variable: "TONWIRE_ANONYMOUS_RPS",
    default: 1,
    help: "Calls per second of one client address that sends no key, or `unlimited`",
  },
  trustProxy: {
    ...trustProxy(),
    variable: "TONWIRE_TRUST_PROXY",
    default: { hops: 0 },
    help: "Proxies whose `X-Forwarded-For` is believed: how many, or their networks",
  },
  maxBodyBytes: {
    ...integer(1024, 64 * 1024 * 1024),
    variable: "TONWIRE_MAX_BODY_BYTES",
    default: 1_048_576,
    help: "Longest request body and WebSocket message",
  },
  maxBatch: {
    ...integer(1, 10_000),
    variable: "TONWIRE_MAX_BATCH",
    default: 100,
    help: "Most calls of one batch",
  },
  batchParallel: {
    ...integer(1, 1000),
    variable: "TONWIRE_BATCH_PARALLEL",
    default: 16,
    help: "Calls of one batch that run at once",
  },
  callTimeoutMs: {
    ...integer(100, 600_000),
    variable: "TONWIRE_CALL_TIMEOUT_MS",
    default: 10_000,
    help: "Longest time of one call; the database has three tenths of it for an answer of v3, and never less than 3000",
  },
  logLevel: {
    ...choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    variable: "TONWIRE_LOG_LEVEL",
    default: "info",
    help: "Least severe log line written",
  },
  logSample: {
    ...fraction(),
    variable: "TONWIRE_LOG_SAMPLE",
    default: 0.01,
    help: "Share of ordinary calls that are logged; failures and slow calls always are",
  },
  slowMs: {
    ...integer(1, 600_000),
    variable: "TONWIRE_SLOW_MS",
    default: 1000,
    help: "From this duration on a call is logged as slow",
  },
  globalConfig: {
    ...optionalText("a file"),
    variable: "TONWIRE_GLOBAL_CONFIG",
    default: undefined,
    help: "Global configuration of the network: where its liteservers are and what trust begins with; for a devnet, which other process has it",
  },
  verifyProofs: {
    ...toggle(),
    variable: "TONWIRE_VERIFY_PROOFS",
    default: true,
    help: "Whether what liteservers answer has to be proven; without, they are believed",
  },
  liteserverPort: {
    ...optionalInteger(0, 65535),
    variable: "TONWIRE_LITESERVER_PORT",
    default: undefined,
    help: "Port that serves the chain to other TON programs as a liteserver; 0 takes any free one",
  },
  liteserverHost: {
    ...text("a host name or address"),
    variable: "TONWIRE_LITESERVER_HOST",
    default: "127.0.0.1",
    help: "Address the liteserver binds to",
  },
  liteserverConfig: {
    ...optionalText("a file"),
    variable: "TONWIRE_LITESERVER_CONFIG",
    default: undefined,
    help: "Where the global configuration naming the liteserver is written; unless given `global.config.json` in the data folder",
  },
  index: {
    ...toggle(),
    variable: "TONWIRE_INDEX",
    default: true,
    help: "Whether to keep the index that the v3 interface answers from",
  },
  from: {
    ...optionalBlock(),
    variable: "TONWIRE_INDEX_FROM",
    default: undefined,
    help: "First masterchain block of the index, which is filled in when it began later; unless given 1 on a devnet, elsewhere the newest one when it begins",
  },
  healthMaxLag: {
    ...optionalInteger(0, 1_000_000_000),
    variable: "TONWIRE_HEALTH_MAX_LAG",
    default: undefined,
    help: "Seconds the index may be behind the chain before `/healthcheck` answers 503; unless given any number",
  },
  pending: {
    ...toggle(),
    variable: "TONWIRE_PENDING",
    default: true,
    help: "Whether what is expected of messages sent through this service is shown before it is in a block",
  },
  databaseUrl: {
    ...optionalUrl(["postgres", "postgresql"]),
    variable: "DATABASE_URL",
    default: undefined,
    secret: true,
    help: "PostgreSQL to keep the index in; unless given a database inside the process",
  },
  redisUrl: {
    ...optionalUrl(["redis", "rediss"]),
    variable: "REDIS_URL",
    default: undefined,
    secret: true,
    help: "Redis that several instances share their limits through (needs the package ioredis)",
  },
} satisfies Record<string, Setting>;

type Value<S> = S extends { schema: { _output: infer T } } ? T : never;
type Settings = typeof settings;

/** The effective configuration: every setting with its value. */
export type Config = { readonly [K in keyof Settings]: Value<Settings[K]> };

/** What the service runs with when nothing is said, changed by `overrides`. */
export function configWith(overrides: Partial<Config> = {}): Config {
  const defaults = Object.fromEntries(Object.entries(settings).map(([key, entry]) => [key, entry.default]));
  return { ...(defaults as unknown as Config), ...overrides };
}

/** Where the key store lies. */
export function keysFileOf(config: Pick<Config, "keysFile" | "data">): string {
  return config.keysFile ?? (config.data === undefined ? "tonwire-keys.json" : `${config.data}/keys.json`);
}

/** The configuration cannot be used; every problem found is a line of its own, with the name, the value and what is allowed. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}
