import type { Database } from "../../server/store/database.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { sized } from "../helpers/effort.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { load } from "../helpers/servers/load.js";
import { ServerProcess } from "../helpers/servers/process.js";
import { address, methodName } from "../helpers/servers/record.js";
import { leaveStatistics } from "../helpers/store/measured-reads.js";
import { havePostgres, mayStopPostgres, TestPostgres } from "../helpers/store/postgres.js";
import { fillSource, fillStory, mergeOld, ofStory } from "./bytes/filled.js";
import { readIndex, slots, storeCopies } from "./bytes/many-copies.js";
import { bytesPerTransaction, readSizes } from "./bytes/sizes.js";
import { extrapolate, type MeasuredClass, meansOf, shown } from "./capacity/extrapolation.js";
import { ReadMeter } from "./capacity/measure-reads.js";
import { readClasses } from "./capacity/read-classes.js";
import { Samples } from "./capacity/samples.js";
import { makeFiller, smallMemory } from "./capacity/server-counters.js";
import { measureWriter } from "./capacity/writer.js";
import { columns, type Suite } from "./harness.js";

const usualTransactions = sized(1000, 40_000);
/** Records of a page, and calls of a class, each with another value. */
const limit = 10;
const calls = sized(2, 24);
const coldCalls = sized(1, 2);
const statementTimeoutMs = 120_000;

/** Nothing is compared with a baseline: the report is the result. */
export const suite: Suite = {
  title: "Capacity: every v3 read and the writer on PostgreSQL, extrapolated to the whole chain",
  needs: "PostgreSQL",
  rows: () => [],
  async report({ transactions = usualTransactions }) {
    if (!havePostgres()) return undefined;
    const server = await TestPostgres.start();
    closers.push(() => server.stop());
    const first = await fill(await server.database(), transactions, (source) => fillSource(source, closers));
    const writer = await write(server);
    const fillOther = async () =>
      fill(await server.database(), Math.min(transactions, usualTransactions), fillStory);
    const { classes, absent, refused } = await measureReads(
      server,
      first.url,
      first.isStory ? undefined : fillOther,
    );
    const { content, stored, hot, cold } = first;
    const cachedUs = await costOfCached();
    const measured = { transactions: stored, hotBytes: hot, coldBytes: cold, classes, cachedUs, writer };
    return [
      `${shown(stored)} transactions: ${content}; what these have none of is measured in ${ofStory}. Bytes per transaction: ${shown(hot)} as written, ${shown(cold)} merged`,
      columns([head, ...classes.map((each) => lineOf(each.title, each))]),
      columns([head, ...meansOf(classes).map(({ title, ...costs }) => lineOf(title, costs))]),
      `an answer out of the cache, with HTTP: ${shown(cachedUs)} us of Node`,
      ...(writer
        ? [
            `a transaction of the writer: ${shown(writer.nodeUs)} us of Node, ${shown(writer.postgresUs)} us of PostgreSQL, ` +
              `${shown(writer.walBytes)} bytes of its log`,
          ]
        : []),
      `not measured, for the index has no value: ${absent.join(", ") || "nothing"}`,
      `refused with this filter alone, or without one: ${refused.join(", ") || "nothing"}`,
      extrapolate(measured),
    ].join("\n\n");
  },
  async close() {
    for (const close of closers.reverse()) await close();
    closers.length = 0;
  },
};

const closers: (() => Promise<void>)[] = [];

const head = ["a call", "pages", "cold pages", "PostgreSQL us", "Node us", "bytes"];

function lineOf(title: string, costs: Omit<MeasuredClass, "title" | "kind">): string[] {
  const { pages, coldPages, postgresUs, nodeUs, bytes } = costs;
  return [title, ...[pages, coldPages, postgresUs, nodeUs, bytes].map(shown)];
}

