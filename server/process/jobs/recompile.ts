import { recompile } from "../../artifacts/recompile/recompile.js";
import { SourceMaps } from "../../artifacts/source-maps.js";
import { ArtifactStore } from "../../artifacts/store.js";
import { presentLocated } from "../../present/v3/debug-values.js";

type Located = ReturnType<typeof presentLocated>;

/** What `tonwire debug --project` finds. */
type FoundProject = {
  /** The contract whose code was made here. */
  readonly found:
    | {
        readonly contract: string;
        /** Its first file, relative to the project. */
        readonly file: string;
        readonly compiler: string;
        /** The place of an instruction, named as steps have it; absent if the compiler tells no lines. */
        readonly locate: ((at: string) => Located) | undefined;
      }
    | undefined;
  /** Contracts that were compiled. */
  readonly compiled: number;
  /** Why others were not. */
  readonly failures: readonly string[];
};

/** Finds the contract of a project that compiles to a code, with the lines that its compiler tells. */
export async function recompileProject(folder: string, codeHashes: readonly string[]): Promise<FoundProject> {
  const { found, ...rest } = await recompile(folder, codeHashes);
  if (!found) return { found, ...rest };
  const { artifact, code, compiler } = found;
  const store = new ArtifactStore();
  store.setOwn([artifact]);
  const sources = new SourceMaps().of({ code, account: undefined, libraries: undefined }, store);
  const locate = (at: string) => {
    const [cell = "", offset] = at.split(":");
    return presentLocated(sources.code.at(cell, Number(offset)));
  };
  const { contract, file } = artifact;
  return { ...rest, found: { contract, file, compiler, locate: sources.map && locate } };
}
