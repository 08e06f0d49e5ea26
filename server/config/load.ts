import { readFileSync } from "node:fs";
import type { Setting } from "./kinds.js";
import { type Config, ConfigError, configWith, settings } from "./settings.js";

export type ConfigSources = {
  /** Values by setting name, `config` among them. */
  flags?: Readonly<Record<string, string | undefined>>;
  env?: Readonly<Record<string, string | undefined>>;
};

/** A value somebody wrote, and where. */
type Given = { key: string; value: unknown; place: string };

const entries = Object.entries(settings) as [keyof Config, Setting][];
const fileVariable = "TONWIRE_CONFIG";

/** `adminPort` -> `admin-port`, the flag without its dashes. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Defaults, then the file, the environment and the flags, each stronger than the one before. */
export function loadConfig({ flags = {}, env = {} }: ConfigSources): Config {
  const problems: string[] = [];
  const file = flags["config"] ?? (env[fileVariable] || undefined);
  const given = [
    ...(file === undefined ? [] : fromFile(file, problems)),
    ...fromEnvironment(env, problems),
    ...fromFlags(flags),
  ];
  const values: Record<string, unknown> = {};
  for (const { key, value, place } of given) {
    const setting = settings[key as keyof Config] as Setting;
    const read = setting.schema.safeParse(value);
    if (read.success) values[key] = read.data;
    else problems.push(`${place} is ${shown(setting, value)}; allowed: ${setting.allowed}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return configWith(values as Partial<Config>);
}

function fromFile(path: string, problems: string[]): Given[] {
  let members: unknown;
  try {
    members = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    problems.push(`configuration file ${path} cannot be used: ${(cause as Error).message}`);
    return [];
  }
  if (typeof members !== "object" || members === null || Array.isArray(members)) {
    problems.push(`configuration file ${path} must hold one JSON object`);
    return [];
  }
  return Object.entries(members).flatMap(([key, value]) => {
    if (Object.hasOwn(settings, key)) return [{ key, value, place: `${key} in ${path}` }];
    const names = entries.map(([known]) => known);
    problems.push(`${path} has an unknown member ${unknownName(key, value)}; allowed: ${names.join(", ")}`);
    return [];
  });
}

function fromEnvironment(env: NonNullable<ConfigSources["env"]>, problems: string[]): Given[] {
  const variables = entries.map(([, setting]) => setting.variable);
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith("TONWIRE_") || name.startsWith("TONWIRE_TEST_") || name === fileVariable) continue;
    if (!variables.includes(name))
      problems.push(`unknown variable ${unknownName(name, value)}; allowed: ${variables.join(", ")}`);
  }
  // Empty counts as not set: container files cannot leave a variable out.
  return entries.flatMap(([key, { variable }]) =>
    env[variable] ? [{ key, value: env[variable], place: variable }] : [],
  );
}

function fromFlags(flags: NonNullable<ConfigSources["flags"]>): Given[] {
  return entries.flatMap(([key]) =>
    flags[key] === undefined ? [] : [{ key, value: flags[key], place: `--${flagName(key)}` }],
  );
}

/** The effective configuration as JSON, secrets masked. */
export function printConfig(config: Config): string {
  const shownValues = entries.map(([key, setting]) => {
    const value = config[key];
    return [key, value === undefined ? null : setting.secret ? "***" : value];
  });
  return JSON.stringify(Object.fromEntries(shownValues), null, 2);
}

function shown(setting: Setting, value: unknown): string {
  return setting.secret ? "***" : JSON.stringify(value);
}

/** A misspelt name may carry a secret all the same. */
function unknownName(name: string, value: unknown): string {
  return /key|secret|token|pass|url/i.test(name) ? `${name} (***)` : `${name} (${JSON.stringify(value)})`;
}
