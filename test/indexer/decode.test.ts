import { describe, expect, test } from "vitest";
import { TimeSlice } from "../../server/chain/time-slice.js";
import { type DecodedBlock, decodeBlock, openBlock } from "../../server/indexer/decode/decode-block.js";
import { type BlockIdExt, masterchain } from "../../shared/ton/tlb/block-id.js";
import { hexToBytes } from "../../shared/values/bytes.js";
import { sized } from "../helpers/effort.js";
import { type ChainEntry, describeWithChain } from "../helpers/test-data.js";

function idOf({ workchain, shard, seqno, rootHash }: ChainEntry): BlockIdExt {
  const hash = hexToBytes(rootHash!)!;
  return {
    workchain: workchain!,
    shard: BigInt(`0x${shard}`),
    seqno: seqno!,
    rootHash: hash,
    fileHash: hash,
  };
}

function decoded(entry: ChainEntry, globalVersion = 11): Promise<DecodedBlock> {
  const context = { id: idOf(entry), mcSeqno: 1, globalVersion, timeSlice: new TimeSlice() };
  return decodeBlock(openBlock(entry.read()), context);
}

const signed32 = (value: number) => value | 0;

describeWithChain("The rows of real blocks", (chain) => {
  const entries = chain.where({ kind: "block" });
  const some = entries.filter((_, at) => at % sized(4, 1) === 0);

  describe("have the facts of their record:", () => {
    test.each(entries.map((entry) => [entry.file, entry] as const))("%s", async (_file, entry) => {
      const { row, transactions, accounts } = await decoded(entry);
      const facts = entry.facts as Record<string, never>;
      const previous: { seqno: number }[] = facts["prev"]!;
      expect(row).toMatchObject({
        workchain: entry.workchain,
        seqno: entry.seqno,
        global_id: facts["global_id"],
        version: facts["version"],
        vert_seqno: facts["vert_seqno"],
        flags: facts["flags"],
        key_block: facts["key_block"],
        after_merge: facts["after_merge"],
        after_split: facts["after_split"],
        before_split: facts["before_split"],
        want_split: facts["want_split"],
        want_merge: facts["want_merge"],
        gen_utime: facts["gen_utime"],
        start_lt: BigInt(facts["start_lt"]!),
        end_lt: BigInt(facts["end_lt"]!),
        validator_list_hash_short: signed32(facts["gen_validator_list_hash_short"]!),
        gen_catchain_seqno: signed32(facts["gen_catchain_seqno"]!),
        min_ref_mc_seqno: facts["min_ref_mc_seqno"],
        prev_key_block_seqno: facts["prev_key_block_seqno"],
        rand_seed: hexToBytes(facts["rand_seed"]!),
        created_by: hexToBytes(facts["created_by"]!),
        tx_count: facts["n_txs"],
        prev_seqnos: previous.map(({ seqno }) => seqno),
      });
      expect(transactions.length).toBe(facts["n_txs"]);
      expect(accounts.read.length + accounts.unread.length).toBe(facts["n_accounts"]);
      expect(row.master_ref_seqno === 0).toBe(entry.workchain === masterchain);
    });
  });

  test("have a message row on either side, with equal content", async () => {
    for (const entry of some) {
      const { transactions } = await decoded(entry);
      const sent = new Map(
        transactions.flatMap(({ outMessages }) =>
          outMessages.map((row) => [Buffer.from(row.msg_hash).toString("hex"), row] as const),
        ),
      );
      for (const { row, inMessage } of transactions) {
        if (!inMessage) continue;
        expect(inMessage.tx_hash).toBe(row.hash);
        expect(inMessage.direction).toBe(0);
        const other = sent.get(Buffer.from(inMessage.msg_hash).toString("hex"));
        if (!other) continue;
        const { tx_hash, tx_lt, direction } = inMessage;
        expect({ ...other, tx_hash, tx_lt, direction }).toEqual(inMessage);
      }
    }
  });

  test("read one field of a message as its fee before global version 12 and as its flags since", async () => {
    for (const entry of some) {
      const messages = async (version: number) =>
        (await decoded(entry, version)).transactions.flatMap(({ outMessages }) => outMessages);
      const [before, since] = [await messages(11), await messages(12)];
      for (const [i, message] of before.entries()) {
        expect(message.extra_flags).toBeUndefined();
        const internal = message.value !== undefined;
        expect(since[i]!.ihr_fee).toBeUndefined();
        expect(since[i]!.extra_flags).toBe(internal ? (message.ihr_fee ?? 0n) : undefined);
      }
    }
  });

  test("have normalised hashes for inbound externals alone, where they differ", async () => {
    let differing = 0;
    for (const entry of some)
      for (const { inMessage, outMessages } of (await decoded(entry)).transactions) {
        for (const message of outMessages) expect(message.msg_hash_norm).toBeUndefined();
        if (!inMessage?.msg_hash_norm) continue;
        expect(inMessage.import_fee).toBeDefined();
        expect(inMessage.msg_hash_norm).not.toEqual(inMessage.msg_hash);
        differing++;
      }
    expect(differing).toBeGreaterThan(0);
  });
});
