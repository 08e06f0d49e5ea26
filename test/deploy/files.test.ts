import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDevnetKeyRequired } from "../../server/access/local-request.js";
import { loadConfig } from "../../server/config/load.js";
import { settings, usualAdminPort } from "../../server/config/settings.js";
import { errorTable } from "../../shared/rpc/errors.js";
import {
  compose,
  dashboard,
  dockerfile,
  folder,
  imageEnvironment,
  metricsIn,
  prometheus,
  rules,
  textOf,
} from "../helpers/deploy/deployed-files.js";
import { freePort } from "../helpers/free-port.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { until } from "../helpers/until.js";
import { environmentOf } from "./units.js";

const top = join(folder, "..");
const project = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

/** Metrics by name, with the labels that their samples have. */
type Found = Map<string, Set<string>>;

function readMetrics(text: string, into: Found): void {
  for (const line of text.split("\n")) {
    const [, type] = /^# TYPE (\S+) (?!histogram)/.exec(line) ?? [];
    const [, sample, labels = ""] = /^([a-z]\w*)(?:\{(.*)\})? /.exec(line) ?? [];
    const name = type ?? sample;
    if (name === undefined) continue;
    const known = into.get(name) ?? new Set();
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
    into.set(name, known);
  }
}

describe("dashboards and alerts", () => {
  const found: Found = new Map();
  const services: TestService[] = [];
  beforeAll(async () => {
    const data = folderInRun("tonwire-deploy-");
    const globalConfig = join(folderInRun("tonwire-deploy-"), "devnet.json");
    const everything = await startService({
      index: true,
      data,
      liteserverPort: 0,
      liteserverConfig: globalConfig,
      adminPort: await freePort(),
    });
    services.push(everything);
    // Metrics of a service that reads its chain from liteservers.
    const reader = await startService({ network: "testnet", globalConfig, adminPort: await freePort() });
    services.push(reader);
    await untilIndexed(everything, 1);
    for (const service of services) {
      await service.rpc("getMasterchainInfo");
      readMetrics(await (await fetch(`${service.adminUrl}/metrics`)).text(), found);
    }
  });
  afterAll(() => Promise.all(services.map((service) => service.close())));

  const fromPrometheus = ["instance", "job"];

  const expectKnown = (expression: string) => {
    const used = metricsIn(expression);
    expect(used, expression).not.toEqual([]);
    for (const { name, labels } of used) {
      if (name === "up") continue;
      expect([...found.keys()]).toContain(name);
      const known = [...found.get(name)!, ...fromPrometheus];
      // A metric that counts events has no labels before the first of them.
      if (found.get(name)!.size > 0) expect(known).toEqual(expect.arrayContaining(Object.keys(labels)));
      const outcomes = labels["outcome"]?.split("|") ?? [];
      expect(Object.keys(errorTable)).toEqual(expect.arrayContaining(outcomes));
      if (labels["job"])
        expect(prometheus().scrape_configs.map(({ job_name }) => job_name)).toContain(labels["job"]);
    }
  };

  it("alert rules name metrics that a service has", () => {
    for (const { alert, expr, labels, annotations } of rules()) {
      expect(alert).toMatch(/^Tonwire[A-Z]\w+$/);
      expect(["warning", "critical"]).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\$labels\.(instance|job)|\$value/);
      expectKnown(expr);
    }
    const watched = new Set(rules().flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name)));
    for (const name of [
      "tonwire_index_lag_seconds",
      "tonwire_liteserver_alive",
      "tonwire_event_loop_delay_seconds",
      "tonwire_calls_total",
      "tonwire_data_disk_free_bytes",
      "tonwire_database_standby_lag_seconds",
      "tonwire_database_standby_used",
      "tonwire_database_lost_notifications_total",
    ])
      expect(watched).toContain(name);
  });

  it("the dashboard names metrics that a service has", () => {
    const { panels, templating } = dashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const shown = panels.filter(({ type }) => type !== "row");
    const variables = templating.list.map(({ name }) => name);
    for (const { targets = [] } of shown) {
      expect(targets).not.toEqual([]);
      for (const { expr, legendFormat } of targets) {
        expectKnown(expr);
        for (const [, variable] of expr.matchAll(/\$(?!__)(\w+)/g)) expect(variables).toContain(variable);
        // Labels in the legend must be labels that the expression keeps.
        const kept = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(", ");
        const own = metricsIn(expr).flatMap(({ name }) => [...found.get(name)!]);
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect(kept ?? (own.length > 0 ? [...own, "instance"] : [label])).toContain(label);
      }
    }
    for (const { query } of templating.list)
      for (const [, name] of (typeof query === "string" ? "" : query.query).matchAll(/label_values\((\w+),/g))
        expect([...found.keys()]).toContain(name);
  });

  const [, imageCheck] = dockerfile().find(([instruction]) => instruction === "HEALTHCHECK")!;
  const ofImage = JSON.parse(imageCheck.slice(imageCheck.indexOf("CMD ") + 4)) as string[];
  const [, ...ofCompose] = compose().services["index"]!.healthcheck!.test;

  it.each([
    ["the image", ofImage],
    ["Compose", ofCompose],
  ])("the health check of %s succeeds while the service is healthy, and then fails", async (_, check) => {
    const [command, ...checked] = check;
    expect(command).toBe("node");
    // Not synchronous: the service answers in this process.
    const statusAt = async (port: string) => {
      const env = { ...process.env, TONWIRE_ADMIN_PORT: port };
      const args = checked.map((each) => each.replace(`:${usualAdminPort}/`, `:${port}/`));
      const [code] = await once(spawn(process.execPath, args, { env, stdio: "ignore" }), "exit");
      return code as number;
    };
    const { adminUrl } = services[0]!;
    let reason = "";
    // A machine that stands still may make it unhealthy for a moment.
    await until(
      () => `success of the check while the service answers: ${reason}`,
      async () => {
        reason = await (await fetch(`${adminUrl}/healthcheck?only=all`)).text();
        return (await statusAt(new URL(adminUrl!).port)) === 0;
      },
    );
    expect(await statusAt(String(await freePort()))).toBe(1);
  });
});

