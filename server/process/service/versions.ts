import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { networkVersion, readableConfig } from "../../../shared/ton/run/readable-config.js";
import { differences } from "../../../shared/ton/run/versions.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import type { Log } from "../../observe/log.js";

/** Known versions of the network's rules and of the executor's. */
type Versions = {
  /** Global versions; undefined while they are not known. */
  executor: number | undefined;
  network: number | undefined;
  /** Differences for callers because the executor is older. */
  differences: readonly string[];
  /** Parameters of the configuration that transactions get in an older form. */
  adapted: readonly number[];
  /** Why no transactions can be run with the configuration. */
  refusal: string | undefined;
};

type Parts = {
  reader: Pick<ChainReader, "last" | "config">;
  head: Pick<ChainHead, "onMoved">;
  executor: () => Promise<number>;
  log: Pick<Log, "info" | "warn">;
  now: () => number;
  /** How long what is known is not looked at again. */
  restMs: number;
};

const unknown: Versions = {
  ...{ executor: undefined, network: undefined, refusal: undefined },
  ...{ differences: [], adapted: [] },
};

/** Compares the network's version with the executor's, at the start and as the configuration changes. */
export class VersionWatch {
  readonly #parts: Parts;
  #known: Versions = unknown;
  #shown = "";
  #root: Cell | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  readonly #unsubscribe: () => void;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.executor().then(
      (executor) => {
        this.#known = { ...this.#known, executor };
      },
      // Calls that run a contract get this error.
      () => {},
    );
    this.#unsubscribe = parts.head.onMoved(() => {
      if (parts.now() - this.#lookedAt >= parts.restMs) void this.look();
    });
  }

  get known(): Versions {
    return this.#known;
  }

  /** Headers of answers that were computed by transactions of the executor. */
  headers(): Record<string, string> {
    const { executor, network } = this.#known;
    if (executor === undefined) return {};
    const isNewer = network !== undefined && network > executor;
    return {
      "X-Executor-Version": String(executor),
      ...(isNewer && { "X-Network-Version": String(network) }),
    };
  }

  look(): Promise<void> {
    this.#looking ??= this.#look()
      // Calls get this error if the chain cannot be read or the executor cannot be started.
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  close(): void {
    this.#unsubscribe();
  }

  async #look(): Promise<void> {
    const { reader, executor, now } = this.#parts;
    const { root, params } = await reader.config(reader.last);
    this.#lookedAt = now();
    if (root === this.#root) return;
    this.#know(await executor(), root, params);
    this.#root = root;
  }

  #know(executor: number, root: Cell, params: ConfigDictionary): void {
    const network = networkVersion(params);
    this.#known = {
      ...{ executor, network },
      differences: network === undefined ? [] : differences(executor, network),
      ...adaptation(root, executor),
    };
    const shown = JSON.stringify(this.#known);
    if (shown !== this.#shown) this.#tell();
    this.#shown = shown;
  }

  #tell(): void {
    const { log } = this.#parts;
    const { executor, network, differences, adapted, refusal } = this.#known;
    const versions = { executorVersion: executor, networkVersion: network };
    if (refusal !== undefined) log.warn({ ...versions, reason: refusal }, "no transactions can be run");
    else if (differences.length === 0 && adapted.length === 0)
      log.info(versions, "the executor knows the network's rules");
    else
      log.warn(
        { ...versions, differences, adaptedParams: adapted },
        "the executor is older than the network",
      );
  }
}

function adaptation(root: Cell, executor: number): Pick<Versions, "adapted" | "refusal"> {
  try {
    return { adapted: readableConfig(root, executor).adapted, refusal: undefined };
  } catch (error) {
    return { adapted: [], refusal: error instanceof Error ? error.message : String(error) };
  }
}

/** The versions as members of `/status`. */
export function versionStatus({ executor, network, differences, adapted, refusal }: Versions) {
  return {
    executor: {
      version: executor ?? null,
      network_version: network ?? null,
      differences,
      adapted_params: adapted,
      ...(refusal !== undefined && { refusal }),
    },
  };
}
