/** One path and its baseline, measured alternately in the same process. */
export type Row = {
  title: string;
  ours: Contender;
  baseline: Contender;
  /** Required speed as a multiple of the baseline's. */
  goal?: { floor: number; aim: number };
  /** Measured once, without a warm-up turn: it takes a minute. */
  isDoneOnce?: true;
};

/**
 * Does some work and returns the number of units (default 1); both sides count the same units. Work done in
 * another process also returns its processor time.
 */
export type Contender = () => Done | Promise<Done>;
type Done = number | undefined | Spent;

/** Units of work, and the processor time they took in another process. */
export type Spent = { units: number; micros: number };

export type Suite = {
  title: string;
  /** The programs or data that the suite needs and a machine may lack. */
  needs?: string;
  /** Prepares the rows; returns none if their prerequisites are missing. */
  rows(): readonly Row[] | Promise<readonly Row[]>;
  /** Text shown below the rows, if all rows run. */
  report?(options: ReportOptions): Promise<string | undefined>;
  close?(): void | Promise<void>;
};

/** For how long to measure, and on how many transactions, instead of what the suite measures otherwise. */
export type ReportOptions = { minutes: number | undefined; transactions: number | undefined };

export type BenchOptions = {
  rounds: number;
  roundMs: number;
  /** Each row runs once. */
  isShort: boolean;
};

/** Result of a row: medians in microseconds per unit, and our speed as a multiple of the baseline's. */
export type Measured = {
  row: Row;
  ours: number;
  baseline: number;
  ratio: number;
  lowest: number;
  highest: number;
};

/** Runs both sides alternately, A B A B, after one warm-up turn each. */
export async function measure(row: Row, { rounds, roundMs, isShort }: BenchOptions): Promise<Measured> {
  const ours: number[] = [];
  const baseline: number[] = [];
  const [first, last] = row.isDoneOnce || isShort ? [1, 1] : [0, rounds];
  for (let round = first; round <= last; round++) {
    const a = await timePerUnit(row.ours, isShort ? 0 : roundMs);
    const b = await timePerUnit(row.baseline, isShort ? 0 : roundMs);
    // One short run may end before the system's clock counts anything, or with less memory than it began with.
    if (!isShort) {
      confirmCounted(a, `${row.title}: ours`);
      confirmCounted(b, `${row.title}: the baseline`);
    }
    if (round === 0) continue;
    ours.push(a);
    baseline.push(b);
  }
  const ratios = baseline.map((time, i) => time / ours[i]!);
  return {
    row,
    ours: median(ours),
    baseline: median(baseline),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

/** Whether a result is below the floor of its row. */
export function belowFloor({ row, ratio }: Pick<Measured, "row" | "ratio">): boolean {
  return row.goal !== undefined && ratio < row.goal.floor;
}

/** Throws if nothing was counted: such a row would show a ratio of 0 or without end. */
function confirmCounted(micros: number, title: string): void {
  if (micros > 0 && Number.isFinite(micros)) return;
  throw new Error(`${title} took ${micros} us: it did nothing, or its time was not counted`);
}

/** The results as lines of a table. */
export function table(results: readonly Measured[]): string {
  const head = ["", "ours us", "baseline us", "ratio", "spread", "floor", "aim"];
  const lines = results.map(({ row, ours, baseline, ratio, lowest, highest }) => [
    row.title,
    digits(ours),
    digits(baseline),
    digits(ratio),
    `${digits(lowest)} - ${digits(highest)}`,
    row.goal ? `${row.goal.floor}${belowFloor({ row, ratio }) ? " (missed)" : ""}` : "",
    row.goal ? `${row.goal.aim}` : "",
  ]);
  return columns([head, ...lines]);
}

/** Lines of equally many cells; all but the first are aligned to the right. */
export function columns(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line) =>
      line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "),
    )
    .join("\n");
}

/** Microseconds. */
async function timePerUnit(contender: Contender, roundMs: number): Promise<number> {
  const start = performance.now();
  const total: Spent = { units: 0, micros: 0 };
  let now = start;
  do {
    const before = now;
    const pending = contender();
    const done = pending instanceof Promise ? await pending : pending;
    now = performance.now();
    const spent = typeof done === "object" ? done : { units: done ?? 1, micros: (now - before) * 1000 };
    total.units += spent.units;
    total.micros += spent.micros;
  } while (now - start < roundMs);
  return total.micros / total.units;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
