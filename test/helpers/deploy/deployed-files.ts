import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { mergedCompose } from "./merged-compose.js";

export const folder = fileURLToPath(new URL("../../../.deploy", import.meta.url));

export const textOf = (name: string) => readFileSync(join(folder, name), "utf8");

const yamlOf = (name: string) => parse(textOf(name), { merge: true, strict: true, uniqueKeys: true });

export type ComposeService = {
  image?: string;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  profiles?: string[];
  mem_limit?: string;
  stop_grace_period?: string;
  logging?: { driver: string; options: Record<string, string> };
  healthcheck?: { test: string[] };
};
export type Compose = { services: Record<string, ComposeService>; volumes: Record<string, null> };

/** Result of Docker Compose for the small file, and for both. */
export const compose = (): Compose => yamlOf("compose.yaml");
export const scaledCompose = (): Compose => mergedCompose(yamlOf, "compose.yaml", "compose.scale.yaml");

type Targets = { targets: string[] }[];
type Prometheus = {
  rule_files: string[];
  scrape_configs: {
    job_name: string;
    metrics_path: string;
    static_configs: Targets;
    file_sd_configs: { files: string[] }[];
  }[];
};
export const prometheus = (): Prometheus => yamlOf("prometheus.yml");
export const scaledTargets = (): Targets => yamlOf("scale/targets.yml");

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } };
export const rules = (): Rule[] =>
  yamlOf("alerts.yml").groups.flatMap(({ rules: all }: { rules: Rule[] }) => all);

type Panel = {
  id: number;
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
};
type Dashboard = {
  panels: Panel[];
  templating: { list: { name: string; query: string | { query: string } }[] };
};
export const dashboard = (): Dashboard => JSON.parse(textOf("grafana.json"));

/** The whole configuration of the nginx before two processes, in one file. */
export const balancer = () =>
  textOf("nginx.conf").replace("include /etc/nginx/conf.d/*.conf;", () => textOf("nginx-api.conf"));

/** The same before the processes of both compose files. */
export const scaledBalancer = () =>
  balancer()
    .replace("include /etc/nginx/tonwire/servers*.conf;", () => textOf("scale/nginx-servers.conf"))
    .replace("include /etc/nginx/tonwire/elsewhere*.conf;", () => textOf("scale/nginx-elsewhere.conf"));

/** Instructions of the Dockerfile, as pairs of name and rest, with continued lines joined. */
export function dockerfile(): [instruction: string, rest: string][] {
  const lines = textOf("Dockerfile")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const at = line.indexOf(" ");
    return [line.slice(0, at), line.slice(at + 1)];
  });
}

/** The environment that the image sets for every process. */
export function imageEnvironment(): Record<string, string> {
  const all = dockerfile().filter(([instruction]) => instruction === "ENV");
  return Object.fromEntries(all.flatMap(([, rest]) => rest.split(" ").map((each) => each.split("=", 2))));
}

/** Names of metrics in an expression of PromQL, with the labels by which each is chosen and the values of these. */
export function metricsIn(expression: string): { name: string; labels: Record<string, string> }[] {
  // Brackets after these words contain labels, square brackets contain a time.
  const withoutLabelLists = expression
    .replace(/\[[^\]]*\]/g, "")
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, "");
  const selector = /\b([a-z_][a-z0-9_]*_[a-z0-9_]*|up)\b(?!\s*\()(?:\{([^}]*)\})?/g;
  return [...withoutLabelLists.matchAll(selector)]
    .filter(([name]) => !/^(group_left|group_right)$/.test(name))
    .map(([, name, chosen = ""]) => ({
      name: name!,
      labels: Object.fromEntries(
        [...chosen.matchAll(/(\w+)\s*=~?\s*"([^"]*)"/g)].map(([, label, value]) => [label!, value!]),
      ),
    }));
}
