import { type Command, Option } from "commander";
import { type Config, settings } from "../config.js";
import { flagName } from "../load-config.js";
import type { Setting } from "../setting.js";

/** Adds the flags of the given settings, or of all, and `--config`. The values stay text for the configuration. */
export function addConfigOptions(
  command: Command,
  keys = Object.keys(settings) as (keyof Config)[],
): Command {
  command.option("--config <file>", "Configuration file, JSON (env: TONWIRE_CONFIG)");
  for (const key of keys) command.addOption(optionOf(key, settings[key]));
  return command;
}

function optionOf(key: string, { help, allowed, variable, default: initial }: Setting): Option {
  const shown = initial === undefined ? "" : `, default: ${shownDefault(initial)}`;
  return new Option(`--${flagName(key)} <value>`, `${help} (${allowed}; env: ${variable}${shown})`);
}

/** A default as somebody would write it. */
export function shownDefault(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "object" && value !== null && "hops" in value ? String(value.hops) : String(value);
}
