import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { scanLog } from "../../../server/devnet/storage/log-scan.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { SyntheticChain } from "./synthetic-chain.js";

test("a chain is replaced by another one, with its fork, at once, wherever the write ends", async () => {
  const folder = temporaryFolder();
  const log = join(folder, "chain.log");
  const old = new SyntheticChain();
  const store = new ChainStore(folder);
  await store.open(old.genesis);
  for (let step = 0; step < 3; step++) await store.append(old.step());
  await store.keepSnapshot({ name: "kept", mcSeqno: 2, offset: { shift: 0, requested: undefined } });
  const start = statSync(log).size;
  const other = new SyntheticChain();
  const pairs = [other.step(), other.step()];
  const fork = Buffer.from("where the fork begins anew");
  await store.replace({ pairs, snapshots: [] }, fork);
  await store.close();

  const ends = recordEnds(log).filter((end) => end >= start);
  expect(ends.length).toBeGreaterThan(pairs.length);
  const cuts = ends.flatMap((end, i) => (i === 0 ? [end] : [end - 3, end]));
  for (const cut of cuts) {
    const copy = temporaryFolder();
    for (const name of ["chain.log", "meta.json"]) copyFileSync(join(folder, name), join(copy, name));
    truncateSync(join(copy, "chain.log"), cut);
    const again = new ChainStore(copy);
    const opened = await again.open(old.genesis);
    const isWhole = cut === ends.at(-1);
    expect(opened.last?.masterchain.id.seqno, `cut at ${cut}`).toBe(isWhole ? 2 : 3);
    expect(opened.fork && Buffer.from(opened.fork)).toEqual(isWhole ? fork : undefined);
    expect(opened.snapshots.map(({ name }) => name)).toEqual(isWhole ? [] : ["kept"]);
    // What is left of the write does not disturb later ones.
    await again.replace({ pairs: pairs.slice(0, 1), snapshots: [] });
    await again.close();
    const reopened = new ChainStore(copy);
    const last = await reopened.open(old.genesis);
    await reopened.close();
    expect(last.last?.masterchain.id).toEqual(pairs[0]!.masterchain.id);
    expect(last.fork && Buffer.from(last.fork)).toEqual(isWhole ? fork : undefined);
  }
  expect(readFileSync(log).length).toBe(ends.at(-1));
});

/** Ends of the records of a log. */
function recordEnds(path: string): number[] {
  const file = openSync(path, "r");
  try {
    const starts: number[] = [];
    const end = scanLog(file, path, (_record, position) => starts.push(position));
    return [...starts.slice(1), end];
  } finally {
    closeSync(file);
  }
}
