import { expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { applyMerkleUpdate } from "../../../../shared/ton/cells/merkle/merkle-update.js";
import { openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import { transactionsOf } from "../../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { BlockProof } from "../../../../shared/ton/tlb/block-proof.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { ShardStateUnsplit } from "../../../../shared/ton/tlb/shard-state.js";
import { isBalanced } from "../../../../shared/ton/tlb/value-flow.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { readArchive } from "../../../helpers/chain/archive.js";
import { describeWithChain } from "../../../helpers/test-data.js";
import { archivedBlockFacts, headerFacts, shardFacts, stateUpdateFacts, valueFlowFacts } from "./facts.js";
import { rebuild } from "./rebuild.js";

describeWithChain("blocks of the real networks", (chain) => {
  const blocks = chain.where({ kind: "block" });

  test.each(blocks.map((entry) => [entry.file, entry] as const))(
    "%s is decoded as the index states and encoded to the same cells",
    (_file, entry) => {
      const root = parseBocRoot(entry.read());
      const block = decode(Block, root);
      const extra = block.extra.value;
      const accounts = [...extra.accountBlocks.value.values()];
      const { shardId, seqno } = block.info.value;
      expect({ ...shardId, seqno }).toEqual({
        workchain: entry.workchain,
        shard: BigInt(`0x${entry.shard}`),
        seqno: entry.seqno,
      });
      const shards = shardFacts(block);
      expect({
        ...headerFacts(block),
        rand_seed: bytesToHex(extra.randSeed),
        created_by: bytesToHex(extra.createdBy),
        n_accounts: accounts.length,
        n_txs: [...transactionsOf(extra.accountBlocks.value)].length,
        value_flow: valueFlowFacts(block.valueFlow.value),
        state_update: stateUpdateFacts(block),
        value_flow_balanced: isBalanced(block.valueFlow.value),
        ...(shards && { shards }),
      }).toEqual(entry.facts);

      const rebuilt = rebuild(Block, root);
      expect(rebuilt).toMatchObject({ differences: [], pruned: 0 });
      expect(rebuilt.cells).toBeGreaterThan(6);
    },
  );

  test.each(chain.where({ kind: "archive_pack" }).map((pack) => [pack.file, pack] as const))(
    "the entries of %s match its list and are encoded to the same cells",
    (_file, pack) => {
      const stated = JSON.parse(new TextDecoder().decode(pack.readBeside("entries_file")));
      let transactions = 0;
      for (const [i, entry] of readArchive(pack.read()).entries()) {
        const root = parseBocRoot(entry.data);
        const { name, kind, size, ...facts } = stated[i];
        expect({ kind: entry.kind, size: entry.data.length }).toEqual({ kind, size });
        if (entry.kind === "block") {
          const { n_txs, ...found } = archivedBlockFacts(decode(Block, root));
          expect({ n_txs, ...found }).toEqual(facts);
          expect(rebuild(Block, root)).toMatchObject({ differences: [], pruned: 0 });
          transactions += n_txs;
        } else {
          const { signatures } = decode(BlockProof, root);
          expect(signatures && [...signatures.value.signatures.keys()].length).toBe(facts.signatures);
          expect(rebuild(BlockProof, root)).toMatchObject({ differences: [], pruned: 0 });
        }
      }
      expect(transactions).toBe(pack.facts["transactions_total"]);
    },
  );

  test("the states after each of the first masterchain blocks are encoded to the same cells", () => {
    const blocks = chain
      .where({ kind: "archive_pack", facts: { workchain: -1 } })
      .flatMap((pack) => readArchive(pack.read()))
      .filter(({ kind }) => kind === "block")
      .sort((a, b) => a.seqno - b.seqno);
    const zero = chain.one({ kind: "shard_state", workchain: -1, seqno: 0 });
    let state = parseBocRoot(zero.read());
    for (const { data, seqno } of blocks) {
      state = applyMerkleUpdate(decode(Block, parseBocRoot(data)).stateUpdate, state);
      expect(decode(ShardStateUnsplit, state).seqno).toBe(seqno);
      if (seqno % 11 === 0)
        expect(rebuild(ShardStateUnsplit, state)).toMatchObject({ differences: [], pruned: 0 });
    }
    const { seqno, accounts } = decode(ShardStateUnsplit, state);
    expect(seqno).toBe(chain.newest);
    // In these blocks no account was created and none was deleted.
    expect([...accounts.value.keys()]).toHaveLength(zero.facts["n_accounts"] as number);
  });
});

describeWithChain("proofs of blocks", (chain) => {
  test.each(chain.where({ kind: "block_proof" }).map((entry) => [entry.file, entry] as const))(
    "%s is decoded as the index states",
    (_file, entry) => {
      const root = parseBocRoot(entry.read());
      const proof = decode(BlockProof, root);
      const header = openMerkleProof(proof.root);
      const block = decode(Block, header);
      const signatures = proof.signatures?.value;
      const { header: stated = {}, signature_set: set = null } = entry.facts as Record<
        string,
        Record<string, unknown> | undefined
      >;
      expect(header.hashHex()).toBe(entry.facts["virtual_root_hash"]);
      expect(bytesToHex(proof.proofFor.rootHash)).toBe(entry.facts["for_root_hash"]);
      expect(bytesToHex(proof.proofFor.fileHash)).toBe(entry.facts["for_file_hash"]);
      expect(
        signatures
          ? {
              tag: "0x11",
              validator_list_hash_short: signatures.validatorListHashShort,
              catchain_seqno: signatures.catchainSeqno,
              count: [...signatures.signatures.keys()].length,
              declared_weight: signatures.sigWeight.toString(),
            }
          : null,
      ).toEqual(set);
      expect(headerFacts(block)).toEqual(
        Object.fromEntries(Object.keys(headerFacts(block)).map((name) => [name, stated[name]])),
      );
      expect(rebuild(BlockProof, root)).toMatchObject({ differences: [], pruned: 0 });
      expect(rebuild(Block, header)).toMatchObject({ differences: [] });
    },
  );
});
