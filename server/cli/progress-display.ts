/** Progress of work on many things, such as blocks. */
export type Progress = { all: number; missing: number; perSec: number; remainingSec: number | undefined };

/** Output stream; on a terminal, the progress line is overwritten. */
export type Terminal = {
  readonly isTerminal: boolean;
  /** Its width, if it is known. */
  readonly columns?: number | undefined;
  write(text: string): void;
};

const terminalMs = 1000;
const plainMs = 10_000;
const clearLine = "\r\u001b[2K";

/** Shows progress: one updated line on a terminal, a line every 10 s elsewhere. */
export class ProgressDisplay {
  readonly #terminal: Terminal;
  readonly #print: (line: string) => void;
  readonly #read: () => string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `read` returns the line to show, if there is one. */
  constructor(terminal: Terminal, print: (line: string) => void, read: () => string | undefined) {
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
    const line = this.#read();
    if (line === undefined) return;
    if (this.#terminal.isTerminal) this.#terminal.write(clearLine + line);
    else this.#print(line);
  }
}

/** `1200 of 50000 blocks (2 %), 310 per second, 2 min left` */
export function progressLine(things: string, { all, missing, perSec, remainingSec }: Progress): string {
  const done = all - missing;
  const share = all === 0 ? 100 : Math.floor((100 * done) / all);
  const rate = perSec >= 10 ? perSec.toFixed(0) : perSec.toFixed(1);
  const left = remainingSec === undefined ? "" : `, ${duration(remainingSec)} left`;
  return `${done} of ${all} ${things} (${share} %), ${rate} per second${left}`;
}

function duration(sec: number): string {
  if (sec < 120) return `${sec} s`;
  if (sec < 7200) return `${Math.round(sec / 60)} min`;
  return sec < 172_800 ? `${Math.round(sec / 3600)} h` : `${Math.round(sec / 86_400)} d`;
}
