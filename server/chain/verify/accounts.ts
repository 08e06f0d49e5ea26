import { parseBocRoot } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { openMerkleProof } from "../../cells/proof.js";
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
import type { AccountId, AccountQuery, AccountState, LiteCall, WithProof } from "../lite-api.js";
import { isMasterchain } from "../serve/load.js";
import { noBytes } from "../serve/prove.js";
import { topBlock } from "../serve/shard-hashes.js";
import { unknownBlock } from "../serve/state-proofs.js";
import { check, checkHash } from "./failed-proof.js";
import type { ProvenShards } from "./proven-shards.js";
import type { Proving } from "./proving.js";
import { referenceBlock } from "./reference-block.js";
import { checkSameBlock, checkShown, masterchainExtra, stateTreeBoc } from "./trees.js";

/** Where an account is and how it is proven, in every answer about one. */
export type AccountProof = Pick<AccountState, "id" | "shardblk" | "shardProof" | "proof">;

export type ProvenEntry = {
  /** Absent where there is no such workchain or shard. */
  shardBlock: BlockIdExt | undefined;
  /** Absent for an account that does not exist. */
  entry: ShardAccount | undefined;
};

/** What the shard's state has of the account, or that it has none: the proof must show the way up to where it ends. */
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
    check(shardContainsPrefix(id.shard, prefix), `${formatBlockId(id)} is not of the account's shard`);
    checkSameBlock(shardblk, id);
    return id;
  }
  check(isMasterchain(id), `${formatBlockId(id)} says nothing about other shards`);
  const covers = shardblk.workchain === account.workchain && shardContainsPrefix(shardblk.shard, prefix);
  if (covers && known?.has(id, shardblk, shardProof)) return shardblk;
  const { shardHashes } = masterchainExtra(stateTreeBoc(id, shardProof));
  const shard = shardAt(shardHashes, account.workchain, prefix);
  if (!shard) {
    check(shardblk.workchain === invalidWorkchain, "a shard that does not exist has a block");
    return undefined;
  }
  checkSameBlock(shardblk, topBlock(shard));
  known?.add(id, shardblk, shardProof);
  return shardblk;
}

/** Proofs as they are given on: without those that prove nothing. */
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

/** The whole state of an account. */
export function verifyAccountState(
  request: AccountQuery,
  answer: AccountState,
  known?: ProvenShards,
): ProvenEntry {
  return verifyState(request, answer, known, (state) => state.hash());
}

/** The state without code and data: all else of it must be there. */
export function verifyPrunedState(
  request: AccountQuery,
  answer: AccountState,
  known?: ProvenShards,
): ProvenEntry {
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
  if (entry)
    checkHash(hashOf(parseBocRoot(answer.state)), entry.account.cell.hash(), "the state is another one");
  else check(answer.state.length === 0, "an account that is proven absent has a state");
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
