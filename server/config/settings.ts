import { healthScopes } from "../../shared/values/health-scopes.js";
import {
  choice,
  fraction,
  hashes,
  integer,
  optionalBlock,
  optionalChoice,
  optionalDnsRoots,
  optionalFraction,
  optionalHex,
  optionalInteger,
  optionalKey,
  optionalNetworks,
  optionalRate,
  optionalRegistries,
  optionalText,
  optionalToggle,
  optionalUrl,
  optionalUrlOrOff,
  processes,
  type Setting,
  text,
  toggle,
  trustProxy,
  url,
  urls,
} from "./kinds.js";

/** The networks that can be served. */
export const networks = ["devnet", "mainnet", "testnet"] as const;
export type Network = (typeof networks)[number];

/**
 * Every setting of the service. The key is the name in the configuration file; its kebab-case form is the flag. To
 * add a setting, add an entry: loading, `--help`, `--print-config` and the table in `server/config/README.md` are derived from it.
 */
export const settings = {
  host: {
    ...text("a host name or address"),
    group: "start",
    variable: "HOST",
    default: "127.0.0.1",
    help: "Address the public listener binds to",
  },
  port: {
    ...integer(0, 65535),
    group: "start",
    variable: "PORT",
    default: 8081,
    help: "Port of the public listener; 0 for any free port",
  },
  publicUrl: {
    ...optionalUrl(["http", "https"]),
    group: "operation",
    variable: "TONWIRE_PUBLIC_URL",
    default: undefined,
    help: "URL at which callers reach the service, for `servers` in the API documents. Default: the one that a document was fetched from",
  },
  adminPort: {
    ...optionalInteger(0, 65535),
    group: "operation",
    variable: "TONWIRE_ADMIN_PORT",
    default: undefined,
    help: "Port for /metrics, /status and /healthcheck; 0 to disable. Default: 8082; where it is taken, a devnet uses any free port",
  },
  adminHost: {
    ...text("a host name or address"),
    group: "operation",
    variable: "TONWIRE_ADMIN_HOST",
    default: "127.0.0.1",
    help: "Address that port binds to. It needs no key: set another one only in a network that you trust",
  },
  processes: {
    ...processes(),
    group: "operation",
    variable: "TONWIRE_PROCESSES",
    default: 1,
    help: "Processes that answer calls on one port, with common limits and metrics; `auto` for one per core, without the core of a database on this machine. More than one need `--database-url`, or `--index false`",
  },
  network: {
    ...choice(networks),
    group: "start",
    variable: "TONWIRE_NETWORK",
    default: "devnet",
    help: "Network to serve; API keys of other networks are refused",
  },
  data: {
    ...optionalText("a folder"),
    group: "start",
    variable: "TONWIRE_DATA",
    default: undefined,
    help: "Folder for persistent data",
  },
  cache: {
    ...optionalText("a folder"),
    group: "operation",
    variable: "TONWIRE_CACHE",
    default: undefined,
    help: "Folder for files that later starts reuse, such as a devnet's first blocks and their index; `off` for none. Default: `tonwire` in the user's cache folder",
  },
  artifacts: {
    ...optionalText("a folder"),
    group: "operation",
    variable: "TONWIRE_ARTIFACTS",
    default: undefined,
    help: "Folder with the build of your contracts: ABIs of Tolk and Tact, outputs of their compilers and FunC's, codes compiled by Blueprint, and schemes in TL-B. Its files are read again when they change; answers then name the messages, get-methods and errors of these contracts",
  },
  abiCatalog: {
    ...optionalText("a file"),
    group: "operation",
    variable: "TONWIRE_ABI_CATALOG",
    default: undefined,
    help: "Catalogue of ABIs by code hashes, in the format of ton-blockchain/abis (`schemaVersion` 1)",
  },
  verifier: {
    ...optionalUrl(["http", "https"]),
    group: "operation",
    variable: "TONWIRE_VERIFIER",
    default: undefined,
    help: "Verifier of contracts with the API of Acton's, which is asked for ABIs and sources by code hashes that callers ask about. They are its claims, as `trust` says",
  },
  sourcesRegistry: {
    ...optionalRegistries(),
    group: "operation",
    variable: "TONWIRE_SOURCES_REGISTRY",
    default: undefined,
    help: "Registries of contracts' sources on the chain (TEP-91), each with a verifier whose items are read: sources of codes that callers ask about are fetched from where the item links to. They are that verifier's claims. The documents come from any public server, those of IPFS by `--metadata-ipfs-gateway`.",
  },
  keysFile: {
    ...optionalText("a file"),
    group: "operation",
    variable: "TONWIRE_KEYS_FILE",
    default: undefined,
    help: "Key store in a file. Default: `keys.json` in the data folder, or `./tonwire-keys.json` without a data folder",
  },
  keyStore: {
    ...optionalChoice(["file", "database"]),
    group: "operation",
    variable: "TONWIRE_KEY_STORE",
    default: undefined,
    help: "Where API keys are: in a file, or in the database of `--database-url`, from where all processes learn of changes. Default: `database` with `--database-url` and without `--keys-file`, otherwise `file`",
  },
  devnetKey: {
    ...optionalKey(),
    group: "start",
    variable: "TONWIRE_DEVNET_KEY",
    default: undefined,
    secret: true,
    help: "API key of the devnet, without limits. Default: the one in `devnet.key` beside the key store, or without `--data` and `--keys-file` a new key at every start",
  },
  devnetKeyRequired: {
    ...optionalToggle(),
    group: "network",
    variable: "TONWIRE_DEVNET_KEY_REQUIRED",
    default: undefined,
    bare: true,
    help: "Ask every caller who changes the devnet for an API key. Callers on the same machine then have the limit of all others, too. Default: true with `--trust-proxy` or a `--host` that is not loopback, otherwise only callers over HTTP/1.0 and, on Linux, those of other users need one. With false no caller on the same machine needs one, nor does one behind a proxy that adds no header",
  },
  devnetSeed: {
    ...text("any text"),
    group: "network",
    variable: "TONWIRE_DEVNET_SEED",
    default: "tonwire",
    help: "Seed of the devnet's zero state and wallet keys",
  },
  story: {
    ...toggle(),
    group: "start",
    variable: "TONWIRE_STORY",
    default: true,
    help: "Create sample contracts and transactions on a new devnet",
  },
  mining: {
    ...choice(["interval", "message", "manual"]),
    group: "start",
    variable: "TONWIRE_MINING",
    default: "interval",
    help: "When the devnet makes blocks: at an interval while messages wait, for every message, or on request",
  },
  miningIntervalMs: {
    ...integer(50, 60_000),
    group: "network",
    variable: "TONWIRE_MINING_INTERVAL_MS",
    default: 400,
    help: "Milliseconds between blocks in mining mode `interval`",
  },
  clock: {
    ...choice(["wall", "fixed"]),
    group: "network",
    variable: "TONWIRE_CLOCK",
    default: "wall",
    help: "Clock of the devnet: the machine's clock, or one second per block",
  },
  devnetRewards: {
    ...toggle(),
    group: "network",
    variable: "TONWIRE_DEVNET_REWARDS",
    default: false,
    help: "Create block rewards on the devnet, as other networks do",
  },
  devnetElections: {
    ...choice(["off", "short", "long"]),
    group: "network",
    variable: "TONWIRE_DEVNET_ELECTIONS",
    default: "off",
    bare: "short",
    help: "Hold elections of validators on a new devnet: a set stays for twenty minutes, or as long as on mainnet",
  },
  devnetValidators: {
    ...optionalInteger(1, 16),
    group: "network",
    variable: "TONWIRE_DEVNET_VALIDATORS",
    default: undefined,
    help: "Validators of a new devnet. Default: 1, with elections 3",
  },
  fork: {
    ...optionalText("mainnet, testnet or a file"),
    group: "start",
    variable: "TONWIRE_FORK",
    default: undefined,
    help: "Begin the devnet where this network stands, read from its liteservers with proofs: `mainnet`, `testnet`, or the global configuration file of any network",
  },
  forkUrl: {
    ...optionalUrl(["https", "http"]),
    group: "network",
    variable: "TONWIRE_FORK_URL",
    default: undefined,
    secret: true,
    help: "Begin the devnet where a network stands, read without proofs from a service with TON Center's API v2, such as `https://toncenter.com/api/v2`",
  },
  forkKey: {
    ...optionalKey(),
    group: "network",
    variable: "TONWIRE_FORK_KEY",
    default: undefined,
    secret: true,
    help: "API key for `--fork-url`",
  },
  forkBlock: {
    ...optionalInteger(1, 0x7ffffffe),
    group: "network",
    variable: "TONWIRE_FORK_BLOCK",
    default: undefined,
    help: "Masterchain block at which a fork begins. Default: the newest one at the first start",
  },
  forkTime: {
    ...choice(["now", "block"]),
    group: "network",
    variable: "TONWIRE_FORK_TIME",
    default: "now",
    help: "Time at which a fork goes on: the present, or that of its first block",
  },
  forkJettons: {
    ...optionalText("jetton masters separated by commas, or a file with one per line"),
    group: "network",
    variable: "TONWIRE_FORK_JETTONS",
    default: undefined,
    help: "Jetton masters, separated by commas or in the lines of a file, whose wallets a fork looks up for every owner that v3 is asked about, at most 256. Default: none; wallets are found by other means",
  },
  print: {
    ...toggle(),
    group: "network",
    variable: "TONWIRE_PRINT",
    default: false,
    help: "Show on the terminal (standard error) what contracts of a devnet print, by instructions such as DUMPSTK and STRDUMP: in transactions and in get-methods that callers run",
  },
  latency: {
    ...integer(0, 60_000),
    group: "network",
    variable: "TONWIRE_LATENCY",
    default: 0,
    help: "Milliseconds that a devnet waits before it runs a call, to show how a program takes it; `devnet.*` methods do not wait",
  },
  failRate: {
    ...fraction(),
    group: "network",
    variable: "TONWIRE_FAIL_RATE",
    default: 0,
    help: "Share of calls to a devnet that fail with `timeout` or `unavailable`, for the same purpose",
  },
  anonymousRps: {
    ...optionalRate(),
    group: "start",
    variable: "TONWIRE_ANONYMOUS_RPS",
    default: undefined,
    help: "Calls per second of a client address without an API key, or `unlimited`. Default: 1, but on a devnet no limit for callers on the same machine, unless these need a key",
  },
  trustProxy: {
    ...trustProxy(),
    group: "operation",
    variable: "TONWIRE_TRUST_PROXY",
    default: { hops: 0 },
    help: "Proxies whose `X-Forwarded-For` is trusted: their number, or their networks",
  },
  webhookNetworks: {
    ...optionalNetworks(),
    group: "limits",
    variable: "TONWIRE_WEBHOOK_NETWORKS",
    default: undefined,
    help: "Networks in which webhooks may have receivers, besides the public internet: on any port, and by HTTP too",
  },
  maxBodyBytes: {
    ...integer(1024, 64 * 1024 * 1024),
    group: "limits",
    variable: "TONWIRE_MAX_BODY_BYTES",
    default: 1_048_576,
    help: "Maximum size of a request body or WebSocket message",
  },
  unknownParams: {
    ...choice(["refuse", "ignore"]),
    group: "limits",
    variable: "TONWIRE_UNKNOWN_PARAMS",
    default: "refuse",
    help: "Treatment of unknown parameters of `/jsonRPC`. Everything under `/api/` ignores them",
  },
  maxBatch: {
    ...integer(1, 10_000),
    group: "limits",
    variable: "TONWIRE_MAX_BATCH",
    default: 100,
    help: "Maximum calls per batch",
  },
  maxAnswerBytes: {
    ...integer(65_536, 1024 * 1024 * 1024),
    group: "limits",
    variable: "TONWIRE_MAX_ANSWER_BYTES",
    default: 33_554_432,
    help: "Maximum size of an answer. Results that do not fit are refused with 413; so are the other calls of a batch that is full",
  },
  maxUnreadBytes: {
    ...integer(65_536, 1024 * 1024 * 1024),
    group: "limits",
    variable: "TONWIRE_MAX_UNREAD_BYTES",
    default: 33_554_432,
    help: "Maximum bytes of answers that a key or address leaves unread. Batches wait for their reader; results beyond it are refused with 413",
  },
  maxTotalUnreadBytes: {
    ...integer(65_536, 64 * 1024 * 1024 * 1024),
    group: "limits",
    variable: "TONWIRE_MAX_TOTAL_UNREAD_BYTES",
    default: 67_108_864,
    help: "Maximum bytes of unread answers of all callers together. A caller gets at most as much as stays free",
  },
  callTimeoutMs: {
    ...integer(100, 600_000),
    group: "limits",
    variable: "TONWIRE_CALL_TIMEOUT_MS",
    default: 10_000,
    help: "Deadline of a call. SQL statements of v3 time out after 30 % of it, but not before 3000 ms",
  },
  runTimeoutMs: {
    ...integer(50, 600_000),
    group: "limits",
    variable: "TONWIRE_RUN_TIMEOUT_MS",
    default: 5000,
    help: "Longest processor time of one run of a contract for a get-method or an estimate",
  },
  getMethodGasLimit: {
    ...integer(1000, 1_000_000_000),
    group: "limits",
    variable: "TONWIRE_GET_METHOD_GAS_LIMIT",
    default: 4_000_000,
    help: "Gas that a get-method may use that a caller runs. Ordinary code uses a million in 10 to 60 ms of processor time",
  },
  tvmWasm: {
    ...optionalText("a file"),
    group: "network",
    variable: "TONWIRE_TVM_WASM",
    default: undefined,
    help: "Another WebAssembly build of the emulator, as @ton/sandbox has it: `emulator-emscripten.wasm.js`, or a `.wasm` file, with its JavaScript beside it",
  },
  logLevel: {
    ...choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    group: "operation",
    variable: "TONWIRE_LOG_LEVEL",
    default: "info",
    help: "Minimum severity of log lines",
  },
  logFormat: {
    ...optionalChoice(["pretty", "json"]),
    group: "operation",
    variable: "TONWIRE_LOG_FORMAT",
    default: undefined,
    help: "Form of log lines, which go to standard error: `pretty` for people, with the blocks of a devnet, or `json` for programs. Default: `pretty` in a terminal, elsewhere `json`",
  },
  logSample: {
    ...optionalFraction(),
    group: "operation",
    variable: "TONWIRE_LOG_SAMPLE",
    default: undefined,
    help: "Share of successful calls that are logged. Slow and failed calls are always logged, refused ones up to 10 in a second. Default: 0.01, on a devnet with the log format `pretty` 1",
  },
  logParams: {
    ...toggle(),
    group: "operation",
    variable: "TONWIRE_LOG_PARAMS",
    default: false,
    help: "Log the short values of parameters of slow, failed and refused calls, not only their names and sizes. Secrets, bags of cells and what calls with an effect were sent are never logged",
  },
  slowMs: {
    ...integer(1, 600_000),
    group: "operation",
    variable: "TONWIRE_SLOW_MS",
    default: 1000,
    help: "Duration from which a call is logged as slow",
  },
  globalConfig: {
    ...optionalText("a file"),
    group: "network",
    variable: "TONWIRE_GLOBAL_CONFIG",
    default: undefined,
    help: "Global configuration of the network, with its liteservers and the block that proofs start from. For the devnet: the configuration of the process that runs it. Default: for mainnet and testnet the one that comes with the program",
  },
  globalConfigUrl: {
    ...optionalUrlOrOff(["https", "http"]),
    group: "network",
    variable: "TONWIRE_GLOBAL_CONFIG_URL",
    default: undefined,
    help: "Address of the newest list of liteservers, of which nothing but their addresses is used; it is read at the start without `--global-config`. Default: where the network publishes its global configuration",
  },
  verifyProofs: {
    ...toggle(),
    group: "network",
    variable: "TONWIRE_VERIFY_PROOFS",
    default: true,
    help: "Require proofs for the answers of liteservers; without, they are trusted",
  },
  liteserverPort: {
    ...optionalInteger(0, 65535),
    group: "network",
    variable: "TONWIRE_LITESERVER_PORT",
    default: undefined,
    help: "Port of a liteserver that serves the chain to other TON programs; 0 for any free port",
  },
  liteserverHost: {
    ...text("a host name or address"),
    group: "network",
    variable: "TONWIRE_LITESERVER_HOST",
    default: "127.0.0.1",
    help: "Address the liteserver binds to",
  },
  liteserverConfig: {
    ...optionalText("a file"),
    group: "network",
    variable: "TONWIRE_LITESERVER_CONFIG",
    default: undefined,
    help: "File to write the global configuration of that liteserver to. Default: `global.config.json` in the data folder",
  },
  index: {
    ...toggle(),
    group: "index",
    variable: "TONWIRE_INDEX",
    default: true,
    help: "Keep the index that API v3 reads",
  },
  from: {
    ...optionalBlock(),
    group: "index",
    variable: "TONWIRE_INDEX_FROM",
    default: undefined,
    help: "First masterchain block of the index; an index that started later is backfilled to it. Default: 1 on a devnet, elsewhere the newest block at the first start",
  },
  healthMaxLag: {
    ...optionalInteger(0, 1_000_000_000),
    group: "operation",
    variable: "TONWIRE_HEALTH_MAX_LAG",
    default: undefined,
    help: "Seconds the index may lag behind the chain before `/healthcheck` counts v3 as not answered. Without it no index is too old to answer; in processes that answer v3, one that was level with the chain and lags by 120 s is reported as degraded",
  },
  healthOnly: {
    ...choice(healthScopes),
    group: "operation",
    variable: "TONWIRE_HEALTH_ONLY",
    default: "any",
    help: "Scope of `/healthcheck` without `only` in its query: 503 if neither v2 nor v3 is answered (any), if one of the named is not, or if anything does not work as usual (all)",
  },
  stopDelay: {
    ...integer(0, 3600),
    group: "operation",
    variable: "TONWIRE_STOP_DELAY",
    default: 0,
    help: "Seconds that a process goes on answering after it was asked to stop, while `/healthcheck` answers 503: the time in which load balancers leave it",
  },
  healthMaxHeadAge: {
    ...integer(0, 1_000_000_000),
    group: "operation",
    variable: "TONWIRE_HEALTH_MAX_HEAD_AGE",
    default: 60,
    help: "Age in seconds of the newest block that the liteservers of mainnet or testnet have, above which `/healthcheck` counts v2 as not answered",
  },
  pending: {
    ...toggle(),
    group: "index",
    variable: "TONWIRE_PENDING",
    default: true,
    help: "Emulate messages sent through this service, and show the expected transactions before they are in a block",
  },
  dnsRoots: {
    ...optionalDnsRoots(),
    group: "index",
    variable: "TONWIRE_DNS_ROOTS",
    default: undefined,
    help: "Collections whose items are domain names, each with its zone, `ton` or `t.me`. Default: those of mainnet or testnet; on a devnet the collection that its DNS root names for `ton`",
  },
  poolCodeHashes: {
    ...hashes(),
    group: "index",
    variable: "TONWIRE_POOL_CODE_HASHES",
    default: [],
    help: "Hashes of further code that counts as a nominator pool, in addition to the published one and, on a devnet, the devnet's",
  },
  metadataFetch: {
    ...choice(["off", "on", "all"]),
    group: "index",
    variable: "TONWIRE_METADATA_FETCH",
    default: "off",
    help: "Fetch the metadata that tokens link to, from any public server: `on` for tokens that answers contain, `all` also for each new token. Metadata within a link, `data:application/json`, are read without it",
  },
  metadataHttp: {
    ...toggle(),
    group: "index",
    variable: "TONWIRE_METADATA_HTTP",
    default: false,
    help: "Fetch metadata from links of the scheme http too, not only https and ipfs",
  },
  metadataIpfsGateway: {
    ...url(["https", "http"]),
    group: "index",
    variable: "TONWIRE_METADATA_IPFS_GATEWAY",
    default: "https://ipfs.io/ipfs/",
    help: "Public gateway for links of the scheme ipfs, as the beginning of a URL that the content id completes",
  },
  metadataOverrides: {
    ...optionalText("a file"),
    group: "index",
    variable: "TONWIRE_METADATA_OVERRIDES",
    default: undefined,
    help: "JSON file of metadata that overrides the tokens' own: by address, an object with `is_nsfw`, `is_scam`, any other members, and `marketplace`, the name of a marketplace that has this address or sells this collection. Stored by the process that writes the index, when it starts and at SIGHUP",
  },
  spamList: {
    ...optionalText("a file"),
    group: "index",
    variable: "TONWIRE_SPAM_LIST",
    default: undefined,
    help: "Text file of tokens to flag as scams: a line for each, with its address and, after a space, any comment; lines that begin with `#` are comments. An entry of the metadata overrides that has `is_scam` wins. Stored like these",
  },
  imageProxy: {
    ...optionalUrl(["http", "https"]),
    group: "index",
    variable: "TONWIRE_IMAGE_PROXY",
    default: undefined,
    help: "URL of an imgproxy with the presets `small`, `medium` and `big`; metadata links to it for the images of tokens that public hosts have, on port 443 or 80, or IPFS, and the explorer shows these",
  },
  imageProxyKey: {
    ...optionalHex(),
    group: "index",
    variable: "TONWIRE_IMAGE_PROXY_KEY",
    default: undefined,
    secret: true,
    help: "Key of the image proxy, which its links are signed with",
  },
  imageProxySalt: {
    ...optionalHex(),
    group: "index",
    variable: "TONWIRE_IMAGE_PROXY_SALT",
    default: undefined,
    secret: true,
    help: "Salt of the image proxy, which its links are signed with",
  },
  databaseUrl: {
    ...optionalUrl(["postgres", "postgresql"]),
    group: "start",
    variable: "DATABASE_URL",
    default: undefined,
    secret: true,
    help: "PostgreSQL database of the index. Default: an embedded database",
  },
  databaseLayout: {
    ...choice(["tonwire", "toncenter"]),
    group: "index",
    variable: "TONWIRE_DATABASE_LAYOUT",
    default: "tonwire",
    help: "Whose tables the database has: those of this program, or of TON Center's ton-indexer, from which `tonwire api` answers v3 and to which nothing is written",
  },
  databaseReadUrls: {
    ...urls(["postgres", "postgresql"]),
    group: "index",
    variable: "DATABASE_READ_URLS",
    default: [],
    secret: true,
    help: "Standbys of that database, or nodes of its Citus cluster and their standbys, also behind poolers, from which calls of v3 are answered. Default: the database itself",
  },
  databaseReadPooled: {
    ...toggle(),
    group: "index",
    variable: "TONWIRE_DATABASE_READ_POOLED",
    default: false,
    help: "Whether the URLs of standbys lead through a pooler in transaction mode, such as PgBouncer: statements are then sent without names",
  },
  databaseReadConnections: {
    ...integer(1, 1000),
    group: "index",
    variable: "TONWIRE_DATABASE_READ_CONNECTIONS",
    default: 4,
    help: "Connections of this process to each standby for answers. Slow answers have two more, and one more ends them",
  },
  databaseMaxReplayLagMs: {
    ...integer(50, 600_000),
    group: "index",
    variable: "TONWIRE_DATABASE_MAX_REPLAY_LAG_MS",
    default: 2000,
    help: "Milliseconds that a standby may lag behind the database. After that it is left out until it has caught up; without any other, the database itself answers",
  },
  databaseReadHedgeMs: {
    ...integer(20, 600_000),
    group: "index",
    variable: "TONWIRE_DATABASE_READ_HEDGE_MS",
    default: 200,
    help: "Milliseconds after which a read that a standby has not begun to answer is asked of another one too, or of the database itself. A standby that does not answer at all for as long again, while another server does, is left out. The database itself is asked after as long whether it answers at all",
  },
  takeoverMs: {
    ...integer(3000, 600_000),
    group: "index",
    variable: "TONWIRE_TAKEOVER_MS",
    default: 10_000,
    help: "Milliseconds without a sign of life of a process that writes the index, delivers webhooks or has a part of that work, after which another one ends its connections to the database and takes over",
  },
  mergedTablespace: {
    ...optionalText("the name of a tablespace"),
    group: "index",
    variable: "TONWIRE_MERGED_TABLESPACE",
    default: undefined,
    help: "Tablespace of PostgreSQL in which slots are stored that are merged from now on, such as one on a filesystem that compresses, or on a slower disk. The user of the database needs the right to create in it. Default: that of the database",
  },
  redisUrl: {
    ...optionalUrl(["redis", "rediss"]),
    group: "operation",
    variable: "REDIS_URL",
    default: undefined,
    secret: true,
    help: "Redis or Valkey for rate limits shared by several instances, and for `--bus redis` (needs the package ioredis)",
  },
  bus: {
    ...choice(["database", "redis"]),
    group: "operation",
    variable: "TONWIRE_BUS",
    default: "database",
    help: "How the processes of an index tell each other of sent messages and new blocks: by notifications of the database, or by channels of Redis or Valkey, where there are many messages or processes. All processes of an index need the same",
  },
} satisfies Record<string, Setting>;

