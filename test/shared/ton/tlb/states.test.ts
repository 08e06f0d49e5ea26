import { expect, test } from "vitest";
import { parseBoc, parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { createMerkleProof, openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import { Account } from "../../../../shared/ton/tlb/account.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { decode, encode } from "../../../../shared/ton/tlb/codec.js";
import { ShardAccount } from "../../../../shared/ton/tlb/shard-account.js";
import { registeredShards, shardAt } from "../../../../shared/ton/tlb/shard-hashes.js";
import { ShardState, ShardStateUnsplit } from "../../../../shared/ton/tlb/shard-state.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../../shared/values/address.js";
import { base64ToBytes, bytesToHex } from "../../../../shared/values/bytes.js";
import { type ChainEntry, describeWithChain } from "../../../helpers/test-data.js";
import { isPruned, rebuild } from "./rebuild.js";

function stateFacts(state: ShardStateUnsplit) {
  return {
    global_id: state.globalId,
    vert_seqno: state.vertSeqno,
    gen_utime: state.genUtime,
    gen_lt: state.genLt.toString(),
    min_ref_mc_seqno: state.minRefMcSeqno,
    before_split: state.beforeSplit,
  };
}

function idOf({ shardId, seqno }: ShardStateUnsplit) {
  return { workchain: shardId.workchain, shard: shardId.shard.toString(16).padStart(16, "0"), seqno };
}

function statedId({ workchain, shard, seqno }: ChainEntry) {
  return { workchain, shard, seqno };
}

describeWithChain("states of the real networks", (chain) => {
  // One file of this kind was corrupted by the library that wrote it and cannot be parsed.
  const whole = chain.where({ kind: "shard_state" }).filter(({ facts }) => facts["n_accounts"] !== undefined);

  test.each(whole.map((entry) => [entry.file, entry] as const))(
    "%s is decoded as the index states and encoded to the same cells",
    (_file, entry) => {
      const root = parseBocRoot(entry.read());
      const state = decode(ShardStateUnsplit, root);
      expect(idOf(state)).toEqual(statedId(entry));
      const n_accounts = [...state.accounts.value.keys()].length;
      expect({ ...stateFacts(state), n_accounts }).toEqual(entry.facts);
      expect(rebuild(ShardState, root)).toMatchObject({ differences: [], pruned: 0 });
    },
  );

  test.each(chain.where({ kind: "merkle_proof/shard_state" }).map((entry) => [entry.file, entry] as const))(
    "the unpruned part of %s is decoded as the index states and encoded to the same cells",
    (_file, entry) => {
      const state = openMerkleProof(parseBocRoot(entry.read()));
      const decoded = decode(ShardStateUnsplit, state);
      const { n_accounts, ...facts } = entry.facts;
      expect(state.hashHex()).toBe(entry.raw["proof_of_hash"]);
      expect(idOf(decoded)).toEqual(statedId(entry));
      expect(stateFacts(decoded)).toEqual(facts);
      const rebuilt = rebuild(ShardState, state);
      expect(rebuilt.differences).toEqual([]);
      expect(rebuilt.pruned).toBeGreaterThan(0);
    },
  );

  test("a prefix with the bit behind it, as in mainnet's basechain, is one of zero states only", () => {
    const entry = chain.one({ kind: "shard_state", network: "mainnet", workchain: 0, seqno: 0 });
    const state = decode(ShardStateUnsplit, parseBocRoot(entry.read()));
    expect(state.shardId).toEqual({ workchain: 0, shard: wholeShard, marked: true });
    const marked = encode(ShardStateUnsplit, { ...state, seqno: 1 });
    const refusal = "ShardIdent has a prefix of 0 bits, not 8000000000000000";
    expect(() => decode(ShardStateUnsplit, marked)).toThrow(refusal);
    expect(() => decode(ShardState, marked)).toThrow(refusal);
    // Also in a proof, which shows as little as it can.
    const proof = createMerkleProof(marked, (cell) => cell === marked);
    expect(() => decode(ShardStateUnsplit, openMerkleProof(proof))).toThrow(refusal);
    const { marked: _, ...shardId } = state.shardId;
    const usual = { ...state, seqno: 1, shardId };
    expect(decode(ShardStateUnsplit, encode(ShardStateUnsplit, usual)).shardId).toEqual(shardId);
  });

  test("an account that a proof prunes is an error, not an absent account", () => {
    const partial = chain
      .where({ kind: "merkle_proof/shard_state", workchain: 0 })
      .map((entry) => decode(ShardStateUnsplit, openMerkleProof(parseBocRoot(entry.read()))));
    expect(partial.length).toBeGreaterThan(3);
    for (const state of partial)
      expect(catchError(() => [...state.accounts.value.entries()])).toSatisfy(isPruned);
  });

  test("a registered shard is found by any of its prefixes", () => {
    const states = chain
      .where({ kind: "merkle_proof/shard_state", workchain: -1 })
      .map((entry) => decode(ShardStateUnsplit, openMerkleProof(parseBocRoot(entry.read()))));
    let found = 0;
    for (const { custom } of states) {
      const { shardHashes } = custom!.value;
      for (const shard of shown(() => [...registeredShards(shardHashes)]) ?? []) {
        const size = shard.shard & -shard.shard;
        for (const prefix of [shard.shard - size, shard.shard, shard.shard + size - 1n])
          expect(shardAt(shardHashes, shard.workchain, prefix)).toEqual(shard);
        found++;
      }
    }
    expect(found).toBeGreaterThan(0);
  });
});

function catchError(step: () => unknown): unknown {
  try {
    step();
  } catch (error) {
    return error;
  }
  return undefined;
}

function shown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isPruned(error)) return undefined;
    throw error;
  }
}

