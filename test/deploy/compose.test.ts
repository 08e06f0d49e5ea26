import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../server/config/load.js";
import { settings } from "../../server/config/settings.js";
import { drainMs } from "../../server/process/cut-off.js";
import { freePort } from "../helpers/free-port.js";
import { findPrograms } from "../helpers/postgres.js";
import { haveRedis, redisServer } from "../helpers/redis.js";
import {
  balancer,
  type ComposeService,
  compose,
  folder,
  imageEnvironment,
  prometheus,
} from "./deployed-files.js";
import { valuesOf } from "./units.js";

const canRunRedis = await haveRedis();
const programs = findPrograms();

describe("the compose file", () => {
  const { services, volumes } = compose();
  const own = Object.entries(services).filter(([, { image }]) => image === "tonwire");
  const read = ({ environment }: ComposeService) =>
    loadConfig({ env: { ...imageEnvironment(), ...withoutSubstitutions(environment ?? {}) } });

  it("runs one process that writes the index, and two that answer", () => {
    expect(own.map(([name, { command }]) => [name, command])).toEqual([
      ["index", ["index"]],
      ["api-1", ["api"]],
      ["api-2", ["api"]],
    ]);
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

  it("limits memory and logs, knows who is well, and waits for the end of calls", () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, service.logging?.options]).toEqual([name, { "max-size": "50m", "max-file": "5" }]);
      // The image of the service has its own.
      if (service.image !== "tonwire") expect([name, service.healthcheck?.test[0]]).toEqual([name, "CMD"]);
    }
    for (const [, { mem_limit, stop_grace_period }] of own) {
      expect(mem_limit?.toUpperCase()).toBe(valuesOf("tonwire-single.service", "MemoryMax")[0]);
      expect(Number.parseInt(stop_grace_period!, 10) * 1000).toBeGreaterThanOrEqual(2 * drainMs);
    }
  });

  it("lets the processes that answer count calls together", () => {
    const { redisUrl } = read(services["api-1"]!);
    expect(read(services["api-2"]!).redisUrl).toBe(redisUrl);
    expect(new URL(redisUrl!).hostname).toBe("redis");
    expect([services["redis"]!.profiles, new URL(redisUrl!).port]).toEqual([undefined, "6379"]);
  });

  it.runIf(canRunRedis)("starts a Redis with settings that it knows", async () => {
    const [, ...settings] = services["redis"]!.command!;
    const port = await freePort();
    const redis = spawn(redisServer, [...settings, "--port", String(port)], { stdio: "ignore" });
    onTestFinished(() => void redis.kill("SIGKILL"));
    const client = new Redis(port, { retryStrategy: () => 20 });
    client.on("error", () => {});
    onTestFinished(() => client.disconnect());
    expect(await client.ping()).toBe("PONG");
    expect(await client.config("GET", "maxmemory")).toEqual(["maxmemory", String(96 * 1024 * 1024)]);
  });

  it.runIf(programs)("gives PostgreSQL settings that it knows", () => {
    const [, ...given] = services["database"]!.command!;
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
    const upstream = [...balancer().matchAll(/^ *server ([\w-]+):(\d+)/gm)];
    const answering = own.filter(([, { command }]) => command?.[0] === "api");
    expect(upstream.map(([, name, port]) => [name, Number(port)])).toEqual(
      // Once for all calls, and once for those that another one could not answer.
      [...answering, ...answering].map(([name, service]) => [name, read(service).port]),
    );
    const [{ static_configs, metrics_path }, ...others] = prometheus().scrape_configs as [
      ReturnType<typeof prometheus>["scrape_configs"][0],
    ];
    expect([metrics_path, others]).toEqual(["/metrics", []]);
    expect(static_configs.flatMap(({ targets }) => targets).sort()).toEqual(
      own.map(([name, service]) => `${name}:${read(service).adminPort}`).sort(),
    );
    for (const [, service] of own) expect(read(service).adminHost).toBe("0.0.0.0");
    for (const file of prometheus().rule_files) expect(existsSync(join(folder, file))).toBe(true);
    const listening = /listen (\d+);/.exec(balancer())![1];
    expect(services["nginx"]!.ports).toEqual([`80:${listening}`]);
    const limit = Number(/client_max_body_size (\d+)m;/.exec(balancer())![1]);
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
