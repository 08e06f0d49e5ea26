import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../server/config/load.js";
import { settings } from "../../server/config/settings.js";
import { drainMs } from "../../server/process/context/shutdown.js";
import {
  balancer,
  type Compose,
  type ComposeService,
  compose,
  folder,
  imageEnvironment,
  prometheus,
  scaledBalancer,
  scaledCompose,
  scaledTargets,
} from "../helpers/deploy/deployed-files.js";
import { freePort } from "../helpers/free-port.js";
import { haveRedis, redisServer } from "../helpers/peers/redis.js";
import { findPrograms } from "../helpers/store/postgres.js";
import { valuesOf } from "./units.js";

const canRunRedis = await haveRedis();
const programs = findPrograms();

type Set = {
  composed: Compose;
  roles: readonly (readonly [name: string, command: string])[];
  /** Files of nginx, and those of Prometheus. */
  configuration: string;
  targets: readonly string[];
  servers: readonly string[];
};

const [scraped] = prometheus().scrape_configs;
const targetsOf = (all: readonly { targets: string[] }[]) => all.flatMap(({ targets }) => targets);
const small: Set = {
  composed: compose(),
  roles: [
    ["index", "index"],
    ["api-1", "api"],
    ["api-2", "api"],
  ],
  configuration: balancer(),
  targets: targetsOf(scraped!.static_configs),
  servers: ["database"],
};
const scaled: Set = {
  composed: scaledCompose(),
  roles: [...small.roles, ["index-2", "index"], ["api-3", "api"], ["api-4", "api"]],
  configuration: scaledBalancer(),
  targets: [...small.targets, ...targetsOf(scaledTargets())],
  servers: ["database", "standby"],
};

describe.each([
  ["the compose file", small],
  ["the compose file with the one for scale", scaled],
])("%s", (_title, { composed, roles, configuration, targets, servers }) => {
  const { services, volumes } = composed;
  const own = Object.entries(services).filter(([, { image }]) => image === "tonwire");
  const read = ({ environment }: ComposeService) =>
    loadConfig({ env: { ...imageEnvironment(), ...withoutSubstitutions(environment ?? {}) } });

  it("runs processes that write the index, and others that answer", () => {
    expect(own.map(([name, { command }]) => [name, command])).toEqual(
      roles.map(([name, command]) => [name, [command]]),
    );
  });

  it.each(own)("gives %s settings that exist", (_, service) => {
    const variables = Object.values(settings).map(({ variable }) => variable as string);
    expect(variables).toEqual(expect.arrayContaining(Object.keys(service.environment ?? {})));
    const config = read(service);
    expect(config).toMatchObject({ network: "mainnet", host: "0.0.0.0", data: "/data" });
    const mounted = (service.volumes ?? []).map((each) => each.split(":")[1]!);
    const paths = [config.data, config.globalConfig, config.keysFile].filter((path) => path !== undefined);
    for (const path of paths) expect(mounted.some((place) => path.startsWith(place))).toBe(true);
  });

  it("limits memory and logs, checks health, and waits for the end of calls", () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, service.logging?.options]).toEqual([name, { "max-size": "50m", "max-file": "5" }]);
      expect([name, service.healthcheck?.test[0]]).toEqual([name, "CMD"]);
    }
    for (const [, { mem_limit, stop_grace_period }] of own) {
      expect(mem_limit?.toUpperCase()).toBe(valuesOf("tonwire-single.service", "MemoryMax")[0]);
      expect(Number.parseInt(stop_grace_period!, 10) * 1000).toBeGreaterThanOrEqual(2 * drainMs);
    }
  });

  it("lets the processes that answer count calls together", () => {
    const { redisUrl } = read(services["api-1"]!);
    for (const [name] of roles.filter(([, command]) => command === "api"))
      expect([name, read(services[name]!).redisUrl]).toEqual([name, redisUrl]);
    expect(new URL(redisUrl!).hostname).toBe("redis");
    expect([services["redis"]!.profiles, new URL(redisUrl!).port]).toEqual([undefined, "6379"]);
  });

  it.runIf(canRunRedis)("starts a Redis with settings that it knows", async () => {
    const [, ...settings] = services["redis"]!.command!;
    const port = await freePort();
    const redis = spawn(redisServer, [...settings, "--port", String(port)], { stdio: "ignore" });
    onTestFinished(() => void redis.kill("SIGKILL"));
    const client = new Redis(port, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on("error", () => {});
    onTestFinished(() => client.disconnect());
    expect(await client.ping()).toBe("PONG");
    expect(await client.config("GET", "maxmemory")).toEqual(["maxmemory", String(96 * 1024 * 1024)]);
  });

  it.runIf(programs).each(servers)("gives PostgreSQL settings that it knows, as the %s", (server) => {
    const [program, ...given] = services[server]!.command!;
    expect(program).toBe("postgres");
    const { stdout } = spawnSync(join(programs!, "postgres"), ["--describe-config"], { encoding: "utf8" });
    const known = stdout.split("\n").map((line) => line.split("\t")[0]);
    const names = given.map((setting) => /^--(\w+)=\w+$/.exec(setting)?.[1]);
    expect(names).toContain("max_locks_per_transaction");
    expect(known).toEqual(expect.arrayContaining(names));
  });

  it("mounts files that lie beside it, and volumes that it declares", () => {
    const sources = Object.values(services).flatMap(({ volumes: all = [] }) =>
      all.map((each) => each.split(":")[0]!),
    );
    const files = sources.filter((source) => source.startsWith("./"));
    for (const file of files) expect(existsSync(join(folder, file))).toBe(true);
    const named = new Set(sources.filter((source) => !source.startsWith("./")));
    expect([...named].sort()).toEqual(Object.keys(volumes).sort());
  });

  it("agrees with nginx and Prometheus about ports", () => {
    const upstream = [...configuration.matchAll(/^ *server ([\w-]+):(\d+)/gm)];
    const answering = own.filter(([, { command }]) => command?.[0] === "api");
    expect(upstream.map(([, name, port]) => [name, Number(port)])).toEqual(
      // One upstream for all calls, and one for retries of calls that a process could not answer.
      [...answering, ...answering].map(([name, service]) => [name, read(service).port]),
    );
    expect([scraped!.metrics_path, prometheus().scrape_configs.length]).toEqual(["/metrics", 1]);
    expect([...targets].sort()).toEqual(
      own.map(([name, service]) => `${name}:${read(service).adminPort}`).sort(),
    );
    for (const [, service] of own) expect(read(service).adminHost).toBe("0.0.0.0");
    for (const file of prometheus().rule_files) expect(existsSync(join(folder, file))).toBe(true);
    const listening = /listen (\d+);/.exec(configuration)![1];
    expect(services["nginx"]!.ports).toEqual([`80:${listening}`]);
    const limit = Number(/client_max_body_size (\d+)m;/.exec(configuration)![1]);
    expect(limit * 1024 * 1024).toBe(settings.maxBodyBytes.default);
  });
});

/** Values as compose gives them if the variables that they name are set. */
function withoutSubstitutions(environment: Record<string, string>): Record<string, string> {
  const entries = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/\$\{[^}]*\}/g, "secret"),
  ]);
  return Object.fromEntries(entries);
}
