import { isDeepStrictEqual } from "node:util";
import { type Config, ConfigError } from "../../config/settings.js";
import type { Log } from "../../observe/log.js";

/** The settings that a running process takes over. */
const changeable = ["logLevel", "logSample", "logParams", "slowMs"] as const;
const isChangeable = (name: string): name is (typeof changeable)[number] =>
  (changeable as readonly string[]).includes(name);

function severity({ levels }: Log, level: string): number {
  return levels.values[level] ?? Number.POSITIVE_INFINITY;
}

/** The settings of a process, of which some change while it runs. */
export class LiveSettings {
  #config: Config;
  readonly #log: Log;
  readonly #listeners: (() => void)[] = [];

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  get current(): Pick<Config, (typeof changeable)[number]> {
    return this.#config;
  }

  /** Calls `listener` whenever the operator asks the process to read its files again. */
  onReload(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the settings again, takes over what can change, and logs what takes a restart. */
  reload(read: () => Config): void {
    this.#takeOver(read);
    for (const listener of this.#listeners) listener();
  }

  #takeOver(read: () => Config): void {
    let next: Config;
    try {
      next = read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#log.error(`the settings stay as they were: ${error.problems.join("; ")}`);
      return;
    }
    const names = Object.keys(next) as (keyof Config)[];
    const changed = names.filter((name) => !isDeepStrictEqual(next[name], this.#config[name]));
    const taken = changed.filter(isChangeable);
    const late = changed.filter((name) => !isChangeable(name));
    const { logLevel, logSample, logParams, slowMs } = next;
    this.#config = { ...this.#config, logLevel, logSample, logParams, slowMs };
    const parts = [
      taken.length === 0
        ? "none has changed that a running process takes over"
        : `${taken.join(", ")} changed`,
      ...(late.length === 0 ? [] : [`${late.join(", ")} will change with a restart`]),
    ];
    const log = this.#log;
    // Both logs have the line.
    if (severity(log, logLevel) < severity(log, log.level)) log.level = logLevel;
    log.info(`the settings were read again: ${parts.join("; ")}`);
    log.level = logLevel;
  }
}