describe("the Dockerfile", () => {
  it("makes a devnet ask every caller for its key", () => {
    const config = loadConfig({ env: imageEnvironment() });
    expect([config.network, isDevnetKeyRequired(config)]).toEqual(["devnet", true]);
  });

  const steps = dockerfile();
  const of = (instruction: string) => steps.filter(([name]) => name === instruction).map(([, rest]) => rest);

  it("builds with the tested commands, and runs the packed service", async () => {
    const [install, pack] = of("RUN") as [string, string];
    expect(readFileSync(join(top, ".ci", "run"), "utf8").split("\n")).toContain(install);
    expect([pack, Object.keys(project.scripts)]).toEqual([
      "npm run pack -- /packed",
      expect.arrayContaining(["pack"]),
    ]);
    const [, redisClient] = / (ioredis@\d+)$/.exec(
      of("RUN").find((each) => each.includes("/packed/tonwire-"))!,
    )!;
    expect(`ioredis@^${redisClient!.split("@")[1]}.0.0`).toBe(`ioredis@${project.peerDependencies.ioredis}`);
    const { packages } = await import(join(top, ".ci", "packages.mjs"));
    const [name] = /tonwire-server/.exec(of("RUN").find((each) => each.includes("/packed/tonwire-"))!)!;
    const [command] = JSON.parse(of("ENTRYPOINT")[0]!) as [string];
    expect(Object.keys(packages[name].manifest.bin)).toContain(command.split("/").at(-1));
    expect(JSON.parse(of("CMD")[0]!)).toEqual(["start"]);
  });

  it("leaves out nothing that it builds from", () => {
    const ignored = textOf("Dockerfile.dockerignore").split("\n");
    for (const needed of [
      "shared",
      "client",
      "server",
      ".ci",
      "package.json",
      "package-lock.json",
      "LICENSE",
    ])
      expect(ignored).not.toContain(needed);
  });

  it("runs as a user without rights, on a supported version of Node, with settings that exist", () => {
    expect(of("USER")).toEqual(["node"]);
    expect(of("EXPOSE")).toEqual([`${settings.port.default} ${usualAdminPort}`]);
    const [, major] = /node:(\d+)-/.exec(of("ARG")[0]!)!;
    expect(Number(major)).toBeGreaterThanOrEqual(20);
    const { HOST, TONWIRE_DATA, NODE_ENV, MALLOC_MMAP_THRESHOLD_: threshold, ...others } = imageEnvironment();
    expect([HOST, TONWIRE_DATA, NODE_ENV, others]).toEqual(["0.0.0.0", "/data", "production", {}]);
    expect(environmentOf("tonwire-single.service")["MALLOC_MMAP_THRESHOLD_"]).toBe(threshold);
    expect(of("VOLUME")).toEqual([TONWIRE_DATA]);
  });
});
