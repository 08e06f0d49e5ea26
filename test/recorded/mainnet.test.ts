import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBoc, parseBocRoot } from "../../server/cells/boc.js";
import { openMerkleProof } from "../../server/cells/proof.js";
import { isSignedBy } from "../../server/chain/ed25519.js";
import type { LiteApi } from "../../server/chain/lite-api.js";
import {
  type BlockIdExt,
  formatBlockIdExt,
  shardContainsPrefix,
  shardIsAncestor,
} from "../../server/tlb/block-id.js";
import { configParam } from "../../server/tlb/config/config-param.js";
import { ConfigDictionary } from "../../server/tlb/config-params.js";
import { base64ToBytes, bytesToBase64, hexToBytes } from "../../shared/values/bytes.js";
import type { ChainApp } from "../helpers/chain-app.js";
import { describeMainnet } from "./describe-mainnet.js";

type BlockId = { workchain: number; shard: string; seqno: number; root_hash: string; file_hash: string };
type Header = { id: BlockId; after_split: boolean; prev_blocks: BlockId[]; start_lt: string; end_lt: string };
type Short = { account: string; lt: string; hash: string };
type Listing = { id: BlockId; req_count: number; incomplete: boolean; transactions: Short[] };
type Full = {
  account: string;
  data: string;
  transaction_id: { lt: string; hash: string };
  in_msg?: Ends;
  out_msgs: Ends[];
};
type Ends = { source: string; destination: string; created_lt: string };

const whole = "-9223372036854775808";
const masterchain = `workchain=-1&shard=${whole}`;
const minter = "-1:0000000000000000000000000000000000000000000000000000000000000000";
const elector = `-1:${"3".repeat(64)}`;

