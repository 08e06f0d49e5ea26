import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readCatalogue } from "../../artifacts/catalogue.js";
import { ArtifactFolder } from "../../artifacts/folder.js";
import { ArtifactStore } from "../../artifacts/store.js";
import { ConfigError } from "../../config/settings.js";
import { fileState } from "../../os/file-state.js";
import type { Context } from "./context.js";

const maxCatalogueBytes = 64 << 20;

/** What is known of contracts: the operator's folder and catalogue, as configured, and what callers add. */
export async function openArtifacts({
  config: { network, artifacts, abiCatalog },
  closers,
  log,
  siblings,
}: Pick<Context, "config" | "closers" | "log" | "siblings">): Promise<ArtifactStore> {
  const store = new ArtifactStore({
    isShared: network === "devnet",
    share: siblings && ((change) => siblings.changeArtifacts(change)),
  });
  siblings?.onArtifacts((change) => store.apply(change));
  if (artifacts !== undefined) {
    const folder = new ArtifactFolder(artifacts, {
      read: (found) => {
        store.setOwn(found);
        log.info({ artifacts: found.length }, `read the artifacts in ${artifacts}`);
      },
      failed: (reason) => log.warn(reason),
    });
    closers.add(folder, (each) => each.close());
    await folder.start();
  }
  if (abiCatalog !== undefined) {
    if (fileState(abiCatalog) === undefined)
      throw new ConfigError([`--abi-catalog: ${abiCatalog} cannot be read`]);
    // Beside the start, which does not need it.
    void loadCatalogue(abiCatalog, store).catch((error: Error) =>
      log.error(`the catalogue ${abiCatalog} is not used: ${error.message}`),
    );
  }
  return store;
}

/** Reads the catalogue of a file into the store. */
export async function loadCatalogue(path: string, store: ArtifactStore): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length > maxCatalogueBytes) throw new Error("more than 64 MiB");
  const revision = createHash("sha256").update(bytes).digest("hex");
  store.setCatalogue(await readCatalogue(path, JSON.parse(bytes.toString("utf8"))), revision);
}
