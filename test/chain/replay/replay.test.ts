import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { topBlock } from "../../../shared/ton/proofs/make/shard-hashes.js";
import { readConfig } from "../../../shared/ton/proofs/read/config.js";
import {
  type BlockIdExt,
  formatBlockIdExt,
  formatShard,
  masterchain,
  wholeShard,
} from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { registeredShards, ShardHashes } from "../../../shared/ton/tlb/shard-hashes.js";
import { bytesToHex, hexToBytes } from "../../../shared/values/bytes.js";
import { blockAt, expectLiteError } from "../../helpers/chain/contract/target.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { type ArchiveEntry, ArchiveError, readArchive } from "../../helpers/chain/replay/archive.js";
import { trustFromZero, verified } from "../../helpers/chain/trusted.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { type ChainEntry, describeWithChain } from "../../helpers/test-data.js";
import { writeArchive } from "./write-archive.js";

describeWithChain("recorded blocks of mainnet's beginning", (data) => {
  const packs = data.where({ kind: "archive_pack" });
  const facts = data.recordedBlocks();
  const { newest } = data;
  const half = Math.ceil(newest / 2);
  const ofMasterchain = (wanted: number) =>
    facts.find(({ workchain, seqno }) => workchain === masterchain && seqno === wanted)!;
  const zeroStates = data.where({ kind: "shard_state", network: "mainnet", seqno: 0 });

  test("are found by seqno, with header, transactions and state as in the index", async () => {
    const api = replayOf(data.folder);
    expect((await api.getMasterchainInfo()).last.seqno).toBe(newest);
    let transactions = 0;
    for (const fact of facts) {
      const place = { workchain: fact.workchain, shard: BigInt(`0x${fact.shard}`), seqno: fact.seqno };
      const { id } = await api.lookupBlock({ id: place, bySeqno: true });
      const list = await api.listBlockTransactions({ id, count: 256, account: true, lt: true });
      const accounts = new Set(list.ids.map(({ account }) => bytesToHex(account!)));
      const { rootHash } = await api.getState({ id });
      expect({
        shard: formatShard(id.shard),
        txs: list.ids.length,
        accounts: accounts.size,
        state: bytesToHex(rootHash),
      }).toEqual({
        shard: fact.shard,
        txs: fact.n_txs,
        accounts: fact.n_accounts,
        state: fact.state_new,
      });
      transactions += list.ids.length;
    }
    const totals = packs.map((pack) => pack.facts["transactions_total"] as number);
    expect(transactions).toBe(totals.reduce((sum, total) => sum + total));
  });

  test("reject messages", async () => {
    const body = new Uint8Array(10);
    await expectLiteError(replayOf(data.folder).sendMessage({ body }), 651, "node not synced");
  });

  test("can be spread over folders, each continuing the previous one", async () => {
    const [first, second] = halves();
    const api = replayOf(first, second);
    const whole = replayOf(data.folder);
    const info = await api.getMasterchainInfo();
    expect(info).toEqual(await whole.getMasterchainInfo());
    expect((await replayOf(first).getMasterchainInfo()).last.seqno).toBe(half - 1);
    await (await trustFromZero(api)).newest(api, {});
    for (const seqno of [half - 1, half, newest]) {
      const id = await blockAt(api, seqno);
      expect(await api.getAllShardsInfo({ id, proof: true })).toEqual(
        await whole.getAllShardsInfo({ id, proof: true }),
      );
      expect((await api.getState({ id })).rootHash).toEqual((await whole.getState({ id })).rootHash);
    }
  });

  test("without an initial state serve requests that need no state", async () => {
    const [, second] = halves();
    const api = replayOf(second);
    const { last } = await api.getMasterchainInfo();
    expect(last.seqno).toBe(newest);
    expect(await api.getMasterchainInfo()).toMatchObject({
      stateRootHash: hexToBytes(ofMasterchain(newest).state_new),
    });
    const { data: file } = await api.getBlock({ id: last });
    expect(createHash("sha256").update(file).digest()).toEqual(Buffer.from(last.fileHash));
    const list = await api.listBlockTransactions({
      id: last,
      count: 256,
      account: true,
      lt: true,
      proof: true,
    });
    expect(list.ids.length).toBeGreaterThan(0);
    const [{ account, lt }] = list.ids as [{ account: Uint8Array; lt: bigint }];
    const place = { workchain: masterchain, id: account };
    expect(
      (await api.getOneTransaction({ id: last, account: place, lt })).transaction.length,
    ).toBeGreaterThan(0);
    const [shard] = await shardsOf(api, last);
    expect((await api.getShardBlockProof({ id: shard! })).masterchainId).toEqual(last);
    await expectLiteError(api.getState({ id: last }), 651, "state is not in db");
    await expectLiteError(
      api.getAccountState({ id: last, account: place }),
      651,
      `cannot load state for ${formatBlockIdExt(last)} : state is not in db`,
    );
  });

  test("can be single files: a key block and blocks that its validators signed", async () => {
    const proofs = data.where({ kind: "block_proof", workchain: masterchain });
    const [key] = proofs.filter(({ facts: { verified_from_key_block: from } }) => from === undefined);
    const own = [
      key!,
      ...proofs.filter(({ facts: { verified_from_key_block: from } }) => from === key!.seqno),
    ];
    const blocks = own.map(({ seqno }) =>
      data.one({ kind: "block", network: "mainnet", workchain: masterchain, seqno }),
    );
    const api = replayOf(folderWith([...own, ...blocks]));
    const { last } = await api.getMasterchainInfo();
    expect(last.seqno).toBe(Math.max(...own.map(({ seqno }) => seqno!)));
    const start = await blockAt(api, key!.seqno!);
    const checked = await verified(api, start);
    const answer = await checked.getBlockProof({ knownBlock: start, targetBlock: last });
    expect(answer.steps.map(({ type }) => type)).toEqual(["forward"]);
    const { id } = await checked.lookupBlock({ id: last, bySeqno: true });
    expect(id).toEqual(last);
  });

  test("include recorded answers of real servers about other blocks", async () => {
    const { facts } = data.one({ kind: "liteServer.configInfo (boxed TL)" });
    const {
      seqno,
      root_hash: root,
      file_hash: file,
    } = facts as { seqno: number; root_hash: string; file_hash: string };
    const hashes = { rootHash: hexToBytes(root)!, fileHash: hexToBytes(file)! };
    const id = { workchain: masterchain, shard: wholeShard, seqno, ...hashes };
    const api = await verified(replayOf(data.folder));
    const { params } = await readConfig(api, id);
    expect(configParam(params, 15)).toMatchObject({ validatorsElectedFor: 65_536 });
    const answer = await api.getConfigParams({ id, paramList: [15, 34] });
    expect({ ...answer, configProof: answer.configProof.length }).toEqual({
      id,
      stateProof: new Uint8Array(0),
      configProof: facts["config_proof_len"],
    });
  });

  test("are rejected if the package is truncated or invalid", () => {
    const bytes = packs[0]!.read();
    expect(() => readArchive(bytes.subarray(0, 3))).toThrow(ArchiveError);
    expect(() => readArchive(Uint8Array.of(1, 2, 3, 4))).toThrow("this is not an archive package");
    expect(() => readArchive(bytes.subarray(0, bytes.length - 1))).toThrow(/is cut off$/);
    expect(() => readArchive(bytes.subarray(0, bytes.length - 1_000))).toThrow(ArchiveError);
    const renamed = new Uint8Array(bytes);
    renamed.set(new TextEncoder().encode("clock"), 12);
    expect(() => readArchive(renamed)).toThrow(/^an archive entry is called clock(link)?_\(/);
    expect(() => replayOf(temporaryFolder())).toThrow();
  });

  /** The packages split into two folders; only the first has the zero states. */
  function halves(): [string, string] {
    const entries = packs.flatMap((pack) => readArchive(pack.read()));
    const splitUtime = ofMasterchain(half).gen_utime;
    const utimes = new Map(
      facts.map((fact) => [`${fact.workchain}:${fact.shard}:${fact.seqno}`, fact.gen_utime]),
    );
    const isEarly = ({ id }: ArchiveEntry) =>
      id.workchain === masterchain
        ? id.seqno < half
        : utimes.get(`${id.workchain}:${formatShard(id.shard)}:${id.seqno}`)! < splitUtime;
    return [
      folderWith(zeroStates, entries.filter(isEarly)),
      folderWith(
        [],
        entries.filter((entry) => !isEarly(entry)),
      ),
    ];
  }

  function folderWith(files: readonly ChainEntry[], archived: readonly ArchiveEntry[] = []): string {
    const folder = temporaryFolder();
    const indexed = files.map((entry, number) => {
      writeFileSync(join(folder, `${number}.boc`), entry.read());
      return { ...entry.raw, file: `${number}.boc` };
    });
    if (archived.length > 0) {
      const bytes = writeArchive(archived);
      writeFileSync(join(folder, "blocks.pack"), bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      indexed.push({ file: "blocks.pack", kind: "archive_pack", network: "mainnet", sha256 } as never);
    }
    writeFileSync(join(folder, "index.json"), JSON.stringify({ files: indexed }));
    return folder;
  }
});

async function shardsOf(api: LiteApi, id: BlockIdExt): Promise<BlockIdExt[]> {
  const { data } = await api.getAllShardsInfo({ id });
  return Array.from(registeredShards(decode(ShardHashes, parseBocRoot(data))), topBlock);
}
