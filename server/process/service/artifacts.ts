import { bytesToBase64, hexToBytes } from "../../../shared/values/bytes.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { CatalogueThread } from "../../artifacts/catalogue-thread.js";
import { ArtifactFolder } from "../../artifacts/folder.js";
import { readArtifact } from "../../artifacts/formats.js";
import { ArtifactStore } from "../../artifacts/store.js";
import { Verifier } from "../../artifacts/verifier.js";
import { ConfigError } from "../../config/settings.js";
import { compiledContracts } from "../../devnet/contracts/compiled.js";
import { fileState } from "../../os/file-state.js";
import type { Context } from "./context.js";

/** What is known of contracts: the operator's folder and catalogue, as configured, and what callers add; on a devnet also its own contracts. */
export async function openArtifacts({
  config: { network, artifacts, abiCatalog, verifier: url },
  closers,
  log,
  now,
  siblings,
}: Pick<Context, "config" | "closers" | "log" | "now" | "siblings">): Promise<ArtifactStore> {
  const failed = (reason: string) => log.warn(`what the verifier answers is not used: ${reason}`);
  const verifier = url === undefined ? undefined : new Verifier({ url, now, failed });
  if (verifier) closers.add(verifier, (each) => each.close());
  const store = new ArtifactStore({
    verifier,
    isShared: network === "devnet",
    share: siblings && ((change) => siblings.changeArtifacts(change)),
  });
  siblings?.onArtifacts((change) => store.apply(change));
  if (network === "devnet") store.setBuiltIn(await storyArtifacts());
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
    const thread = new CatalogueThread();
    let isClosed = false;
    closers.add(thread, (each) => {
      isClosed = true;
      return each.close();
    });
    // Beside the start, which does not need it.
    void loadCatalogue(abiCatalog, store, thread).catch((error: Error) => {
      if (!isClosed) log.error(`the catalogue ${abiCatalog} is not used: ${error.message}`);
    });
  }
  return store;
}

/** The devnet's own contracts, whose ABIs only services of a devnet load. */
export async function storyArtifacts(): Promise<Artifact[]> {
  const { contractAbis } = await import("../../devnet/contracts/abis.js");
  return Object.entries(compiledContracts).flatMap(([name, { hash }]) => {
    const read = readArtifact(`${name}.tolk`, JSON.parse(contractAbis[name]!));
    return read ? { ...read, trust: "built in", codeHashes: [bytesToBase64(hexToBytes(hash)!)] } : [];
  });
}

/** Reads the catalogue of a file into the store. */
export async function loadCatalogue(
  path: string,
  store: ArtifactStore,
  thread = new CatalogueThread(),
): Promise<void> {
  const { contracts, revision } = await thread.read(path);
  store.setCatalogue(contracts, revision);
}
