import type { DebugTrailRecord } from "../../../schema/v3/debug.js";
import type { RunCode } from "../../debug/run-code.js";
import type { RunFrames } from "../../debug/run-frames.js";
import type { MachineLog } from "../../tvm/machine-log.js";
import { maxLength, presentInstruction } from "./debug-steps.js";
import { presentLocated } from "./debug-values.js";

/** Steps of a page. */
const maxSteps = 10_000;
/** Characters of a step, about. */
const stepLength = 6;
const noFrame = -1;

/** Steps of a run in short: tables of what they have in common, and their places in these tables. */
export class TrailPage {
  readonly steps: number[] = [];
  readonly places: DebugTrailRecord["places"] = [];
  readonly frames: DebugTrailRecord["frames"] = [];
  readonly prints: DebugTrailRecord["prints"] = [];
  readonly #log: MachineLog;
  readonly #code: RunCode;
  readonly #runFrames: RunFrames;
  readonly #placeNumbers = new Map<string, number>();
  readonly #frameNumbers = new Map<number, number>();
  #length = 0;

  constructor(log: MachineLog, code: RunCode, frames: RunFrames) {
    this.#log = log;
    this.#code = code;
    this.#runFrames = frames;
  }

  get isFull(): boolean {
    return this.steps.length >= maxSteps || this.#length >= maxLength;
  }

  add(n: number): void {
    const { at, text, depth, print } = this.#log.at(n);
    const frame = this.#runFrames.frameOf(n);
    const what = at ? `${at.offset}:${at.cell}` : (text ?? "");
    const key = `${frame} ${this.#runFrames.placeOf(n)} ${depth} ${what}`;
    let number = this.#placeNumbers.get(key);
    if (number === undefined) {
      const place = {
        ...presentInstruction({ at, text }, this.#code),
        depth,
        ...presentLocated(this.#runFrames.located(n)),
        frame: this.#frameNumber(frame),
      };
      number = this.places.push(place) - 1;
      this.#placeNumbers.set(key, number);
      this.#length += JSON.stringify(place).length;
    }
    this.#length += stepLength;
    this.steps.push(number);
    if (print !== undefined) {
      this.prints.push({ step: n, text: print });
      this.#length += print.length;
    }
  }

  /** The number of a frame on the page. Its callers have lower ones. */
  #frameNumber(frame: number): number | null {
    const missing: number[] = [];
    let at = frame;
    for (; at !== noFrame && !this.#frameNumbers.has(at); at = this.#parentOf(at)) missing.push(at);
    let parent = this.#frameNumbers.get(at) ?? null;
    for (const each of missing.reverse()) {
      const { name } = this.#runFrames.frames[each]!;
      const number = this.frames.push({ name, parent }) - 1;
      this.#frameNumbers.set(each, number);
      this.#length += name.length;
      parent = number;
    }
    return parent;
  }

  #parentOf(frame: number): number {
    return this.#runFrames.frames[frame]!.parent;
  }
}
