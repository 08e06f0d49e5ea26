import type { Contender, Row } from "../harness.js";
import { type Program, type Ready, Server } from "./server.js";

/** From the start of a process to its first answer of v2, and its memory then. */
export function rowsOfStart(name: string, { ours, theirs }: Record<"ours" | "theirs", Program>): Row[] {
  const starts = { ours: new Starts(ours), theirs: new Starts(theirs) };
  return [
    {
      title: `${name}: from the start to the first answer, ms`,
      ours: starts.ours.milliseconds,
      baseline: starts.theirs.milliseconds,
    },
    {
      title: `${name}: memory at the first answer, MB`,
      ours: starts.ours.megabytes,
      baseline: starts.theirs.megabytes,
    },
  ];
}

/** Starts a program repeatedly. Memory is measured in the starts whose time was measured, if any. */
class Starts {
  readonly #program: Program;
  readonly #measured: Ready[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  readonly milliseconds: Contender = async () => {
    const ready = await this.#start();
    this.#measured.push(ready);
    return { units: 1, micros: ready.ms };
  };

  readonly megabytes: Contender = async () => {
    const { megabytes } = this.#measured.pop() ?? (await this.#start());
    return { units: 1, micros: megabytes };
  };

  async #start(): Promise<Ready> {
    const server = await Server.start(this.#program);
    await server.close();
    return server.ready!;
  }
}