/** The expected answers come from the archives of nodes and from the zero states. */
describeMainnet("the first blocks of mainnet", (open, data) => {
  const { newest } = data;
  const blocks = data.recordedBlocks();
  const zero = data.one({ kind: "shard_state", network: "mainnet", workchain: -1, seqno: 0 });
  const zeroHashes = {
    root_hash: hexToBase64(zero.rootHash!),
    file_hash: hexToBase64(zero.raw["sha256"] as string),
  };
  let lite: LiteApi;
  let app: ChainApp;
  let close: () => Promise<void>;
  const result = <T>(path: string) => app.result<T>(path);
  beforeAll(async () => {
    ({ app, lite, close } = await open());
  });
  afterAll(() => close());

  async function idOf(workchain: number, shard: bigint, seqno: number): Promise<object> {
    return wireId((await lite.lookupBlock({ id: { workchain, shard, seqno }, bySeqno: true })).id);
  }

  describe("getMasterchainInfo and getConsensusBlock", () => {
    it("name the last block and the zero state", async () => {
      const last = blocks.find(({ workchain, seqno }) => workchain === -1 && seqno === newest)!;
      expect(await result("getMasterchainInfo")).toEqual({
        "@type": "blocks.masterchainInfo",
        last: await idOf(-1, 1n << 63n, newest),
        state_root_hash: hexToBase64(last.state_new),
        init: {
          "@type": "ton.blockIdExt",
          workchain: -1,
          shard: "0",
          seqno: 0,
          ...zeroHashes,
        },
      });
      expect(await result("getConsensusBlock")).toEqual({
        "@type": "ext.blocks.consensusBlock",
        consensus_block: newest,
        timestamp: 1_700_000_000,
      });
    });
  });

  describe("lookupBlock", () => {
    it("finds blocks by number, logical time and time", async () => {
      for (const seqno of [1, 2, 50, newest]) {
        const id = await result(`lookupBlock?${masterchain}&seqno=${seqno}`);
        expect(id).toEqual(await idOf(-1, 1n << 63n, seqno));
        const { start_lt, end_lt } = await result<Header>(`getBlockHeader?${masterchain}&seqno=${seqno}`);
        expect(await result(`lookupBlock?${masterchain}&lt=${start_lt}`)).toEqual(id);
        expect(await result(`lookupBlock?${masterchain}&lt=${end_lt}`)).toEqual(id);
      }
      const first = await result<{ gen_utime: number }>(`getBlockHeader?${masterchain}&seqno=1`);
      expect(await result(`lookupBlock?${masterchain}&unixtime=${first.gen_utime}`)).toMatchObject({
        seqno: 1,
      });
      expect(await result(`lookupBlock?${masterchain}&unixtime=0`)).toMatchObject({ seqno: 1 });
    });

    it("finds the block of a shard by any part of the shard", async () => {
      const { shards } = await result<{ shards: BlockId[] }>(`getShards?seqno=${newest}`);
      for (const { shard, seqno } of shards) {
        const deeper = BigInt.asIntN(64, unsigned(shard) | 1n);
        expect(await result(`lookupBlock?workchain=0&shard=${deeper}&seqno=${seqno}`)).toMatchObject({
          shard,
          seqno,
        });
      }
    });

    it("answers an error for a block that does not exist", async () => {
      const { status, json } = await app.ask(`/api/v2/lookupBlock?${masterchain}&seqno=${newest + 1}`);
      expect([status, json]).toEqual([
        500,
        {
          ok: false,
          error: `LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=${newest + 1}: seqno not in db (last known masterchain block: ${newest})`,
          code: 500,
          "@extra": expect.any(String),
        },
      ]);
    });
  });

  describe("getShards", () => {
    it("lists the shards in their order as they split", async () => {
      const shardsAt = async (seqno: number) =>
        (await result<{ shards: BlockId[] }>(`getShards?seqno=${seqno}`)).shards;
      expect(await shardsAt(1)).toMatchObject([{ shard: whole, seqno: 0 }]);
      const split = await shardsAt(newest);
      expect(split.length).toBeGreaterThan(1);
      expect(split.map(recordedName)).toEqual(data.shardsAt(newest).map(({ name }) => name));
    });

    it("has the alias shards", async () => {
      expect(await result(`shards?seqno=${newest}`)).toEqual(await result(`getShards?seqno=${newest}`));
    });
  });

  describe("getBlockHeader", () => {
    it("shows every field of a header", async () => {
      expect(await result(`getBlockHeader?workchain=0&shard=${whole}&seqno=5`)).toEqual({
        "@type": "blocks.header",
        id: await idOf(0, 1n << 63n, 5),
        global_id: -239,
        version: 0,
        flags: 0,
        after_merge: false,
        after_split: false,
        before_split: false,
        want_merge: false,
        want_split: false,
        validator_list_hash_short: -1420722776,
        catchain_seqno: 1,
        min_ref_mc_seqno: 2,
        is_key_block: false,
        prev_key_block_seqno: 0,
        start_lt: "6000000",
        end_lt: "6000001",
        gen_utime: 1573822403,
        vert_seqno: 0,
        prev_blocks: [await idOf(0, 1n << 63n, 4)],
      });
      expect(await result(`getBlockHeader?${masterchain}&seqno=1`)).toMatchObject({
        validator_list_hash_short: -1447544682,
        min_ref_mc_seqno: 1,
        prev_blocks: [
          {
            shard: whole,
            seqno: 0,
            ...zeroHashes,
          },
        ],
      });
    });

    it("leads back from the newest block to the first one, across the splits", async () => {
      let splits = 0;
      const { shards } = await result<{ shards: BlockId[] }>(`getShards?seqno=${newest}`);
      for (let at of shards.slice(0, 1)) {
        while (at.seqno > 0) {
          const hashes = `root_hash=${encodeURIComponent(at.root_hash)}&file_hash=${encodeURIComponent(at.file_hash)}`;
          const header = await result<Header>(
            `getBlockHeader?workchain=0&shard=${at.shard}&seqno=${at.seqno}&${hashes}`,
          );
          expect(header.id).toEqual(at);
          if (header.after_split) splits++;
          at = header.prev_blocks[0]!;
        }
      }
      const shard = unsigned(shards[0]!.shard);
      const recorded = blocks.filter(
        (each) => each.after_split && shardIsAncestor(BigInt(`0x${each.shard}`), shard),
      );
      expect(splits).toBe(recorded.length);
      expect(splits).toBeGreaterThan(0);
    });

    it("refuses the hashes of another block", async () => {
      const other = "A".repeat(43);
      const { status, json } = await app.ask(
        `/api/v2/getBlockHeader?${masterchain}&seqno=5&root_hash=${other}%3D&file_hash=${other}%3D`,
      );
      expect([status, (json as { error: string }).error]).toEqual([
        500,
        expect.stringMatching(/^LITE_SERVER_/),
      ]);
      // One hash alone is ignored.
      expect(await result(`getBlockHeader?${masterchain}&seqno=5&root_hash=${other}%3D`)).toMatchObject({
        id: { seqno: 5 },
      });
    });
  });

  describe("getMasterchainBlockSignatures", () => {
    it("gives signatures of the block id by validators of the configuration", async () => {
      for (const seqno of [1, 2, newest]) {
        const { config } = await result<{ config: { bytes: string } }>(`getConfigAll?seqno=${seqno}`);
        const params = ConfigDictionary.load(parseBocRoot(base64ToBytes(config.bytes)!).parse());
        const validators = configParam(params, 34)!;
        const keys = [...validators.list.values()].map(({ publicKey }) => publicKey.pubkey);
        const { id, signatures } = await result<{ id: BlockId; signatures: { signature: string }[] }>(
          `getMasterchainBlockSignatures?seqno=${seqno}`,
        );
        expect(id).toEqual(await idOf(-1, 1n << 63n, seqno));
        expect(signatures.length).toBeGreaterThanOrEqual(4);
        // ton.blockId root_hash:int256 file_hash:int256
        const signed = Buffer.concat([
          Buffer.from("706e0bc5", "hex"),
          base64ToBytes(id.root_hash)!,
          base64ToBytes(id.file_hash)!,
        ]);
        for (const { signature } of signatures)
          expect(keys.some((key) => isSignedBy(key, signed, base64ToBytes(signature)!))).toBe(true);
      }
    });
  });

  describe("getShardBlockProof", () => {
    it("leads from the trusted block to the block", async () => {
      const { shards } = await result<{ shards: BlockId[] }>("getShards?seqno=60");
      for (const top of shards) {
        const proof = await result<{
          from: BlockId;
          mc_id: BlockId;
          links: { id: BlockId; proof: string }[];
          mc_proof: { from: BlockId; to: BlockId; dest_proof: string; proof: string }[];
        }>(`getShardBlockProof?workchain=0&shard=${top.shard}&seqno=${top.seqno}`);
        expect(proof.from.seqno).toBe(newest);
        let at = proof.mc_id;
        for (const link of proof.links) {
          expect(proofRoot(link.proof)).toBe(at.root_hash);
          at = link.id;
        }
        expect(at).toEqual(top);
        const [back, ...more] = proof.mc_proof;
        expect(more).toEqual([]);
        expect([back!.from, back!.to]).toEqual([proof.from, proof.mc_id]);
        expect([proofRoot(back!.proof), proofRoot(back!.dest_proof)]).toEqual([
          proof.from.root_hash,
          proof.mc_id.root_hash,
        ]);
      }
    });

    it("needs no links for a masterchain block, and no proof for the trusted block itself", async () => {
      const id = await idOf(-1, 1n << 63n, 7);
      expect(await result(`getShardBlockProof?${masterchain}&seqno=7&from_seqno=7`)).toEqual({
        "@type": "blocks.shardBlockProof",
        from: id,
        mc_id: id,
        links: [],
        mc_proof: [],
      });
    });

    it("refuses a trusted block that is older or does not exist", async () => {
      const older = await app.ask(`/api/v2/getShardBlockProof?${masterchain}&seqno=7&from_seqno=6`);
      expect(older.json).toMatchObject({ ok: false, error: "from mc block is too old", code: 500 });
      const absent = await app.ask(
        `/api/v2/getShardBlockProof?${masterchain}&seqno=7&from_seqno=${newest + 400}`,
      );
      expect(absent.json).toMatchObject({
        error: expect.stringMatching(/^lookup from block error: LITE_SERVER_NOTREADY: cannot find block/),
        code: 500,
      });
    });
  });

  describe("getBlockTransactions and getBlockTransactionsExt", () => {
    it("list the transactions of the block in its order", async () => {
      const all = await result<Listing>(`getBlockTransactions?${masterchain}&seqno=1`);
      expect(all).toMatchObject({
        "@type": "blocks.transactions",
        id: await idOf(-1, 1n << 63n, 1),
        req_count: 40,
        incomplete: false,
      });
      // From the list of the archive's transactions that @ton/core made.
      expect(all.transactions.slice(0, 2)).toEqual([
        {
          "@type": "blocks.shortTxId",
          mode: 135,
          account: minter,
          lt: "1000001",
          hash: bytesToBase64(
            Buffer.from("e7472d76f471ef8090e3f256e738ab6a0ce82b36218310938cfb6bb630fad535", "hex"),
          ),
        },
        {
          "@type": "blocks.shortTxId",
          mode: 135,
          account: minter,
          lt: "1000003",
          hash: bytesToBase64(
            Buffer.from("772ca5ac8e990e07b51deb6d906c86b40d4ae9dd52acfea4a536f533f91cd83e", "hex"),
          ),
        },
      ]);
      const full = await result<{ transactions: Full[] }>(`getBlockTransactionsExt?${masterchain}&seqno=1`);
      expect(
        full.transactions.map(({ account, transaction_id: { lt, hash } }) => [
          account.toLowerCase(),
          lt,
          hash,
        ]),
      ).toEqual(all.transactions.map(({ account, lt, hash }) => [account, lt, hash]));
    });

    it.each(["getBlockTransactions", "getBlockTransactionsExt"])(
      "%s pages by after_lt and after_hash",
      async (name) => {
        const wanted = (await result<Listing>(`getBlockTransactions?${masterchain}&seqno=1`)).transactions;
        const seen: [string, string][] = [];
        let after = "";
        for (let incomplete = true; incomplete; ) {
          const page = await result<{
            incomplete: boolean;
            req_count: number;
            transactions: (Short & Full)[];
          }>(`${name}?${masterchain}&seqno=1&count=2${after}`);
          expect(page.req_count).toBe(2);
          const ids = page.transactions.map((each): [string, string] => [
            each.account.toLowerCase(),
            each.lt ?? each.transaction_id.lt,
          ]);
          seen.push(...ids);
          const [account, lt] = seen.at(-1)!;
          // after_hash takes an address or a bare account id.
          const place = seen.length % 4 === 0 ? account : account.split(":")[1]!;
          after = `&after_lt=${lt}&after_hash=${place}`;
          incomplete = page.incomplete;
        }
        expect(seen).toEqual(wanted.map(({ account, lt }) => [account, lt]));
      },
    );

    it("answer an empty list for a block without transactions", async () => {
      expect(await result(`getBlockTransactionsExt?workchain=0&shard=${whole}&seqno=1`)).toMatchObject({
        incomplete: false,
        transactions: [],
      });
    });
  });

  describe("getTransactions and getTransactionsStd", () => {
    /** Every transaction of the account in the slice, newest first, from the blocks themselves. */
    async function history(account: string): Promise<string[]> {
      const found: string[] = [];
      for (let seqno = newest; seqno > 0; seqno--) {
        const listing = await result<Listing>(
          `getBlockTransactions?${masterchain}&seqno=${seqno}&count=1000`,
        );
        const own = listing.transactions.filter((each) => each.account === account);
        found.push(...own.map(({ lt, hash }) => `${lt} ${hash}`).reverse());
      }
      return found;
    }
    const idsOf = (transactions: Full[]) =>
      transactions.map(({ transaction_id: { lt, hash } }) => `${lt} ${hash}`);

    it("give the whole history of an account, newest first", async () => {
      const wanted = await history(elector);
      expect(wanted.length).toBeGreaterThan(150);
      expect(idsOf(await result<Full[]>(`getTransactions?address=${elector}&limit=1000`))).toEqual(wanted);
      expect(idsOf(await result<Full[]>(`getTransactions?address=${elector}`))).toEqual(wanted.slice(0, 10));
    });

    it("start at a transaction, inclusive, given by its hash in any form", async () => {
      const [, , third] = await result<Full[]>(`getTransactions?address=${elector}&limit=3`);
      const { lt, hash } = third!.transaction_id;
      const hex = Buffer.from(hash, "base64").toString("hex");
      const next = await result<Full[]>(`getTransactions?address=${elector}&limit=2&lt=${lt}&hash=${hex}`);
      expect(next[0]).toEqual(third);
      const same = await result<Full[]>(
        `getTransactions?address=${elector}&limit=2&lt=${lt}&hash=${encodeURIComponent(hash)}`,
      );
      expect(same).toEqual(next);
    });

    it("page through all transactions by previous_transaction_id", async () => {
      const wanted = await history(elector);
      const seen: string[] = [];
      let start = "";
      for (;;) {
        const page = await result<{
          transactions: Full[];
          previous_transaction_id: { lt: string; hash: string };
        }>(`getTransactionsStd?address=${elector}&limit=60${start}`);
        seen.push(...idsOf(page.transactions));
        const { lt, hash } = page.previous_transaction_id;
        if (lt === "0") {
          expect(hash).toBe("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
          break;
        }
        start = `&lt=${lt}&hash=${encodeURIComponent(hash)}`;
      }
      expect(seen).toEqual(wanted);
    });

    it("stop at to_lt, and name the next transaction", async () => {
      const all = await result<Full[]>(`getTransactions?address=${elector}&limit=25`);
      const [bound, next] = [all[20]!, all[20]!].map((each) => each.transaction_id);
      const some = await result<Full[]>(`getTransactions?address=${elector}&limit=1000&to_lt=${bound!.lt}`);
      expect(idsOf(some)).toEqual(idsOf(all.slice(0, 20)));
      const std = await result<{ previous_transaction_id: object; transactions: Full[] }>(
        `getTransactionsStd?address=${elector}&limit=1000&to_lt=${bound!.lt}`,
      );
      expect(std.transactions).toHaveLength(20);
      expect(std.previous_transaction_id).toEqual(next);
    });

    it("refuse a hash of another transaction", async () => {
      const [newest] = await result<Full[]>(`getTransactions?address=${elector}&limit=1`);
      const { status, json } = await app.ask(
        `/api/v2/getTransactions?address=${elector}&lt=${newest!.transaction_id.lt}&hash=${"A".repeat(43)}`,
      );
      expect([status, (json as { error: string }).error]).toEqual([
        500,
        "LITE_SERVER_UNKNOWN: transaction hash mismatch",
      ]);
    });

    it("answer an error where no block has the logical time", async () => {
      const { json } = await app.ask(
        `/api/v2/getTransactions?address=${elector}&lt=999999999999999&hash=${"A".repeat(43)}`,
      );
      expect(json).toMatchObject({
        error: expect.stringMatching(
          /^LITE_SERVER_UNKNOWN: cannot compute block with specified transaction: cannot find block \(-1,3333333333333333\) lt=999999999999999: lt not in db/,
        ),
        code: 500,
      });
    });
  });

  describe("tryLocateTx and tryLocateSourceTx", () => {
    it("find both ends of every message between accounts", async () => {
      let found = 0;
      for (const seqno of [1, 2, 3, 50, 98]) {
        const { transactions } = await result<{ transactions: Full[] }>(
          `getBlockTransactionsExt?${masterchain}&seqno=${seqno}&count=1000`,
        );
        for (const { transaction_id } of transactions.filter(({ in_msg }) => in_msg)) {
          const [full] = await result<Full[]>(
            `getTransactions?address=${accountOf(transactions, transaction_id)}&limit=1&lt=${transaction_id.lt}&hash=${encodeURIComponent(transaction_id.hash)}`,
          );
          const { source, destination, created_lt } = full!.in_msg!;
          // Messages that a block itself creates, at its start, have no sending transaction.
          if (created_lt.endsWith("000000")) continue;
          const query = `source=${source}&destination=${destination}&created_lt=${created_lt}`;
          expect(await result(`tryLocateTx?${query}`)).toEqual(full);
          expect(await result(`tryLocateResultTx?${query}`)).toEqual(full);
          const sender = await result<Full>(`tryLocateSourceTx?${query}`);
          expect(sender.out_msgs).toContainEqual(full!.in_msg);
          found++;
        }
      }
      expect(found).toBeGreaterThan(10);
    });

    it("answer 404 where there is no such message", async () => {
      for (const lt of ["5", "1000004", "999999999999"]) {
        for (const name of ["tryLocateTx", "tryLocateResultTx", "tryLocateSourceTx"]) {
          const query = `source=${elector}&destination=${minter}&created_lt=${lt}`;
          const { status, json } = await app.ask(`/api/v2/${name}?${query}`);
          expect([status, json]).toEqual([
            404,
            { ok: false, error: "transaction was not found", code: 404, "@extra": expect.any(String) },
          ]);
        }
      }
    });
  });

  describe("accounts", () => {
    it("are read at the block that seqno names", async () => {
      const at = async (seqno: number) =>
        result<Record<string, unknown>>(`getAddressInformation?address=${elector}&seqno=${seqno}`);
      const [first, last, unpinned] = [
        await at(1),
        await at(newest),
        await result(`getAddressInformation?address=${elector}`),
      ];
      expect(unpinned).toEqual(last);
      expect(first["balance"]).not.toBe(last["balance"]);
      for (const [seqno, account] of [
        [1, first],
        [newest, last],
      ] as const) {
        const { gen_utime } = await result<{ gen_utime: number }>(
          `getBlockHeader?${masterchain}&seqno=${seqno}`,
        );
        const listing = await result<Listing>(`getBlockTransactions?${masterchain}&seqno=${seqno}`);
        const { lt, hash } = listing.transactions.findLast((each) => each.account === elector)!;
        expect(account).toEqual({
          "@type": "raw.fullAccountState",
          balance: expect.stringMatching(/^\d+$/),
          extra_currencies: [],
          last_transaction_id: { "@type": "internal.transactionId", lt, hash },
          block_id: await idOf(-1, 1n << 63n, seqno),
          code: expect.stringMatching(/^te6cc/),
          data: expect.stringMatching(/^te6cc/),
          frozen_hash: "",
          sync_utime: gen_utime,
          state: "active",
          suspended: false,
        });
      }
      for (const seqno of [1, newest]) {
        const { balance } = await at(seqno);
        expect(await result(`getAddressBalance?address=${elector}&seqno=${seqno}`)).toBe(balance);
        expect(await result(`getAddressState?address=${elector}&seqno=${seqno}`)).toBe("active");
      }
    });

    it("of the basechain have the time of their shard block and the id of the masterchain block", async () => {
      const nobody = `0:${"ab".repeat(32)}`;
      const { shards } = await result<{ shards: BlockId[] }>(`getShards?seqno=${newest}`);
      const { shard, seqno } = shards.find((each) =>
        shardContainsPrefix(unsigned(each.shard), 0xababababababababn),
      )!;
      const { gen_utime } = await result<{ gen_utime: number }>(
        `getBlockHeader?workchain=0&shard=${shard}&seqno=${seqno}`,
      );
      expect(await result(`getAddressInformation?address=${nobody}&seqno=${newest}`)).toMatchObject({
        block_id: await idOf(-1, 1n << 63n, newest),
        sync_utime: gen_utime,
      });
    });

    it("are shown as the cell of their shard", async () => {
      const { bytes } = await result<{ bytes: string }>(`getShardAccountCell?address=${elector}`);
      const leaf = parseBocRoot(base64ToBytes(bytes)!).parse();
      const { last_transaction_id: last } = await result<{
        last_transaction_id: { lt: string; hash: string };
      }>(`getAddressInformation?address=${elector}`);
      expect(leaf.loadRef().bits).toBeGreaterThan(300);
      expect([bytesToBase64(leaf.loadBytes(32)), leaf.loadBigUint(64).toString()]).toEqual([
        last.hash,
        last.lt,
      ]);
      leaf.end();
    });
  });

  describe("configuration", () => {
    it("has the same parameters in getConfigParam and getConfigAll", async () => {
      const { config } = await result<{ config: { bytes: string } }>("getConfigAll");
      const params = ConfigDictionary.load(parseBocRoot(base64ToBytes(config.bytes)!).parse());
      const numbers = [...params.keys()].filter((number) => number >= 0);
      expect(numbers.length).toBeGreaterThan(10);
      for (const number of numbers) {
        const one = await result<{ config: { bytes: string } }>(`getConfigParam?param=${number}`);
        expect(parseBocRoot(base64ToBytes(one.config.bytes)!).equals(params.get(number)!)).toBe(true);
        expect(await result(`getConfigParam?config_id=${number}`)).toEqual(one);
      }
    });
  });
});

function wireId({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) {
  return {
    "@type": "ton.blockIdExt",
    workchain,
    shard: BigInt.asIntN(64, shard).toString(),
    seqno,
    root_hash: bytesToBase64(rootHash),
    file_hash: bytesToBase64(fileHash),
  };
}

/** The block's name in the list beside its package. */
function recordedName({ workchain, shard, seqno, root_hash, file_hash }: BlockId): string {
  const hashes = { rootHash: base64ToBytes(root_hash)!, fileHash: base64ToBytes(file_hash)! };
  return `block_${formatBlockIdExt({ workchain, shard: unsigned(shard), seqno, ...hashes })}`;
}

function unsigned(shard: string): bigint {
  return BigInt.asUintN(64, BigInt(shard));
}

function hexToBase64(hex: string): string {
  return bytesToBase64(hexToBytes(hex)!);
}

/** Hash of the block a proof is of. */
function proofRoot(boc: string): string {
  const [root] = parseBoc(base64ToBytes(boc)!);
  return bytesToBase64(openMerkleProof(root!).hash());
}

function accountOf(transactions: Full[], id: { lt: string; hash: string }): string {
  return transactions.find(({ transaction_id }) => transaction_id.hash === id.hash)!.account;
}
