import { join } from "node:path";
import { expect, it } from "vitest";
import { type Config, configWith } from "../../../server/config/settings.js";
import { KeptFiles } from "../../../server/os/kept-files.js";
import type { Context } from "../../../server/process/context/context.js";
import { KeptIndex } from "../../../server/process/index/kept-index.js";
import type { Database } from "../../../server/store/database.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { noFailure, noFallback } from "../../helpers/no-fallback.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const hash = new Uint8Array(32).fill(1);
const last = { seqno: 5, rootHash: hash, fileHash: hash } as BlockIdExt;

/** The kept index of a devnet whose first blocks end at block 5, and the names of the images that it keeps. */
async function begin(cacheFolder: string, settings: Partial<Config> = {}, edition = "one") {
  const reverts = new Listeners<number>();
  const devnet = {
    beginning: { kept: async () => last, cached: async () => last },
    events: { onReverted: (listener: () => void) => reverts.add(listener) },
  };
  const context = {
    config: configWith(settings),
    startCache: { folder: cacheFolder, edition },
    fallback: noFallback,
  };
  const kept = KeptIndex.of(context as Context, { devnet } as never);
  const names: string[] = [];
  const database = { keep: ({ name }: { name: string }) => void names.push(name) };
  const found = await kept?.find();
  kept?.keepFrom(database as unknown as Database);
  await Promise.resolve();
  return { kept, found, names, revert: () => reverts.notify(0) };
}

it("an index is kept when it has the first blocks, and is the beginning of the next one with these", async () => {
  const folder = temporaryFolder();
  const first = await begin(folder);
  expect([first.found, first.kept!.milestone]).toEqual([undefined, 5]);
  first.kept!.stored(4);
  expect(first.names).toEqual([]);
  first.kept!.stored(5);
  first.kept!.stored(6);
  expect(first.names).toEqual([expect.stringMatching(/^index-[0-9a-f]{64}$/)]);
  await new KeptFiles(join(folder, "index"), 3, noFailure).write(first.names[0]!, [hash]);
  expect((await begin(folder)).found).toBe(join(folder, "index", `${first.names[0]}.kept`));
  // Other code and other settings have separate ones.
  expect((await begin(folder, {}, "two")).found).toBeUndefined();
  expect((await begin(folder, { dnsRoots: [] })).found).toBeUndefined();
});

it("an index is not kept after a revert, or if it lies in a folder or a server", async () => {
  const folder = temporaryFolder();
  const { kept, names, revert } = await begin(folder);
  revert();
  kept!.stored(5);
  expect(names).toEqual([]);
  for (const place of [{ data: folder }, { databaseUrl: "postgres://host/name" }])
    expect((await begin(folder, place)).kept).toBeUndefined();
});
