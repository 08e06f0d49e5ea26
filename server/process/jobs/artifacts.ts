import { AbiError } from "../../../shared/ton/abi/abi-error.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { artifactRows, describeContract } from "../../artifacts/describe.js";
import { ArtifactFolder } from "../../artifacts/folder.js";
import { ArtifactStore } from "../../artifacts/store.js";
import { type Config, ConfigError } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { loadCatalogue } from "../service/artifacts.js";

/** The artifacts of the configured folder and catalogue, as `tonwire abi` prints them. */
type FoundArtifacts = {
  /** Files that are not used, with the reason. */
  readonly problems: readonly string[];
  rows(): string[][];
  /** The contracts of a name, a file or a code hash in base64. */
  describe(wanted: string): string[];
};

/** Reads the artifacts as a service with these settings does. */
export async function readArtifacts({
  artifacts,
  abiCatalog,
}: Pick<Config, "artifacts" | "abiCatalog">): Promise<FoundArtifacts> {
  if (artifacts === undefined && abiCatalog === undefined)
    throw new ConfigError(["abi needs --artifacts or --abi-catalog"]);
  const store = new ArtifactStore();
  const problems: string[] = [];
  if (artifacts !== undefined) {
    const folder = new ArtifactFolder(artifacts, {
      read: (found) => store.setOwn(found),
      failed: (reason) => problems.push(reason),
    });
    await folder.read();
    await folder.close();
  }
  if (abiCatalog !== undefined)
    await loadCatalogue(abiCatalog, store).catch((error: Error) => {
      throw new ConfigError([`--abi-catalog: ${abiCatalog} is not used: ${error.message}`]);
    });
  return {
    problems,
    rows: () => artifactRows(store.list()),
    describe: (wanted) =>
      store.list().flatMap((artifact) => (isWanted(artifact, wanted) ? describe(artifact) : [])),
  };
}

function isWanted({ contract, file, codeHashes }: Artifact, wanted: string): boolean {
  return contract === wanted || file === wanted || codeHashes.includes(wanted);
}

function describe(artifact: Artifact): string[] {
  try {
    return artifact.coder ? describeContract(artifact, artifact.coder()) : [];
  } catch (error) {
    if (error instanceof AbiError) throw new SetupError(`${artifact.file} is malformed: ${error.message}`);
    throw error;
  }
}
