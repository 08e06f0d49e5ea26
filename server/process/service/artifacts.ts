import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToBase64, hexToBytes } from "../../../shared/values/bytes.js";
import type { Access } from "../../access/access.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { readCatalogueFile } from "../../artifacts/catalogue-process.js";
import { Claims } from "../../artifacts/claims.js";
import { ArtifactFolder } from "../../artifacts/folder.js";
import { readArtifact } from "../../artifacts/formats.js";
import { sourcesRegistry } from "../../artifacts/sources-registry.js";
import { ArtifactStore } from "../../artifacts/store.js";
import { verifierAt } from "../../artifacts/verifier.js";
import { paidTurns } from "../../chain/paid-turns.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import { ConfigError } from "../../config/settings.js";
import { type ContractDeps, getMethodsAt } from "../../contracts/methods-at.js";
import { compiledContracts } from "../../devnet/contracts/compiled.js";
import { internet } from "../../metadata/network.js";
import { pacedDownload } from "../../metadata/paced-download.js";
import { fileState } from "../../os/file-state.js";
import type { Context } from "../context/context.js";

type Parts = Pick<
  Context,
  "config" | "closers" | "log" | "now" | "siblings" | "metadataNetwork" | "metadataHostIntervalMs"
>;
/** The chain, for registries on it. */
type ChainParts = ContractDeps & { reader: Pick<ChainReader, "last"> };

/**
 * Opens the store of contracts' files: the operator's folder and catalogue, as configured, what callers add while their keys are valid,
 * and what others claim; on a devnet also its own contracts.
 */
export async function openArtifacts(
  context: Parts,
  chain: ChainParts,
  keys: Pick<Access, "planOf" | "onRevoked"> | undefined,
): Promise<ArtifactStore> {
  const { config, closers, log, siblings } = context;
  const { network, artifacts, abiCatalog } = config;
  const store = new ArtifactStore({
    claims: openClaims(context, chain),
    isShared: network === "devnet",
    share: siblings && ((change) => siblings.changeArtifacts(change)),
  });
  siblings?.onArtifacts((change) => store.apply(change, paidTurns()));
  keys?.onRevoked(() => store.forgetOwners((owner) => keys.planOf(owner) !== undefined));
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
    const closing = new AbortController();
    // Beside the start, which does not need it.
    const reading = loadCatalogue(abiCatalog, store, closing.signal).catch((error: Error) => {
      if (!closing.signal.aborted) log.error(`the catalogue ${abiCatalog} is not used: ${error.message}`);
    });
    closers.add(closing, async (each) => {
      each.abort();
      await reading;
    });
  }
  return store;
}

/** Absent if the operator names nobody who is asked. */
function openClaims(
  { config, closers, log, now, metadataNetwork: network = internet, metadataHostIntervalMs }: Parts,
  { reader, runner }: ChainParts,
): Claims | undefined {
  const { verifier, sourcesRegistry: registries, metadataIpfsGateway: ipfsGateway, metadataHttp } = config;
  if (verifier === undefined && registries === undefined) return undefined;
  const methods = (signal: AbortSignal) => {
    const call: RunCall = { signal, lane: "index" };
    return getMethodsAt(reader.last, { reader, runner }, call);
  };
  const download = pacedDownload({
    ...{ network, ipfsGateway, plainHttp: metadataHttp, now },
    hostIntervalMs: metadataHostIntervalMs,
  });
  const claims = new Claims({
    now,
    failed: (reason) => log.warn(`what is claimed of a code is not used: ${reason}`),
    sources: [
      ...(verifier === undefined ? [] : verifierAt(verifier)),
      ...(registries ?? []).map(({ registry, verifier }) =>
        sourcesRegistry({ registry: Address.read(registry)!.address, verifier }, { methods, download }),
      ),
    ],
  });
  return closers.add(claims, (each) => each.close());
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
export async function loadCatalogue(path: string, store: ArtifactStore, signal?: AbortSignal): Promise<void> {
  const { contracts, revision } = await readCatalogueFile(path, signal);
  store.setCatalogue(contracts, revision);
}
