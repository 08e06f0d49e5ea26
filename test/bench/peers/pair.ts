import type { Row } from "../harness.js";
import { type Asker, flood } from "./requests.js";
import type { Server } from "./server.js";

type Side = "ours" | "theirs";

/** Our service and a peer, which are asked the same. */
export class Pair {
  readonly name: string;
  readonly #sides: Record<Side, Server>;

  constructor(name: string, sides: Record<Side, Server>) {
    this.name = name;
    this.#sides = sides;
  }

  /** The cost of a side: processor time if that of both is known, else the time on the clock. */
  clock(side: Side): () => number {
    const { ours, theirs } = this.#sides;
    const counts = ours.spentMicros() !== undefined && theirs.spentMicros() !== undefined;
    return counts ? () => this.#sides[side].spentMicros()! : () => performance.now() * 1000;
  }

  row(title: string, question: Asker): Row {
    const { ours, theirs } = this.#sides;
    return {
      title: `${this.name}: ${title}`,
      ours: flood(ours, this.clock("ours"), question),
      baseline: flood(theirs, this.clock("theirs"), question),
    };
  }
}
