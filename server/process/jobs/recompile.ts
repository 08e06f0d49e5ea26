import type { RunCode } from "../../../shared/ton/debug/run-code.js";
import { FrameWalk } from "../../../shared/ton/debug/run-frames.js";
import { presentLocated } from "../../../shared/ton/present/v3/debug-values.js";
import { recompile } from "../../artifacts/recompile/recompile.js";
import { SourceMaps } from "../../artifacts/source-maps.js";
import { ArtifactStore } from "../../artifacts/store.js";
import type { TrailStep } from "../../debug-adapter/trail.js";

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
        /** All steps of a run with their places in the sources, and with the functions that are open, where they change. */
        readonly relocated: (steps: readonly TrailStep[]) => TrailStep[];
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
  const relocated = (steps: readonly TrailStep[]) => withFrames(steps, sources.code);
  return { ...rest, found: { contract, file, compiler, locate: sources.map && locate, relocated } };
}

function withFrames(steps: readonly TrailStep[], code: RunCode): TrailStep[] {
  const walk = new FrameWalk({ first: 0, end: steps.length, at: (index) => placeOf(steps[index]!) }, code);
  walk.read(steps.length);
  const frames = walk.finish();
  return steps.map(({ frames: _, place: { source: __, ...place }, ...step }, index) => ({
    ...step,
    place: { ...place, ...presentLocated(frames.located(index)) },
    ...((index === 0 || frames.frameOf(index) !== frames.frameOf(index - 1)) && {
      frames: frames.chain(index),
    }),
  }));
}

function placeOf({ place: { at, depth } }: TrailStep) {
  const [cell = "", offset] = at?.split(":") ?? [];
  return { depth, ...(at !== undefined && { at: { cell, offset: Number(offset) } }) };
}
