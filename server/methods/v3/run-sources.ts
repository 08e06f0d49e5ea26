import type { Cell } from "../../../shared/ton/cells/cell.js";
import { rootsElsewhere } from "../../../shared/ton/debug/executed-roots.js";
import type { RunFrames } from "../../../shared/ton/debug/run-frames.js";
import type { AskedCode, ExecutedRun } from "../../../shared/ton/present/v3/executed-run.js";
import { framesOf } from "../../../shared/ton/present/v3/read-run.js";
import type { Turns } from "../../../shared/ton/run/debug-run.js";
import type { CodeCells } from "../../../shared/ton/tvm/code/code-cells.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import { GivenFiles } from "../../artifacts/given-files.js";
import { type CodeSources, SourceMaps } from "../../artifacts/source-maps.js";
import type { Abis } from "../../artifacts/store.js";
import { TimeSlice } from "../../chain/time-slice.js";

/** Frames, and what they were made of. */
type Known = { of: readonly unknown[]; frames: RunFrames };

/** Finds the sources of what runs, and the functions of its steps. */
export class RunSources {
  readonly given = new GivenFiles();
  /** All that read runs share it: many at once keep other calls waiting no longer than one. */
  readonly timeSlice = new TimeSlice();
  readonly #maps = new SourceMaps();
  /** Frames by log, as they are needed page by page. */
  readonly #frames = new WeakMap<MachineLog, Known>();
  readonly #elsewhere = new WeakMap<MachineLog, readonly Cell[]>();

  /** Those of a code. */
  of(asked: AskedCode, artifacts: Abis): CodeSources {
    return this.#maps.of(asked, artifacts);
  }

  /** Those of all codes that a run executed. */
  ofRun(executed: ExecutedRun, log: MachineLog, artifacts: Abis): CodeSources {
    const { cells } = log;
    const elsewhere = (own: CodeCells) => {
      const known = this.#elsewhere.get(log) ?? rootsElsewhere(cells, own, () => executed.given);
      this.#elsewhere.set(log, known);
      return known;
    };
    return this.#maps.of(executed, artifacts, { cells, elsewhere });
  }

  /** The functions of all steps. */
  async frames(log: MachineLog, { code, map, abis, others }: CodeSources, turns: Turns): Promise<RunFrames> {
    const all = [{ map, abis }, ...others];
    const of = all.flatMap((each) => [each.map?.map, ...each.abis.map(({ artifact }) => artifact)]);
    const known = this.#frames.get(log);
    if (known?.of.length === of.length && of.every((each, at) => each === known.of[at])) return known.frames;
    const frames = await framesOf(log, code, turns);
    this.#frames.set(log, { of, frames });
    return frames;
  }
}
