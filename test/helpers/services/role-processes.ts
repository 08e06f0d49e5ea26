import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../free-port.js";
import { temporaryFolder } from "../temporary-folder.js";
import { until } from "../until.js";
import { TonwireProcess } from "./command.js";
import { CommandHere } from "./command-here.js";
import { type DevnetService, startDevnetService } from "./devnet-service.js";

/** A key without limits for every `api`. */
export const key = "k";
/** Long enough that no call times out. */
const callMs = 400_000;

type Place = {
  /** Without one the process has no index. */
  databaseUrl?: string;
  globalConfig: string;
  network?: string;
  /** By default a free port. */
  adminPort?: number;
};

/** A devnet without an index, and the global configuration file for other processes. */
export async function devnetWithGateway(): Promise<{ devnet: DevnetService; globalConfig: string }> {
  const globalConfig = join(temporaryFolder(), "devnet.json");
  const devnet = await startDevnetService({ liteserverPort: 0, liteserverConfig: globalConfig });
  onTestFinished(() => devnet.close());
  return { devnet, globalConfig };
}

/** The arguments and the environment of a command on an index. */
function commandOf(
  args: readonly string[],
  { databaseUrl, globalConfig, network = "devnet" }: Place,
  adminPort: number,
) {
  const env = {
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    TONWIRE_DEVNET_KEY: key,
    TONWIRE_ANONYMOUS_RPS: "unlimited",
    TONWIRE_CALL_TIMEOUT_MS: String(callMs),
  };
  const place = ["--network", network, "--global-config", globalConfig, "--admin-port", String(adminPort)];
  return [[...args, ...place], { env }] as const;
}

type Launch<Process> = (args: readonly string[], options: { env: Record<string, string> }) => Process;
type Launched = Pick<TonwireProcess | CommandHere, "stdout" | "stderr" | "ended" | "printed">;

/** The `/status` of any kind of process. */
async function adminOf(process: Launched, port: number) {
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => `the admin listener of:\n${process.stdout}${process.stderr}`,
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
  );
  return {
    status: async () => (await (await fetch(`${url}/status`)).json()) as Status,
    metrics: async () => (await fetch(`${url}/metrics`)).text(),
    /** Its status, and the reason as the operator sees it. */
    health: async (only = "all") => {
      const answer = await fetch(`${url}/healthcheck?only=${only}`);
      return [answer.status, await answer.text()] as const;
    },
  };
}

type Gaps = { count: number; blocks: number; ranges: { from: number; to: number }[] };

type Status = {
  answers: Record<string, string>;
  degraded: string[];
  index: {
    role: string;
    seqno: number;
    chain_seqno: number;
    lag_sec: number;
    failure: string | null;
    queued_accounts: number;
    gaps: Gaps;
    history_from: number | null;
    states?: { workchain: number; shard: string; mc_seqno: number; accounts: number; done: boolean }[];
  } | null;
  backfill?: { blocks: number; missing: number } | null;
};

/** The commands of one way to run them. */
function rolesBy<Process extends Launched>(launch: Launch<Process>) {
  return {
    async startIndex(place: Place, ...flags: string[]) {
      const port = place.adminPort ?? (await freePort());
      const process = launch(...commandOf(["index", ...flags], place, port));
      return { process, ...(await adminOf(process, port)) };
    },
    /** Stores the accounts of a file. */
    launchBootstrap: (place: Place, file: string, ...flags: string[]) =>
      launch(...commandOf(["index", "--bootstrap", file, ...flags], place, 0)),
    /** Status can only be read from a backfill with work left: without any, it exits immediately. */
    async startBackfill(place: Place, ...flags: string[]) {
      const port = await freePort();
      const process = launch(...commandOf(["backfill", ...flags], place, port));
      return { process, admin: () => adminOf(process, port) };
    },
    async startApi(place: Place, ...flags: string[]) {
      const port = await freePort();
      const process = launch(...commandOf(["api", "--port", "0", ...flags], place, port));
      const admin = await adminOf(process, port);
      const url = await process.printed(/serves \S+ at (\S+)\n/);
      const headers = {
        "Content-Type": "application/json",
        ...(place.network === undefined && { "X-API-Key": key }),
      };
      const ask = async (path: string, init: RequestInit = {}) => {
        const answer = await fetch(url + path, { ...init, headers });
        const text = await answer.text();
        return [answer.status, text.startsWith("{") ? JSON.parse(text) : text] as [number, never];
      };
      return { process, ...admin, url, ask, lastSeqno: () => lastSeqno(ask) };
    },
  };
}

/** As programs of their own, which can be killed. */
export const { startIndex, startApi, startBackfill, launchBootstrap } = rolesBy(
  (args, options) => new TonwireProcess(args, options),
);

/** The same commands in this process, for tests that end none of them suddenly. */
export const here = rolesBy((args, options) => new CommandHere(args, options));

export type Api = Awaited<ReturnType<typeof startApi>>;

/** The newest block of the index, as returned by `api`. */
async function lastSeqno(ask: (path: string) => Promise<[number, { last?: { seqno: number } }]>) {
  const [, answer] = await ask("/api/v3/masterchainInfo");
  return answer.last?.seqno;
}
