import { parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import { openMerkleProof } from "../../cells/merkle/proof.js";
import type { AccountId, AccountQuery, AccountState, LiteCall, WithProof } from "../../lite/lite-api.js";
import { Account } from "../../tlb/account.js";
import {
  accountPrefix,
  type BlockIdExt,
  formatBlockId,
  invalidWorkchain,
  sameBlock,
  shardContainsPrefix,
} from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import type { ShardAccount } from "../../tlb/shard-account.js";
import { shardAt } from "../../tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";
import { isMasterchain } from "../make/load.js";
import { noBytes } from "../make/prove.js";
import { topBlock } from "../make/shard-hashes.js";
import { unknownBlock } from "../make/state-proofs.js";
import { check, checkHash, checkSameBlock } from "./proof-error.js";
import { checkShown, masterchainExtra, stateTreeBoc } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";
import type { ProvenShards } from "./proven-shards.js";
import { referenceBlock } from "./reference-block.js";

/** The fields of an answer that locate an account and prove it. */
export type AccountProof = Pick<AccountState, "id" | "shardblk" | "shardProof" | "proof">;

export type ProvenEntry = {
  /** Absent if there is no such workchain or shard. */
  shardBlock: BlockIdExt | undefined;
  /** Absent if the account does not exist. */
  entry: ShardAccount | undefined;
};

/** Verifies an account's entry in the state of its shard, or its absence. Throws a ProofError. */
export function verifyEntry(
  { id, account }: { id: BlockIdExt; account: AccountId },
  answer: AccountProof,
  known?: ProvenShards,
): ProvenEntry {
  checkSameBlock(answer.id, id);
  const shardBlock = provenShard(id, account, answer, known);
  if (!shardBlock) return { shardBlock, entry: undefined };
  const state = decode(ShardStateUnsplit, stateTreeBoc(shardBlock, answer.proof));
  return { shardBlock, entry: state.accounts.value.get(account.id) };
}

function provenShard(
  id: BlockIdExt,
  account: AccountId,
  { shardblk, shardProof }: AccountProof,
  known: ProvenShards | undefined,
): BlockIdExt | undefined {
  const prefix = accountPrefix(account.id);
  if (id.workchain === account.workchain) {
    check(shardContainsPrefix(id.shard, prefix), `the account is not in the shard of ${formatBlockId(id)}`);
    checkSameBlock(shardblk, id);
    return id;
  }
  check(isMasterchain(id), `${formatBlockId(id)} does not register other shards`);
  const covers = shardblk.workchain === account.workchain && shardContainsPrefix(shardblk.shard, prefix);
  if (covers && known?.has(id, shardblk, shardProof)) return shardblk;
  const { shardHashes } = masterchainExtra(stateTreeBoc(id, shardProof));
  const shard = shardAt(shardHashes, account.workchain, prefix);
  if (!shard) {
    check(shardblk.workchain === invalidWorkchain, "the answer names a block of a shard that does not exist");
    return undefined;
  }
  checkSameBlock(shardblk, topBlock(shard));
  known?.add(id, shardblk, shardProof);
  return shardblk;
}

/** The answer's proofs without unrequested ones and those that prove nothing. */
export function usefulProofs(
  { id, proof: isWanted }: { id: BlockIdExt } & WithProof,
  { shardBlock }: ProvenEntry,
  answer: AccountProof,
): Omit<AccountProof, "id"> {
  const ofOtherShard = isWanted && !(shardBlock && sameBlock(shardBlock, id));
  return {
    shardblk: shardBlock ?? unknownBlock(),
    shardProof: ofOtherShard ? answer.shardProof : noBytes(),
    proof: isWanted && shardBlock ? answer.proof : noBytes(),
  };
}

/** Verifies the complete state of an account. */
export function verifyAccountState(
  request: AccountQuery,
  answer: AccountState,
  known?: ProvenShards,
): ProvenEntry {
  return verifyState(request, answer, known, (state) => state.hash());
}

/** Verifies the state without code and data; everything else must be in it. */
function verifyPrunedState(request: AccountQuery, answer: AccountState, known?: ProvenShards): ProvenEntry {
  return verifyState(request, answer, known, (state) => {
    const root = openMerkleProof(state);
    checkShown(decode(Account, root)?.storage.balance.extra.root, "the extra currencies");
    return root.hash();
  });
}

function verifyState(
  request: AccountQuery,
  answer: AccountState,
  known: ProvenShards | undefined,
  hashOf: (state: Cell) => Uint8Array,
): ProvenEntry {
  const proven = verifyEntry(request, answer, known);
  const { entry } = proven;
  if (entry) checkHash(hashOf(parseBocRoot(answer.state)), entry.account.cell.hash(), "wrong account state");
  else check(answer.state.length === 0, "the answer has a state of an absent account");
  return proven;
}

export function getAccountState(
  proving: Proving,
  request: AccountQuery,
  call: LiteCall,
): Promise<AccountState> {
  return ask(proving, request, call, "getAccountState", verifyAccountState);
}

export function getAccountStatePrunned(
  proving: Proving,
  request: AccountQuery,
  call: LiteCall,
): Promise<AccountState> {
  return ask(proving, request, call, "getAccountStatePrunned", verifyPrunedState);
}

async function ask(
  proving: Proving,
  request: AccountQuery,
  call: LiteCall,
  method: "getAccountState" | "getAccountStatePrunned",
  verify: typeof verifyAccountState,
): Promise<AccountState> {
  const query = { ...request, id: await referenceBlock(proving, request.id, call), proof: true };
  const answer = await proving.lite[method](query, call);
  const proven = verify(query, answer, proving.shards);
  return { ...answer, ...usefulProofs({ id: query.id, proof: request.proof ?? false }, proven, answer) };
}
