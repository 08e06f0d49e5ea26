import { columns } from "../harness.js";
import type { ReadCost } from "./measure-reads.js";
import { type Kind, kinds } from "./read-classes.js";
import type { WriteCost } from "./writer.js";

export type MeasuredClass = ReadCost & { title: string; kind: Kind; coldPages: number | undefined };

type Measurements = {
  transactions: number;
  /** Bytes per transaction, in slots as they are written, and in merged ones. */
  hotBytes: number;
  coldBytes: number;
  classes: readonly MeasuredClass[];
  /** Processor time of an answer out of the cache, with HTTP. */
  cachedUs: number;
  writer: WriteCost | undefined;
};

/** Size of the whole chain, and number of calls. */
const aim = { transactions: 5e9, perSec: 1000, calls: 1e5 };
/** Assumed, not measured: shares of all calls, of those that the cache answers, and of pages that are not in memory. */
const share: Readonly<Record<Kind, number>> = {
  newest: 0.2,
  account: 0.4,
  hash: 0.25,
  "block or time": 0.1,
  search: 0.05,
};
const cached = 0.6;
const notInMemory = 0.2;
const secondsPerDay = 86_400;

/** The mean cost of a call of each kind, and of all by their shares. */
export function meansOf(
  classes: readonly MeasuredClass[],
): (Omit<MeasuredClass, "kind"> & { classes: number })[] {
  const means = kinds
    .map((kind) => ({ kind, own: classes.filter((each) => each.kind === kind) }))
    .filter(({ own }) => own.length > 0)
    .map(({ kind, own }) => ({
      title: kind as string,
      classes: own.length,
      weight: share[kind],
      ...meanOf(
        own.map(() => 1),
        own,
      ),
    }));
  const all = meanOf(
    means.map(({ weight }) => weight),
    means,
  );
  return [...means, { title: "all, by their shares", classes: classes.length, ...all }];
}

type Costs = ReadCost & { coldPages: number | undefined };

function meanOf(weights: readonly number[], costs: readonly Costs[]): Costs {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (of: (cost: Costs) => number) =>
    costs.reduce((sum, cost, i) => sum + weights[i]! * of(cost), 0) / total;
  const cold = mean(({ coldPages }) => coldPages ?? Number.NaN);
  return {
    pages: mean(({ pages }) => pages),
    postgresUs: mean(({ postgresUs }) => postgresUs),
    nodeUs: mean(({ nodeUs }) => nodeUs),
    bytes: mean(({ bytes }) => bytes),
    coldPages: Number.isNaN(cold) ? undefined : cold,
  };
}

/** Lines of text: what the aim takes, and what is assumed for that. */
export function extrapolate(measured: Measurements): string {
  const { classes, cachedUs, hotBytes, coldBytes, writer } = measured;
  const uncached = aim.calls * (1 - cached);
  const call = meansOf(classes).at(-1)!;
  const cores = (us: number, perSec: number) => (us * perSec) / 1e6;
  const perDay = aim.perSec * secondsPerDay;
  const lines: [what: string, value: string][] = [
    [
      `rows and indexes of ${shown(aim.transactions)} transactions, merged slots`,
      inTerabytes(coldBytes * aim.transactions),
    ],
    [`the same as they are written`, inTerabytes(hotBytes * aim.transactions)],
    [`growth per day at ${shown(aim.perSec)} transactions per second`, inTerabytes(hotBytes * perDay)],
    ...(writer
      ? ([
          ["writer, cores of Node", shown(cores(writer.nodeUs, aim.perSec))],
          ["writer, cores of PostgreSQL", shown(cores(writer.postgresUs, aim.perSec))],
          ["log of the primary, MB per second", shown((writer.walBytes * aim.perSec) / 1e6)],
        ] as [string, string][])
      : []),
    [
      `${shown(aim.calls)} calls per second, cores of Node`,
      shown(cores(cachedUs, aim.calls) + cores(call.nodeUs, uncached)),
    ],
    [`${shown(aim.calls)} calls per second, cores of PostgreSQL`, shown(cores(call.postgresUs, uncached))],
    ["pages from memory per second", shown(call.pages * uncached)],
    ...(call.coldPages === undefined
      ? []
      : ([["pages from disk per second", shown(call.coldPages * notInMemory * uncached)]] as [
          string,
          string,
        ][])),
    ["answers, MB per second before compression", shown((call.bytes * aim.calls) / 1e6)],
  ];
  return [
    `Extrapolated to ${shown(aim.transactions)} transactions, ${shown(aim.perSec)} transactions and ${shown(aim.calls)} calls per second:`,
    columns([["", ""], ...lines]).trimStart(),
    "",
    ...assumptions(measured),
  ].join("\n");
}

function assumptions({ transactions, writer, classes }: Measurements): string[] {
  const shares = kinds.map((kind) => `${kind} ${Math.round(100 * share[kind])} %`).join(", ");
  const hasCold = classes.some(({ coldPages }) => coldPages !== undefined);
  return [
    "Assumed:",
    `- Of all calls ${shares}; within a kind all classes alike. ${100 * cached} % are answered from the cache.`,
    `- Reads cost what they cost at ${shown(transactions)} transactions: a test holds their pages when the index grows from 16 to 64 slots,`,
    "  and each tenfold growth adds less than half a level to the trees of indexes.",
    `- Cold pages are all pages of a call. ${hasCold ? `Of these ${100 * notInMemory} % are not in memory: upper levels of indexes and newest slots are.` : "They were not measured: the server may not be restarted."}`,
    "- Bytes per transaction are those of the copied blocks; half-filled pages among them count less in a larger index.",
    writer
      ? "- One writer stores blocks whose parts are read ahead; PostgreSQL's checkpoints and merges of slots are not in its figures."
      : "- The writer was not measured: there are no recorded blocks.",
    "- Processor time is that of this machine, and cores are fully used; double it for a service that should stay below half.",
  ];
}

export function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value.toPrecision(2);
}

function inTerabytes(bytes: number): string {
  return bytes >= 1e12 ? `${shown(bytes / 1e12)} TB` : `${shown(bytes / 1e9)} GB`;
}
