import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Address } from "../../../shared/values/address.js";
import { parseGlobalConfig } from "../../chain/liteservers/global-config.js";
import { publishedAt } from "../../chain/networks/published.js";
import { type ShippedNetwork, shippedFile, shippedNetworks } from "../../chain/networks/shipped.js";
import { flagName } from "../../config/load.js";
import { type Config, ConfigError } from "../../config/settings.js";
import type { ForkOptions, OriginOptions } from "../../devnet/fork/origin.js";

/** Settings that need a fork. */
const details = ["forkBlock", "forkKey", "forkJettons"] as const;
const maxJettons = 256;
/** The folder of the origin's answers in the data folder. */
const folderName = "fork";

/** The fork that the settings describe. Throws `ConfigError` for settings that exclude each other. */
export function forkOptionsOf(config: Config): ForkOptions | undefined {
  confirmFork(config);
  const { data, forkBlock: block, forkTime: time } = config;
  const source = sourceOf(config);
  if (!source) return undefined;
  const folder = data === undefined ? undefined : join(data, folderName);
  return { origin: { ...source, block, folder }, time };
}

/** Throws `ConfigError` for settings of forks that exclude others. */
export function confirmFork({ network, globalConfig, devnetElections, ...config }: Config): void {
  const { fork, forkUrl } = config;
  if (fork === undefined && forkUrl === undefined) {
    const lonely = details.find((key) => config[key] !== undefined);
    if (lonely)
      throw new ConfigError([
        `--${flagName(lonely)} needs ${lonely === "forkKey" ? "" : "--fork or "}--fork-url`,
      ]);
    return;
  }
  forkJettonsOf(config);
  const flag = fork === undefined ? "--fork-url" : "--fork";
  const problems = [
    fork !== undefined &&
      forkUrl !== undefined &&
      "--fork and --fork-url name two networks: leave one of them out",
    forkUrl === undefined && config.forkKey !== undefined && "--fork-key needs --fork-url",
    network !== "devnet" && `${flag} makes a devnet: leave out --network ${network}`,
    globalConfig !== undefined &&
      `--global-config reads the devnet of another process: leave it out, or name its file with --fork to fork that devnet`,
    devnetElections !== "off" && `a fork holds no elections: leave out --devnet-elections, or ${flag}`,
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new ConfigError(problems);
}

/** The jetton masters in the setting, or in the file that it names. Throws `ConfigError` for any other text. */
export function forkJettonsOf({ forkJettons: setting }: Pick<Config, "forkJettons">): Address[] {
  if (setting === undefined) return [];
  const list = wordsOf(setting);
  const masters = list.some((each) => Address.read(each)) ? list : wordsOf(readJettons(setting));
  if (masters.length > maxJettons)
    throw new ConfigError([`--fork-jettons has ${masters.length} jetton masters, more than ${maxJettons}`]);
  return masters.map((text) => {
    const read = Address.read(text);
    if (read) return read.address;
    throw new ConfigError([`--fork-jettons has ${JSON.stringify(text.slice(0, 100))}, which is no address`]);
  });
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((each) => each !== "");
}

function readJettons(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigError([
      `--fork-jettons is ${JSON.stringify(path)}, which has no address and cannot be read as a file: ${(cause as Error).message}`,
    ]);
  }
}

function sourceOf({ fork, forkUrl: url, forkKey: key, globalConfigUrl }: Config): OriginOptions | undefined {
  if (url !== undefined) return { kind: "url", url, key };
  if (fork === undefined) return undefined;
  const shipped = shippedNetworks.find((each) => each === fork);
  if (shipped) {
    const config = readFileSync(shippedFile(shipped), "utf8");
    return { kind: "liteservers", name: shipped, config, ...newestList(shipped, globalConfigUrl) };
  }
  return { kind: "liteservers", name: basename(fork), config: readConfig(fork) };
}

function newestList(network: ShippedNetwork, url: string | undefined): { listUrl?: string } {
  return url === "off" ? {} : { listUrl: url ?? publishedAt[network] };
}

function readConfig(path: string): string {
  // It is not repeated: it may have a password.
  if (/^https?:\/\//i.test(path)) throw new ConfigError(["--fork is a URL, which --fork-url takes"]);
  try {
    const text = readFileSync(path, "utf8");
    parseGlobalConfig(text);
    return text;
  } catch (cause) {
    throw new ConfigError([
      `--fork is ${JSON.stringify(path)}, which is not mainnet or testnet and cannot be used as a file: ${(cause as Error).message}`,
    ]);
  }
}
