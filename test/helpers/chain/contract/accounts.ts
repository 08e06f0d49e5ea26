import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import type { AccountId } from "../../../../shared/ton/lite/lite-api.js";
import { Account } from "../../../../shared/ton/tlb/account.js";
import {
  type BlockIdExt,
  invalidWorkchain,
  latestSeqno,
  masterchain,
} from "../../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { checkAccount } from "./proof-checks.js";
import { blockAt, expectFlipsFail, expectLiteError, type Opened, strange, strangeHash } from "./target.js";

export function describeAccounts(opened: Opened): void {
  /** A block at which the sample's transaction is the last one of its account. */
  async function reference(): Promise<BlockIdExt> {
    const { block } = opened.sample.recent;
    if (block.workchain === masterchain) return block;
    return (await opened.api.getShardBlockProof({ id: block })).masterchainId;
  }

  describe("account states", () => {
    test("an account is proven at the block asked for, with lt and hash of its last transaction", async () => {
      const { recent } = opened.sample;
      const id = await reference();
      const answer = await opened.api.getAccountState({ id, account: recent.account, proof: true });
      expect(checkAccount(id, recent.account, answer)).toEqual({ lt: recent.lt, hash: recent.hash });
      expect(decode(Account, parseBocRoot(answer.state))!.storage.balance.coins).toBeGreaterThan(0n);
    });

    test("before a transaction the account has an earlier state", async () => {
      const { recent } = opened.sample;
      const id = await blockAt(opened.api, (await reference()).seqno - 1);
      const answer = await opened.api.getAccountState({ id, account: recent.account, proof: true });
      const before = checkAccount(id, recent.account, answer);
      expect(before!.lt).toBeLessThan(recent.lt);
    });

    test("seqno latestSeqno stands for the newest block", async () => {
      const { recent, last } = opened.sample;
      const newest = { ...strange(last), seqno: latestSeqno };
      const answer = await opened.api.getAccountState({ id: newest, account: recent.account, proof: true });
      expect(answer.id.seqno).toBeGreaterThanOrEqual(last.seqno);
      checkAccount(answer.id, recent.account, answer);
    });

    test("without `proof` the answer has the state only", async () => {
      const { recent } = opened.sample;
      const id = await reference();
      const answer = await opened.api.getAccountState({ id, account: recent.account });
      const proven = await opened.api.getAccountState({ id, account: recent.account, proof: true });
      expect(answer).toEqual({ ...proven, proof: new Uint8Array(0), shardProof: new Uint8Array(0) });
    });

    test("an account is proven to be absent", async () => {
      const { last: id } = opened.sample;
      for (const workchain of [masterchain, 0]) {
        const account = { workchain, id: strangeHash };
        const answer = await opened.api.getAccountState({ id, account, proof: true });
        expect(checkAccount(id, account, answer)).toBeUndefined();
      }
    });

    test("an account of an unknown workchain has no shard block", async () => {
      const { last: id } = opened.sample;
      const account = { workchain: 5, id: strangeHash };
      const { shardProof, ...answer } = await opened.api.getAccountState({ id, account, proof: true });
      expect(answer).toEqual({
        id,
        shardblk: { workchain: invalidWorkchain, shard: 0n, seqno: 0, rootHash: zeros, fileHash: zeros },
        proof: new Uint8Array(0),
        state: new Uint8Array(0),
      });
      expect(shardProof.length).toBeGreaterThan(0);
    });

    test("a shard block can be the reference for its own accounts", async () => {
      const [shard] = opened.sample.shards;
      const account = accountIn(shard!);
      const answer = await opened.api.getAccountState({ id: shard!, account, proof: true });
      expect(answer.shardblk).toEqual(shard);
      expect(answer.shardProof).toHaveLength(0);
      checkAccount(shard!, account, answer);
    });

    test("the pruned form has the hash of the whole state, without code and data", async () => {
      const { recent } = opened.sample;
      const id = await reference();
      const answer = await opened.api.getAccountStatePrunned({ id, account: recent.account, proof: true });
      checkAccount(id, recent.account, answer, (state) => openMerkleProof(state).hash());
      const whole = await opened.api.getAccountState({ id, account: recent.account });
      const [shown, full] = [
        decode(Account, openMerkleProof(parseBocRoot(answer.state))),
        decode(Account, parseBocRoot(whole.state)),
      ];
      expect(shown!.storage.balance.coins).toBe(full!.storage.balance.coins);
      expect(answer.state.length).toBeLessThan(whole.state.length);
    });

    test("a flipped bit of any part is detected", async () => {
      const { recent } = opened.sample;
      const id = await reference();
      const answer = await opened.api.getAccountState({ id, account: recent.account, proof: true });
      const parts =
        recent.account.workchain === masterchain ? ownParts : [...ownParts, "shardProof" as const];
      for (const part of parts)
        expectFlipsFail(answer[part], (bytes) =>
          checkAccount(id, recent.account, { ...answer, [part]: bytes }),
        );
    });

    test("reference blocks of other shards are rejected", async () => {
      const { last, shards } = opened.sample;
      const [shard] = shards;
      const ask = (id: BlockIdExt, account: AccountId) => opened.api.getAccountState({ id, account });
      await expectLiteError(
        ask(shard!, { workchain: masterchain, id: strangeHash }),
        -400,
        "reference block for a getAccountState() must belong to the masterchain",
      );
      await expectLiteError(
        ask({ ...shard!, shard: 0x4000000000000000n }, { workchain: 0, id: new Uint8Array(32).fill(0xff) }),
        -400,
        "requested account id is not contained in the shard of the reference block",
      );
      await expectLiteError(
        ask({ ...last, shard: 0n }, accountIn(shard!)),
        -400,
        "reference block id for a getAccountState() is invalid",
      );
      await expectLiteError(
        ask(strange(last), accountIn(shard!)),
        651,
        /^cannot load block \(-1,8000000000000000,\d+\):(5A){32}:(5A){32} : block \(-1,8000000000000000,\d+\) is not in db$/,
      );
    });
  });
}

const ownParts = ["proof", "state"] as const;
const zeros = new Uint8Array(32);

/** The lowest account id of the shard. */
function accountIn({ workchain, shard }: BlockIdExt): AccountId {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setBigUint64(0, shard & (shard - 1n));
  return { workchain, id };
}
