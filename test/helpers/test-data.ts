import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, test } from "vitest";
import { masterchain } from "../../shared/ton/tlb/block-id.js";

/** A file of real chain data with what is known about it. */
export type ChainEntry = {
  file: string;
  kind: string;
  network: string | undefined;
  workchain: number | undefined;
  shard: string | undefined;
  seqno: number | undefined;
  /** Hex. */
  rootHash: string | undefined;
  roots: number | undefined;
  facts: Readonly<Record<string, unknown>>;
  /** All other members of the index, under their names. */
  raw: Readonly<Record<string, unknown>>;
  read(): Uint8Array;
  /** The file that another field of the entry names, e.g. `entries_file`. */
  readBeside(field: string): Uint8Array;
};

type ChainFilter = Partial<Pick<ChainEntry, "kind" | "network" | "workchain" | "shard" | "seqno">> & {
  /** Facts that must have these values. */
  facts?: Readonly<Record<string, unknown>>;
};

/** The index entry of a block in a package. */
type RecordedBlock = {
  /** `block_` and the node's spelling of the id. */
  name: string;
  workchain: number;
  shard: string;
  seqno: number;
  gen_utime: number;
  start_lt: string;
  end_lt: string;
  n_accounts: number;
  n_txs: number;
  state_new: string;
  after_split?: true;
  /** For a masterchain block: the shards' newest blocks as `workchain:seqno:` and the beginning of the root hash. */
  shards?: string[];
};

export class ChainData {
  readonly folder: string;
  /** The folder and its successors; each continues the chain of the one before. */
  readonly folders: string[];
  readonly entries: readonly ChainEntry[];

  constructor(folder: string, files: readonly Record<string, unknown>[]) {
    this.folder = folder;
    this.folders = [folder];
    this.entries = files.map((raw) => chainEntry(folder, raw));
  }

  /** Entries of which all given fields and facts are equal. */
  where({ facts = {}, ...fields }: ChainFilter): ChainEntry[] {
    return this.entries.filter(
      (entry) =>
        Object.entries(fields).every(([name, value]) => entry[name as keyof ChainEntry] === value) &&
        Object.entries(facts).every(([name, value]) => entry.facts[name] === value),
    );
  }

  /** The first such entry; the test fails when there is none. */
  one(filter: ChainFilter): ChainEntry {
    const [entry] = this.where(filter);
    if (entry === undefined) throw new Error(`the chain data have no ${JSON.stringify(filter)}`);
    return entry;
  }

  /** The newest masterchain block of the folder's recorded chain. */
  get newest(): number {
    const packs = this.where({ kind: "archive_pack", facts: { workchain: masterchain } });
    return Math.max(...packs.map(({ facts }) => Number(facts["seqno_max"])));
  }

  /** All blocks of the folder's packages. */
  recordedBlocks(): RecordedBlock[] {
    return this.where({ kind: "archive_pack" })
      .flatMap((pack) => JSON.parse(Buffer.from(pack.readBeside("entries_file")).toString()))
      .filter(({ kind }) => kind === "block");
  }

  /** The newest blocks of the shards at a masterchain block of the packages, in their order. */
  shardsAt(mcSeqno: number): RecordedBlock[] {
    const blocks = this.recordedBlocks();
    const byTop = new Map(blocks.map((block) => [asTop(block), block]));
    const at = blocks.find(({ workchain, seqno }) => workchain === masterchain && seqno === mcSeqno);
    return at!.shards!.map((top) => byTop.get(top)!);
  }
}

function asTop({ workchain, seqno, name }: RecordedBlock): string {
  return `${workchain}:${seqno}:${name.split(":")[1]!.slice(0, 16).toLowerCase()}`;
}

/** One finished trace with the actions it must give; `raw` is its line of the index. */
export type TraceCase = {
  id: string;
  topic: string;
  raw: Readonly<Record<string, unknown>>;
  read(): unknown;
};

/**
 * The test data in the folders of TONWIRE_TEST_DATA, each with an `index.json` or subfolders with one. Of traces with
 * the same id the first is read.
 */
export function testData(): { chain?: ChainData; traces?: readonly TraceCase[] } {
  const found: { chain?: ChainData; traces?: readonly TraceCase[] } = {};
  const traces = new Map<string, TraceCase>();
  for (const folder of indexedFolders()) {
    const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
    if (isOfChain(index.files) && found.chain) found.chain.folders.push(folder);
    else if (isOfChain(index.files)) found.chain = new ChainData(folder, index.files);
    for (const raw of index.cases ?? []) if (!traces.has(raw.id)) traces.set(raw.id, traceCase(folder, raw));
  }
  if (traces.size > 0) found.traces = [...traces.values()];
  return found;
}

/** Other indexes list files without a kind. */
function isOfChain(files: unknown): files is Record<string, unknown>[] {
  return Array.isArray(files) && files.some((file) => typeof file?.kind === "string");
}

/** A `describe` that needs chain data; without them one skipped test says so. */
export function describeWithChain(title: string, body: (chain: ChainData) => void): void {
  const { chain } = testData();
  if (chain === undefined) test.skip(`${title}: needs chain data in a folder of TONWIRE_TEST_DATA`, () => {});
  else describe(title, () => body(chain));
}

/** A `describe` that needs the traces; without them one skipped test says so. */
export function describeWithTraces(title: string, body: (traces: readonly TraceCase[]) => void): void {
  const { traces } = testData();
  if (traces === undefined) test.skip(`${title}: needs traces in a folder of TONWIRE_TEST_DATA`, () => {});
  else describe(title, () => body(traces));
}

function indexedFolders(): string[] {
  const fallback = fileURLToPath(new URL("../../../shared/data", import.meta.url));
  const folders = (process.env["TONWIRE_TEST_DATA"] ?? fallback).split(delimiter);
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))])
    .filter((folder) => existsSync(join(folder, "index.json")));
}

function chainEntry(folder: string, raw: Record<string, unknown>): ChainEntry {
  const field = <T>(name: string) => raw[name] as T;
  return {
    file: field("file"),
    kind: field("kind"),
    network: field("network"),
    workchain: field("workchain"),
    shard: field("shard"),
    seqno: field("seqno"),
    rootHash: field("root_hash"),
    roots: field("roots"),
    facts: field<ChainEntry["facts"] | undefined>("facts") ?? {},
    raw,
    read: () => readFileSync(join(folder, field<string>("file"))),
    readBeside: (name) => readFileSync(join(folder, field<string>(name))),
  };
}

function traceCase(folder: string, raw: { id: string; topic: string; file: string }): TraceCase {
  const { id, topic, file } = raw;
  return { id, topic, raw, read: () => JSON.parse(readFileSync(join(folder, file), "utf8")) };
}