/** Copies of an index in slots, old ones merged, with statistics as autovacuum leaves them. */
async function fill(url: string, transactions: number, fillOne: (source: Database) => Promise<string>) {
  const source = await openPglite();
  const content = await fillOne(source);
  const index = await readIndex(source.sql());
  await source.close();
  const own = index.find(({ table }) => table.name === "transactions")!.rows.length;
  const database = openPostgres(url);
  const perSlot = await storeCopies(database, index, Math.max(1, Math.round(transactions / slots / own)));
  const counts = await mergeOld(database, perSlot);
  await leaveStatistics(database, { areSlotsChanged: true });
  const bytes = bytesPerTransaction(await readSizes(database.sql()), counts);
  await database.close();
  const isStory = content === ofStory;
  return { url, content, isStory, stored: perSlot * slots, ...bytes };
}

const methodIn = (title: string) => title.split("?")[0]!;

type Warm = { url: string; title: string; cost: Omit<MeasuredClass, "coldPages"> };

/**
 * The classes are measured on a warm server, then on one that has nothing of them in memory; methods for which the
 * index has not all values on another one.
 */
async function measureReads(server: TestPostgres, url: string, fillOther?: () => Promise<{ url: string }>) {
  const first = await measureWarm(url, () => true);
  const other = first.absent.length > 0 ? (await fillOther?.())?.url : undefined;
  const missed = new Set(first.absent.map(methodIn));
  const second =
    other === undefined ? undefined : await measureWarm(other, (title) => missed.has(methodIn(title)));
  const measured = second
    ? [...first.measured.filter(({ title }) => !missed.has(methodIn(title))), ...second.measured]
    : first.measured;
  const cold = mayStopPostgres
    ? await measureCold(server, [url, ...(other ? [other] : [])], measured)
    : new Map();
  return {
    absent: second?.absent.filter((title) => missed.has(methodIn(title))) ?? first.absent,
    refused: [...new Set([...first.refused, ...(second?.refused ?? [])])],
    classes: measured.map(({ title, cost }): MeasuredClass => ({ ...cost, coldPages: cold.get(title) })),
  };
}

async function measureWarm(url: string, isWanted: (title: string) => boolean) {
  return onServer(url, async (meter, { classes, absent }) => {
    const measured: Warm[] = [];
    const refused: string[] = [];
    for (const each of classes.filter(({ title }) => isWanted(title))) {
      const cost = await meter.warm(each);
      if (cost)
        measured.push({ url, title: each.title, cost: { title: each.title, kind: each.kind, ...cost } });
      else refused.push(each.title);
    }
    return { measured, refused, absent };
  });
}

/** Cold pages by class, on a server with little memory, which another table fills. */
async function measureCold(server: TestPostgres, urls: readonly string[], measured: readonly Warm[]) {
  const cold = new Map<string, number>();
  await onServer(urls[0]!, (meter) =>
    meter.watch.query(`alter system set shared_buffers = '${smallMemory}'`),
  );
  await server.halt();
  await server.run();
  for (const url of urls)
    await onServer(url, async (meter, { classes }) => {
      await makeFiller(meter.watch);
      for (const each of classes)
        if (measured.some((warm) => warm.url === url && warm.title === each.title))
          cold.set(each.title, await meter.cold(each, coldCalls));
    });
  return cold;
}

type Found = Awaited<ReturnType<typeof readClasses>>;

async function onServer<T>(url: string, work: (meter: ReadMeter, found: Found) => Promise<T>): Promise<T> {
  const database = openPostgres(url);
  const sql = database.sql({ connections: 1, statementTimeoutMs });
  const app = await startIndexApp(database, { answers: sql });
  const meter = await ReadMeter.open(sql, url);
  try {
    const found = await readClasses(app.methods, new Samples(sql, calls), { amount: calls, limit });
    return await work(meter, found);
  } finally {
    await meter.close();
    await app.close();
    await database.close();
  }
}

async function write(server: TestPostgres) {
  const url = await server.database();
  const database = openPostgres(url);
  const own = [() => database.close()];
  try {
    return await measureWriter(database, url, own);
  } finally {
    for (const close of own.reverse()) await close();
  }
}

/** Processor time of a process that answers out of its cache. */
async function costOfCached(): Promise<number> {
  const full = await ServerProcess.start("full");
  closers.push(async () => full.close());
  const measure = load(full, { path: `/api/v2/${methodName}?address=${address}` });
  await measure();
  const done = await measure();
  if (typeof done !== "object") throw new Error("the processor time was not counted");
  return done.micros / done.units;
}
