import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../../os/folder.js";
import { ifMissing } from "../../os/if-missing.js";
import { replaceFile } from "../../os/replace-file.js";
import {
  addCounts,
  type Counts,
  countsOf,
  firstKeptDay,
  type MonthTotal,
  monthOf,
  noCounts,
  type UsageRange,
  type UsageRow,
  type UsageStore,
} from "./usage.js";

type ByKey = ReadonlyMap<string, Readonly<Counts>>;

const count = z.int();
const dayFile = z.record(z.string(), z.strictObject({ calls: count, points: count, refused: count }));
const fileName = /^(\d{4}-\d\d-\d\d)\.json$/;

/**
 * Usage in a folder with one file for each day, which is replaced as a whole. One process writes it. Without a folder, usage
 * is in memory.
 */
export class UsageFiles implements UsageStore {
  readonly #folder: string | undefined;
  readonly #memory = new Map<string, ByKey>();
  /** The day that was written last. */
  #last: { day: string; counts: ByKey } | undefined;
  /** The sums of the month that was asked for last. */
  #sums: { month: string; totals: Map<string, Counts> } | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  async add(day: string, rows: readonly UsageRow[]): Promise<void> {
    const isNew = this.#last?.day !== day;
    const before = isNew ? await this.#read(day) : this.#last!.counts;
    const counts = new Map(before);
    for (const row of rows) {
      const sum = { ...(before.get(row.key) ?? noCounts()) };
      addCounts(sum, row);
      counts.set(row.key, sum);
    }
    if (isNew) await this.#removeBefore(firstKeptDay(day));
    await this.#write(day, counts);
    this.#last = { day, counts };
    if (this.#sums?.month === monthOf(day))
      for (const row of rows) addCounts(countsOf(this.#sums.totals, row.key), row);
  }

  async totals(month: string, keys?: readonly string[]): Promise<readonly MonthTotal[]> {
    if (this.#sums?.month !== month) {
      const totals = new Map<string, Counts>();
      for (const day of await this.#days())
        if (monthOf(day) === month)
          for (const [key, each] of await this.#read(day)) addCounts(countsOf(totals, key), each);
      this.#sums = { month, totals };
    }
    const { totals } = this.#sums;
    return [...(keys ?? totals.keys())].map((key) => {
      const { calls, points } = totals.get(key) ?? noCounts();
      return { key, calls, points };
    });
  }

  async read({ from, to, key }: UsageRange, limit: number): Promise<readonly UsageRow[]> {
    const rows: UsageRow[] = [];
    for (const day of await this.#days()) {
      if (day < from || day > to) continue;
      for (const [each, counts] of [...(await this.#read(day))].sort(([a], [b]) => (a < b ? -1 : 1)))
        if (key === undefined || key === each) rows.push({ day, key: each, ...counts });
      if (rows.length >= limit) break;
    }
    return rows.slice(0, limit);
  }

  async close(): Promise<void> {}

  async #days(): Promise<string[]> {
    if (this.#folder === undefined) return [...this.#memory.keys()].sort();
    const names = await readdir(this.#folder).catch(ifMissing([]));
    return names.flatMap((name) => fileName.exec(name)?.[1] ?? []).sort();
  }

  async #read(day: string): Promise<ByKey> {
    if (this.#folder === undefined) return this.#memory.get(day) ?? new Map();
    const path = pathOf(this.#folder, day);
    const text = await readFile(path, "utf8").catch(ifMissing("{}"));
    try {
      return new Map(Object.entries(dayFile.parse(JSON.parse(text))));
    } catch (cause) {
      throw new Error(`${path} is no file of usage: remove it, and the day is counted anew`, { cause });
    }
  }

  async #write(day: string, counts: ByKey): Promise<void> {
    if (this.#folder === undefined) return void this.#memory.set(day, counts);
    makeFolder(this.#folder);
    const text = `${JSON.stringify(Object.fromEntries(counts))}\n`;
    await replaceFile(pathOf(this.#folder, day), text, { mode: 0o600 });
  }

  async #removeBefore(first: string): Promise<void> {
    for (const day of await this.#days()) {
      if (day >= first) return;
      if (this.#folder === undefined) this.#memory.delete(day);
      else await rm(pathOf(this.#folder, day), { force: true });
    }
  }
}

function pathOf(folder: string, day: string): string {
  return join(folder, `${day}.json`);
}
