import type { Cell } from "../../cells/cell.js";
import { openAll } from "../../cells/merkle/proof.js";
import type { AccountId, AccountQuery, AccountState } from "../../lite/lite-api.js";
import { Account } from "../../tlb/account.js";
import {
  accountPrefix,
  type BlockIdExt,
  invalidWorkchain,
  latestSeqno,
  masterchain,
  shardContainsPrefix,
} from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { shardAt } from "../../tlb/shard-hashes.js";
import { type BlockWithState, failure, loadBlockWithState, loadMasterchain } from "./load.js";
import { openMcState, openState } from "./open-block.js";
import { answerBoc, noBytes, prove } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { topBlock } from "./shard-hashes.js";
import { readState, unknownBlock } from "./state-proofs.js";

/** An account at a block, with its proofs. */
export type FoundAccount = {
  /** The reference block; the newest one if the request had `latestSeqno`. */
  id: BlockIdExt;
  /** The block of the account's shard; absent if there is no such workchain or shard. */
  shardBlock: BlockWithState | undefined;
  shardProof: Uint8Array;
  proof: Uint8Array;
  /** The `Account` cell; absent if the account does not exist. */
  account: Cell | undefined;
};

export async function getAccountState(chain: ServedChain, request: AccountQuery): Promise<AccountState> {
  const found = await findAccount(chain, request);
  return answerOf(found, found.account && answerBoc(found.account));
}

export async function getAccountStatePrunned(
  chain: ServedChain,
  request: AccountQuery,
): Promise<AccountState> {
  const found = await findAccount(chain, request);
  return answerOf(found, found.account && prove(found.account, openAccount).boc);
}

function answerOf(found: FoundAccount, state: Uint8Array | undefined): AccountState {
  const { id, shardBlock, shardProof, proof } = found;
  const shardblk = shardBlock?.id ?? unknownBlock();
  return { id, shardblk, shardProof, proof, state: state ?? noBytes() };
}

export async function findAccount(
  chain: ServedChain,
  { id: asked, account, proof: wantProof }: AccountQuery,
): Promise<FoundAccount> {
  assertReference(asked, account);
  if (asked.workchain !== masterchain)
    return withoutShardProof(await loadBlockWithState(chain, asked), account, wantProof);
  const id = asked.seqno === latestSeqno ? chain.last : asked;
  const block = await loadMasterchain(chain, id);
  if (account.workchain === masterchain) return withoutShardProof(block, account, wantProof);
  const shard = readState(block, wantProof, (state) =>
    shardAt(openMcState(state).shardHashes, account.workchain, accountPrefix(account.id)),
  );
  if (!shard.value)
    return { id, shardBlock: undefined, shardProof: shard.proof, proof: noBytes(), account: undefined };
  const shardBlock = await loadBlockWithState(chain, topBlock(shard.value));
  return { ...withoutShardProof(shardBlock, account, wantProof), id, shardProof: shard.proof };
}

function assertReference(id: BlockIdExt, account: AccountId): void {
  if (id.workchain !== masterchain && id.workchain !== account.workchain)
    throw failure("reference block for a getAccountState() must belong to the masterchain");
  if (id.workchain === invalidWorkchain || id.shard === 0n)
    throw failure("reference block id for a getAccountState() is invalid");
  if (id.workchain === account.workchain && !shardContainsPrefix(id.shard, accountPrefix(account.id)))
    throw failure("requested account id is not contained in the shard of the reference block");
}

function withoutShardProof(
  shardBlock: BlockWithState,
  account: AccountId,
  wantProof: boolean | undefined,
): FoundAccount {
  const { value, proof } = readState(shardBlock, wantProof, (state) => accountOf(state, account.id));
  return { id: shardBlock.id, shardBlock, shardProof: noBytes(), proof, account: value?.physical };
}

function accountOf(state: Cell, accountId: Uint8Array): Cell | undefined {
  return openState(state).accounts.value.get(accountId)?.account.cell;
}

/** Opens the parts of the pruned form: the account and its extra currencies, without code, data and libraries. */
function openAccount(cell: Cell): void {
  const extra = decode(Account, cell)?.storage.balance.extra.root;
  if (extra) openAll(extra);
}
