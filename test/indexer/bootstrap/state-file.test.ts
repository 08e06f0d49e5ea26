import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { StateFile } from "../../../server/indexer/bootstrap/state-file.js";
import { WorkFolder } from "../../../server/indexer/bootstrap/work-folder.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { createMerkleProof } from "../../../shared/ton/cells/merkle/proof.js";
import { formatShard } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { type ShardAccount, ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { openGenesisAccounts } from "../../helpers/chain/genesis-accounts.js";
import { nodeBag } from "../../helpers/chain/node-bag.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { sized, variants } from "../../helpers/effort.js";
import { stateAfter, topBlocks } from "../../helpers/index/bootstraps.js";
import { writeSplitState } from "../../helpers/index/split-state.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { describeWithChain } from "../../helpers/test-data.js";

const unstopped = new AbortController().signal;

async function open(path: string): Promise<StateFile> {
  const folder = await WorkFolder.open(join(temporaryFolder(), "work"));
  onTestFinished(() => folder.close({ remove: true }));
  const file = await StateFile.open(path, folder, { signal: unstopped });
  onTestFinished(() => file.close());
  return file;
}

function written(root: Cell): string {
  const path = join(temporaryFolder(), "state.boc");
  writeFileSync(path, nodeBag(root));
  return path;
}

const entriesOf = (root: Cell) => [...decode(ShardStateUnsplit, root).accounts.value.entries()];

/** Text of an account with all its cells. */
const textOf = ({ account, lastTransHash, lastTransLt }: ShardAccount) =>
  [bytesToHex(serializeBoc(account.cell)), bytesToHex(lastTransHash), lastTransLt].join(" ");

/** Texts of all accounts, as they are read behind a key. */
const accountsOf = (file: StateFile, key?: Uint8Array) =>
  [...file.accountsBehind(key)].map(({ address, entry }) => [bytesToHex(address.hash), textOf(entry)]);

async function refusalOf(path: string): Promise<string> {
  try {
    for (const _ of (await open(path)).accountsBehind(undefined));
  } catch (error) {
    expect(error).toMatchObject({ isSetupError: true });
    return (error as Error).message.replaceAll(path, "FILE");
  }
  return "accepted";
}

/** The state of a shard with these accounts in place of its own. */
function withAccounts(root: Cell, accounts: ShardAccounts): Cell {
  return encode(ShardStateUnsplit, {
    ...decode(ShardStateUnsplit, root),
    accounts: CellOf.of(ShardAccounts, accounts),
  });
}

let whole: Cell;

beforeAll(async () => {
  const accounts = Array.from({ length: 60 }, (_, i) => {
    const hash = new Uint8Array(32).fill(i).map((_, k) => (37 * i + k * k * (i % 7)) & 0xff);
    const [code, data] = [3, i].map((value) => beginCell().storeUint(value, 99).endCell());
    return { address: new Address(0, hash), code: code!, data: data! };
  });
  const { api } = await openGenesisAccounts(accounts);
  const [basechain] = await topBlocks(api);
  whole = await stateAfter(api, basechain!);
});

describe("The file of a shard's state", () => {
  test("has all accounts with their cells, from any key on", async () => {
    const entries = entriesOf(whole);
    expect(entries).toHaveLength(60);
    const file = await open(written(whole));
    expect(bytesToHex(file.rootHash)).toBe(whole.hashHex());
    const expected = entries.map(([id, entry]) => [bytesToHex(id), textOf(entry)]);
    expect(accountsOf(file)).toEqual(expected);
    for (const [place, [id, entry]] of entries.entries()) {
      if (place % 9 === 0) expect(accountsOf(file, id)).toEqual(expected.slice(place + 1));
      expect(textOf(file.find(new Address(0, id))!)).toBe(textOf(entry));
    }
    const absent = new Address(0, new Uint8Array(32).fill(0xab));
    expect([file.find(absent), file.covers(absent)]).toEqual([undefined, true]);
    expect(file.covers(new Address(-1, absent.hash))).toBe(false);
    expect(file.shareUpTo(new Uint8Array(32).fill(0x40))).toBeCloseTo(0.25, 2);
  });

  test.each(variants([2], [1, 4]))("is read in parts of %d bits as in one", async (depth) => {
    const { header, parts } = writeSplitState(temporaryFolder(), whole, depth);
    expect(parts.size).toBeGreaterThan(1);
    const [split, one] = [await open(header), await open(written(whole))];
    expect(bytesToHex(split.rootHash)).toBe(whole.hashHex());
    const all = accountsOf(one);
    expect(accountsOf(split)).toEqual(all);
    for (const [id, text] of all) {
      const key = Buffer.from(id!, "hex");
      expect(accountsOf(split, key)).toEqual(accountsOf(one, key));
      expect(textOf(split.find(new Address(0, key))!)).toBe(text);
    }
  });

  test("in parts is refused without one of them, with a changed one, and under other names", async () => {
    const folder = temporaryFolder();
    const { header, parts } = writeSplitState(folder, whole, 2);
    const [[shard, part], [, other]] = [...parts] as [[string, string], [string, string]];
    expect(await refusalOf(part)).toBe("FILE is a part of a state: name the file statesplit_… beside it");
    const bytes = nodeBag(encode(ShardAccounts, ShardAccounts.empty.update(entriesOf(whole).slice(0, 3))));
    writeFileSync(part, bytes);
    expect(await refusalOf(header)).toBe(`${part} is not a part of the state`);
    writeFileSync(part, nodeBag(beginCell().endCell()));
    expect(await refusalOf(header)).toMatch(`${part}: HashmapAugE`);
    rmSync(part);
    expect(await refusalOf(header)).toBe(`the part ${shard} of the state is missing beside its header`);
    const moved = join(folder, "header.boc");
    renameSync(header, moved);
    expect(await refusalOf(moved)).toMatch(/^FILE is the header of a state in several files/);
    for (const each of [...parts.values()].slice(1)) rmSync(each);
    renameSync(moved, header);
    expect(await refusalOf(header)).toMatch(/^the part \w+ of the state is missing/);
    expect(other).not.toBe(part);
  });

  test("leaves nothing of its own in the folder for its cells, and what others have there", async () => {
    const [own, shared] = [join(temporaryFolder(), "own"), temporaryFolder()];
    writeFileSync(join(shared, "other"), "");
    const path = written(whole);
    for (const place of [own, shared]) {
      const folder = await WorkFolder.open(place);
      await expect(WorkFolder.open(place)).rejects.toMatchObject({ isSetupError: true });
      (await StateFile.open(path, folder, { signal: unstopped })).close();
      expect(readdirSync(place)).toContain("state.boc.cells");
      await folder.close({ remove: true });
    }
    expect([existsSync(own), readdirSync(shared)]).toEqual([false, ["other"]]);
  });

  test("is refused if it is another bag, or not whole", async () => {
    expect(await refusalOf(written(beginCell().storeUint(7, 64).endCell()))).toMatch(
      /^FILE: shard_state#9023afe2/,
    );
    const { accounts } = decode(ShardStateUnsplit, whole);
    const proof = createMerkleProof(whole, (cell) => cell !== accounts.cell);
    expect(await refusalOf(written(proof.ref(0)))).toBe("FILE is not a whole state: cells are pruned");
    expect(await refusalOf(written(proof))).toMatch(/^FILE is the header of a state/);
    const path = written(whole);
    const bytes = nodeBag(whole);
    writeFileSync(path, bytes.subarray(0, bytes.length - 100));
    expect(await refusalOf(path)).toBe("FILE: invalid bag of cells: truncated");
    writeFileSync(path, bytes.with(bytes.length - 200, bytes.at(-200)! ^ 1));
    expect(await refusalOf(path)).toBe("FILE: invalid bag of cells: checksum mismatch");
  });

  test("is refused with an account under two keys, or of another shard", async () => {
    const entries = entriesOf(whole);
    const [[id, entry], [otherId]] = entries as [[Uint8Array, ShardAccount], [Uint8Array]];
    const twice = withAccounts(
      whole,
      ShardAccounts.empty.update([
        [id, entry],
        [otherId, entry],
      ]),
    );
    const other = new Address(0, otherId);
    expect(await refusalOf(written(twice))).toBe(
      `FILE: the entry of ${other} is of another account, or of none`,
    );
    const half = 0x4000000000000000n;
    const shardId = { workchain: 0, shard: half };
    const split = encode(ShardStateUnsplit, { ...decode(ShardStateUnsplit, whole), shardId });
    expect(await refusalOf(written(split))).toMatch(/^FILE: 0:[89a-f]\w+ is not an account of the shard$/);
    expect(formatShard(half)).toBe("4000000000000000");
  });
});

describeWithChain("The states of mainnet", (chain) => {
  test("have the accounts that its blocks made", async () => {
    const api = replayOf(...chain.folders);
    let seen = 0;
    for (const id of await topBlocks(api)) {
      const root = await stateAfter(api, id);
      const file = await open(written(root));
      const expected = entriesOf(root).map(([key, entry]) => [bytesToHex(key), textOf(entry)]);
      expect([id.seqno, accountsOf(file)]).toEqual([id.seqno, expected]);
      seen += expected.length;
    }
    expect(seen).toBeGreaterThan(6);
    for (const { read } of chain.where({ kind: "shard_state", seqno: 0, network: "mainnet" })) {
      const root = parseBocRoot(read());
      expect(accountsOf(await open(written(root)))).toHaveLength(entriesOf(root).length);
    }
  });

  test("are refused if they are partial", async () => {
    const partial = chain.entries
      .filter(({ file }) => file.endsWith(".partial.boc"))
      .filter((_, at) => at % sized(4, 1) === 0);
    expect(partial.length).toBeGreaterThan(sized(1, 5));
    for (const { read, file } of partial) {
      const path = join(temporaryFolder(), "partial.boc");
      writeFileSync(path, read());
      expect([file, await refusalOf(path)]).toEqual([
        file,
        expect.stringMatching(/^FILE (is the header of a state|is not a whole state)/),
      ]);
    }
  });
});
