import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../os/folder.js";
import { ifMissing } from "../../os/if-missing.js";
import { replaceFile } from "../../os/replace-file.js";
import type { BlockSpan } from "../queries/upkeep/block-rows.js";

/**
 * The files of a table: `transactions/day=2026-01-31/100-250.parquet` has the rows of the masterchain blocks 100 to 250, of
 * which all are of this day. A file is there whole or not at all.
 */
export class DayParts {
  readonly #folder: string;
  #known: BlockSpan[] | undefined;

  constructor(folder: string, table: string) {
    this.#folder = join(folder, table);
  }

  /** The first block from this one on that is in no file, and the block before the next file. */
  async gapFrom(block: number): Promise<{ from: number; to: number | undefined }> {
    this.#known ??= await this.#spans();
    let from = block;
    let to: number | undefined;
    for (const span of this.#known.toSorted((a, b) => a.from - b.from)) {
      if (span.from <= from) from = Math.max(from, span.to + 1);
      else to ??= span.from - 1;
      if (to !== undefined && to < from) to = undefined;
    }
    return { from, to };
  }

  async write(day: string, span: BlockSpan, bytes: Uint8Array): Promise<void> {
    const folder = join(this.#folder, `day=${day}`);
    makeFolder(folder);
    await replaceFile(join(folder, `${span.from}-${span.to}.parquet`), bytes);
    this.#known?.push(span);
  }

  async #spans(): Promise<BlockSpan[]> {
    const found: BlockSpan[] = [];
    for (const path of await readdir(this.#folder, { recursive: true }).catch(ifMissing([]))) {
      // A process that was killed has left it.
      if (path.endsWith(".parquet.new")) await rm(join(this.#folder, path), { force: true });
      const [, from, to] = /^day=\d{4}-\d\d-\d\d[/\\](\d+)-(\d+)\.parquet$/.exec(path) ?? [];
      if (from !== undefined) found.push({ from: Number(from), to: Number(to) });
    }
    return found;
  }
}
