/** Progress of a backfill over all planned ranges. */
export type Filled = {
  blocks: number;
  missing: number;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

/** Output stream; on a terminal, the progress line is overwritten. */
export type Terminal = { isTerminal: boolean; write(text: string): void };

const terminalMs = 1000;
const plainMs = 10_000;
const clearLine = "\r\u001b[2K";

/** Shows progress: one updated line on a terminal, a line every 10 s elsewhere. */
export class ProgressDisplay {
  readonly #terminal: Terminal;
  readonly #print: (line: string) => void;
  readonly #read: () => Filled | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, print: (line: string) => void, read: () => Filled | undefined) {
    this.#terminal = terminal;
    this.#print = print;
    this.#read = read;
  }

  begin(): void {
    this.#timer = setInterval(() => this.#show(), this.#terminal.isTerminal ? terminalMs : plainMs);
  }

  /** Stops and clears the line, so that further output starts on an empty one. */
  end(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#terminal.isTerminal) this.#terminal.write(clearLine);
  }

  #show(): void {
    const filled = this.#read();
    if (!filled) return;
    if (this.#terminal.isTerminal) this.#terminal.write(clearLine + progressLine(filled));
    else this.#print(progressLine(filled));
  }
}

/** `1200 of 50000 blocks (2 %), 310 per second, 2 min left` */
export function progressLine({ blocks, missing, blocksPerSec, remainingSec }: Filled): string {
  const stored = blocks - missing;
  const share = Math.floor((100 * stored) / blocks);
  const rate = blocksPerSec >= 10 ? blocksPerSec.toFixed(0) : blocksPerSec.toFixed(1);
  const left = remainingSec === undefined ? "" : `, ${duration(remainingSec)} left`;
  return `${stored} of ${blocks} blocks (${share} %), ${rate} per second${left}`;
}

function duration(sec: number): string {
  if (sec < 120) return `${sec} s`;
  if (sec < 7200) return `${Math.round(sec / 60)} min`;
  return sec < 172_800 ? `${Math.round(sec / 3600)} h` : `${Math.round(sec / 86_400)} d`;
}