describeWithChain("accounts and transactions of the real networks", (chain) => {
  test("an account state is decoded as the index states and encoded to the same cells", () => {
    const entry = chain.one({ kind: "account" });
    const root = parseBocRoot(entry.read());
    const account = decode(Account, root)!;
    expect({
      address: (account.addr as Address).toFriendly(),
      balance: account.storage.balance.coins.toString(),
      last_trans_lt: account.storage.lastTransLt.toString(),
      state: account.storage.state.kind,
    }).toEqual(entry.facts);
    expect(rebuild(Account, root)).toMatchObject({ differences: [] });
  });

  test("an account proof leads from the block to the account", () => {
    const entry = chain.one({ kind: "merkle_proof/block" });
    const [header, state] = parseBoc(entry.read()).map(openMerkleProof);
    const block = decode(Block, header!);
    expect(block.info.value.seqno).toBe(entry.seqno);
    expect(state!.hashHex()).toBe((entry.facts["state_update"] as { new_hash: string }).new_hash);
    expect(idOf(decode(ShardStateUnsplit, state!))).toEqual(statedId(entry));
    expect(rebuild(Block, header!).differences).toEqual([]);
    expect(rebuild(ShardState, state!).differences).toEqual([]);
  });

  test("a transaction is decoded as the index states and encoded to the same cells", () => {
    const entry = chain.one({ kind: "transaction" });
    const root = parseBocRoot(entry.read());
    const transaction = decode(Transaction, root);
    expect({
      account: bytesToHex(transaction.accountAddr),
      lt: transaction.lt.toString(),
      now: transaction.now,
      hash: root.hashHex(),
      outmsgs: transaction.outMsgCount,
      total_fees: transaction.totalFees.coins.toString(),
    }).toEqual(entry.facts);
    expect(rebuild(Transaction, root)).toMatchObject({ differences: [], pruned: 0 });
  });

  test("the accounts before a block of 2026 are encoded to the same cells", () => {
    const fixture = JSON.parse(new TextDecoder().decode(chain.one({ kind: "replay_fixture" }).read()));
    const kinds = new Set<string>();
    for (const { account, shard_account_boc_base64, account_root_hash } of fixture.previous_accounts) {
      const root = parseBocRoot(base64ToBytes(shard_account_boc_base64)!);
      const shardAccount = decode(ShardAccount, root);
      expect(shardAccount.account.cell.hashHex()).toBe(account_root_hash);
      const decoded = shardAccount.account.value;
      kinds.add(decoded?.storage.state.kind ?? "none");
      if (decoded) expect((decoded.addr as Address).toRaw()).toBe(account);
      expect(rebuild(ShardAccount, root)).toMatchObject({ differences: [], pruned: 0 });
    }
    expect([...kinds].sort()).toEqual(["active", "none"]);
  });
});
