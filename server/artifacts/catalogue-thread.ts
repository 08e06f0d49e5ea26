import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { Thread } from "../os/channel/thread.js";
import type { Artifact } from "./artifact.js";
import { artifactsOf, type ListedContract } from "./catalogue.js";

/** Contracts are parsed one by one, and most of their memory is free again soon. */
const settings = { resourceLimits: { maxYoungGenerationSizeMb: 8 } };

/** The call of the thread. */
export type CatalogueSide = {
  read(path: string): Promise<{ listed: ListedContract[]; revision: string }>;
};

/**
 * A worker thread that reads the catalogue in a file: its text and JSON take many times the memory of what is kept, which
 * ends with the thread, and the start of a service does not wait for it.
 */
export class CatalogueThread {
  readonly #thread = new Thread<CatalogueSide>({
    ...{ url: import.meta.url, entry: "catalogue-worker", settings, isBackground: true },
    errors: { AbiError },
    ended: (failure) => failure ?? new Error("stopped"),
  });

  /** The contracts of the file, and the SHA-256 of it in hex. */
  async read(path: string): Promise<{ contracts: Artifact[]; revision: string }> {
    try {
      const { listed, revision } = await this.#thread.ask("read", path);
      return { contracts: artifactsOf(listed), revision };
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#thread.stop();
  }
}
