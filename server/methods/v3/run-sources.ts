import type { Call } from "../../../shared/methods/define.js";
import { FrameWalk, type RunFrames } from "../../../shared/ton/debug/run-frames.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import { type AskedCode, type CodeSources, SourceMaps } from "../../artifacts/source-maps.js";
import type { Abis } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";

/** Steps that are looked at without a break. */
const stepsAtOnce = 5000;

type Known = { map: CodeSources["map"]; names: string; frames: RunFrames };

/** Finds the sources of what runs, and the functions of its steps. */
export class RunSources {
  readonly #maps = new SourceMaps();
  /** Frames by log, as they are needed page by page. */
  readonly #frames = new WeakMap<MachineLog, Known>();

  of(asked: AskedCode, artifacts: Abis): CodeSources {
    return this.#maps.of(asked, artifacts);
  }

  /** The functions of all steps. */
  async frames(
    log: MachineLog,
    { code, map, abis }: CodeSources,
    call: Pick<Call, "signal" | "spent">,
  ): Promise<RunFrames> {
    const names = abis.map(({ artifact }) => artifact.file).join(" ");
    const known = this.#frames.get(log);
    if (known && known.map?.map === map?.map && known.names === names) return known.frames;
    const walk = new FrameWalk(log, code);
    const paid = paidTurns(call);
    while (await paid(() => walk.read(stepsAtOnce)));
    const frames = walk.finish();
    this.#frames.set(log, { map, names, frames });
    return frames;
  }
}
