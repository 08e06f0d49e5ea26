import { readFileSync } from "node:fs";
import type { Setting } from "./kinds.js";
import { type Config, ConfigError, configWith, settings } from "./settings.js";

/** Sources of settings other than the configuration file. */
export type ConfigSources = {
  /** Values by setting name, including `config`. */
  flags?: Readonly<Record<string, string | undefined>>;
  env?: Readonly<Record<string, string | undefined>>;
};

/** A configured value and its source. */
type SourcedValue = { key: string; value: unknown; source: string };

const entries = Object.entries(settings) as [keyof Config, Setting][];
/** Names of what is likely to be a secret. */
const secretName = /key|secret|token|pass/i;
const fileVariable = "TONWIRE_CONFIG";

/** The flag of a setting without dashes: `adminPort` becomes `admin-port`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Merges defaults, file, environment and flags, in increasing precedence. Throws `ConfigError` with every problem
 * found.
 */
export function loadConfig({ flags = {}, env = {} }: ConfigSources): Config {
  const problems: string[] = [];
  const file = flags["config"] ?? (env[fileVariable] || undefined);
  const sourced = [
    ...(file === undefined ? [] : fromFile(file, problems)),
    ...fromEnvironment(env, problems),
    ...fromFlags(flags),
  ];
  return read(sourced, problems);
}

/** Values of settings, each with the name under which the caller knows it. Undefined ones are not set. */
export type ConfigValues = {
  readonly [K in keyof Config]?: { readonly name: string; readonly value: unknown };
};

/** The configuration of a program that passes values directly. Throws `ConfigError` with every problem found. */
export function configOf(values: ConfigValues): Config {
  const sourced = Object.entries(values).flatMap(([key, { name, value }]) =>
    value === undefined ? [] : [{ key, value, source: name }],
  );
  return read(sourced, []);
}

/** Later values win. Throws `ConfigError` with the given problems and those of the values. */
function read(sourced: readonly SourcedValue[], problems: string[]): Config {
  const values: Record<string, unknown> = {};
  for (const { key, value, source } of sourced) {
    const setting = settings[key as keyof Config] as Setting;
    const read = setting.schema.safeParse(value);
    if (read.success) values[key] = read.data;
    else problems.push(`${source} is ${shown(setting, value)}; allowed: ${setting.allowed}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return configWith(values as Partial<Config>);
}

function fromFile(path: string, problems: string[]): SourcedValue[] {
  let members: unknown;
  try {
    members = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    problems.push(`configuration file ${path} cannot be used: ${withoutExcerpt((cause as Error).message)}`);
    return [];
  }
  if (typeof members !== "object" || members === null || Array.isArray(members)) {
    problems.push(`configuration file ${path} must contain a JSON object`);
    return [];
  }
  return Object.entries(members).flatMap(([key, value]) => {
    if (Object.hasOwn(settings, key)) return [{ key, value, source: `${key} in ${path}` }];
    const names = entries.map(([known]) => known);
    problems.push(`${path} has an unknown member ${unknownName(key, value)}; allowed: ${names.join(", ")}`);
    return [];
  });
}

/** Messages of `JSON.parse` may end with a part of the text, which may be a secret. */
function withoutExcerpt(message: string): string {
  return message.endsWith(" is not valid JSON") ? `${message.split(", ", 1)[0]} in JSON` : message;
}

function fromEnvironment(env: NonNullable<ConfigSources["env"]>, problems: string[]): SourcedValue[] {
  const variables = entries.map(([, setting]) => setting.variable);
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith("TONWIRE_") || name.startsWith("TONWIRE_TEST_") || name === fileVariable) continue;
    if (!variables.includes(name))
      problems.push(`unknown variable ${unknownName(name, value)}; allowed: ${variables.join(", ")}`);
  }
  // Empty counts as not set: compose files cannot omit a variable.
  return entries.flatMap(([key, { variable }]) =>
    env[variable] ? [{ key, value: env[variable], source: variable }] : [],
  );
}

function fromFlags(flags: NonNullable<ConfigSources["flags"]>): SourcedValue[] {
  return entries.flatMap(([key]) =>
    flags[key] === undefined ? [] : [{ key, value: flags[key], source: `--${flagName(key)}` }],
  );
}

/** The effective configuration as JSON, secrets masked; of URLs the password only. */
export function printConfig(config: Config): string {
  const shownValues = entries.map(([key, setting]) => {
    const value = config[key];
    if (Array.isArray(value) && setting.secret) return [key, value.map((each) => masked(String(each)))];
    return [key, value === undefined ? null : setting.secret ? masked(String(value)) : value];
  });
  return JSON.stringify(Object.fromEntries(shownValues), null, 2);
}

function masked(secret: string): string {
  if (!URL.canParse(secret)) return "***";
  const url = new URL(secret);
  // A URL without a host may hold the secret anywhere.
  if (url.host === "") return "***";
  if (url.password !== "") url.password = "***";
  for (const name of url.searchParams.keys()) if (secretName.test(name)) url.searchParams.set(name, "***");
  return url.href;
}

function shown(setting: Setting, value: unknown): string {
  return setting.secret ? "***" : JSON.stringify(value);
}

/** Masks the value if the misspelt name suggests a secret. */
function unknownName(name: string, value: unknown): string {
  return secretName.test(name) || /url/i.test(name) ? `${name} (***)` : `${name} (${JSON.stringify(value)})`;
}