type Value<S> = S extends { schema: { _output: infer T } } ? T : never;
type Settings = typeof settings;

/** The effective configuration: every setting with its value. */
export type Config = { readonly [K in keyof Settings]: Value<Settings[K]> };

/** The default configuration with `overrides` applied. */
export function configWith(overrides: Partial<Config> = {}): Config {
  const defaults = Object.fromEntries(Object.entries(settings).map(([key, entry]) => [key, entry.default]));
  return { ...(defaults as unknown as Config), ...overrides };
}

/** The operator's port where none is set. */
export const usualAdminPort = 8082;

/** Path of the key store. */
export function keysFileOf(config: Pick<Config, "keysFile" | "data">): string {
  return config.keysFile ?? (config.data === undefined ? "tonwire-keys.json" : `${config.data}/keys.json`);
}

/** The configured key store. Throws `ConfigError` for a database that is not configured. */
export function keyStoreOf({
  keyStore,
  keysFile,
  databaseUrl,
}: Pick<Config, "keyStore" | "keysFile" | "databaseUrl">): "file" | "database" {
  if (keyStore === "database" && databaseUrl === undefined)
    throw new ConfigError(["--key-store database needs --database-url"]);
  return keyStore ?? (databaseUrl !== undefined && keysFile === undefined ? "database" : "file");
}

/** Invalid configuration. Each problem is one line with the name, the value and the allowed values. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}
