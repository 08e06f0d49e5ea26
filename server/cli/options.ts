import { type Command, Option } from "commander";
import { type Setting, settingGroups } from "../config/kinds.js";
import { flagName } from "../config/load.js";
import { type Config, settings } from "../config/settings.js";

/** The names of all settings, except `without`. */
export function configKeys({ without = [] }: { without?: readonly (keyof Config)[] } = {}): (keyof Config)[] {
  return (Object.keys(settings) as (keyof Config)[]).filter((key) => !without.includes(key));
}

/**
 * Adds the flags of the given settings (default: all) by groups, and `--config`. Values are passed on as text. Boolean
 * settings also work without a value: `--story` and `--no-story`.
 */
export function addConfigOptions(command: Command, keys: readonly (keyof Config)[] = configKeys()): Command {
  for (const group of settingGroups)
    for (const key of keys.filter((each) => settings[each].group === group)) {
      const setting: Setting = settings[key];
      const negated = isToggle(setting) ? [new Option(`--no-${flagName(key)}`).hideHelp()] : [];
      for (const option of [optionOf(key, setting), ...negated])
        command.addOption(option.helpGroup(`${headingOf(group)}:`));
    }
  return command.option("--config <file>", "Configuration file, JSON (env: TONWIRE_CONFIG)");
}

/** The title of a group of settings. */
export function headingOf(group: string): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}`;
}

function optionOf(key: string, setting: Setting): Option {
  const { help, allowed, variable, default: initial } = setting;
  const shown = initial === undefined ? "" : `, default: ${shownDefault(initial)}`;
  const value = isToggle(setting) || setting.bare !== undefined ? "[value]" : "<value>";
  const option = new Option(`--${flagName(key)} ${value}`, `${help} (${allowed}; env: ${variable}${shown})`);
  return setting.bare === undefined ? option : option.preset(setting.bare);
}

const isToggle = ({ default: initial, bare }: Setting) => typeof (initial ?? bare) === "boolean";

/** A default value as a user would write it. */
export function shownDefault(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "object" && value !== null && "hops" in value ? String(value.hops) : String(value);
}
