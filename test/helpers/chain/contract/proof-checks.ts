// The checks of a client that trusts only a block id: each function takes an answer and a trusted id, throws unless the
// proof holds, and returns the proven data. Shares no code with the implementation that makes proofs.
import { createHash } from "node:crypto";
import { isSignedBy } from "../../../../server/chain/ed25519.js";
import { parseBoc, parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { crc32c } from "../../../../shared/ton/cells/boc/crc32c.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Dictionary, uintKey } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import { updateHashes } from "../../../../shared/ton/cells/merkle/merkle-update.js";
import { openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import type { Slice } from "../../../../shared/ton/cells/slice.js";
import type {
  AccountId,
  AccountState,
  BlockLinkBack,
  BlockLinkForward,
  PartialBlockProof,
} from "../../../../shared/ton/lite/lite-api.js";
import { ProofError } from "../../../../shared/ton/proofs/verify/proof-error.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import {
  type BlockIdExt,
  formatBlockId,
  masterchain,
  sameBlock,
} from "../../../../shared/ton/tlb/block-id.js";
import type { BlockInfo } from "../../../../shared/ton/tlb/block-info.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import type { ConfigParams } from "../../../../shared/ton/tlb/config-params.js";
import type { McStateExtra } from "../../../../shared/ton/tlb/mc-state-extra.js";
import type { RegisteredShard } from "../../../../shared/ton/tlb/shard-hashes.js";
import { shardAt } from "../../../../shared/ton/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../../../shared/ton/tlb/shard-state.js";
import { bytesEqual, bytesToHex } from "../../../../shared/values/bytes.js";

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new ProofError(what);
}

function sameBytes(a: Uint8Array, b: Uint8Array, what: string): void {
  check(bytesEqual(a, b), `${what}: ${bytesToHex(a)} is not ${bytesToHex(b)}`);
}

/** The header of a block with a trusted id. */
function checkHeader(id: BlockIdExt, proof: Cell): { block: Block; info: BlockInfo } {
  const root = openMerkleProof(proof);
  sameBytes(root.hash(), id.rootHash, "the proof is of another block");
  const block = decode(Block, root);
  const info = block.info.value;
  const { workchain, shard } = info.shardId;
  check(
    workchain === id.workchain && shard === id.shard && info.seqno === id.seqno,
    `the header is of ${formatBlockId({ workchain, shard, seqno: info.seqno })}`,
  );
  check(info.notMaster === (id.workchain !== masterchain), "the header is of another kind of chain");
  check(info.version === 0, "the block has an unknown version");
  check(info.prevRef.value.length === (info.afterMerge ? 2 : 1), "the previous blocks are too few");
  check(Math.max(...info.prevRef.value.map(({ seqno }) => seqno)) + 1 === info.seqno, "a block is left out");
  return { block, info };
}

export function checkHeaderBoc(id: BlockIdExt, boc: Uint8Array): { block: Block; info: BlockInfo } {
  return checkHeader(id, parseBocRoot(boc));
}

/** The proven part of the state after a trusted block. */
export function checkState(id: BlockIdExt, header: Cell, state: Cell): ShardStateUnsplit {
  const { to } = updateHashes(checkHeader(id, header).block.stateUpdate);
  const root = openMerkleProof(state);
  sameBytes(root.hash(), to, "the proof is of another state");
  return decode(ShardStateUnsplit, root);
}

/** As above, from one BOC with both trees. */
export function checkStateBoc(id: BlockIdExt, proof: Uint8Array): ShardStateUnsplit {
  const [header, state, ...more] = parseBoc(proof);
  check(header !== undefined && state !== undefined && more.length === 0, "the proof has not two roots");
  return checkState(id, header, state);
}

export function masterchainExtra(state: ShardStateUnsplit): McStateExtra {
  check(state.custom !== undefined, "the state is not of the masterchain");
  return state.custom.value;
}

export function topOf({ workchain, shard, descr }: RegisteredShard): BlockIdExt {
  return { workchain, shard, seqno: descr.seqno, rootHash: descr.rootHash, fileHash: descr.fileHash };
}

/** Returns lt and hash of the account's last transaction; undefined for an account proven absent. */
export function checkAccount(
  reference: BlockIdExt,
  account: AccountId,
  answer: AccountState,
  stateHash: (state: Cell) => Uint8Array = (state) => state.hash(),
): { lt: bigint; hash: Uint8Array } | undefined {
  check(sameBlock(answer.id, reference), "the answer is about another block");
  if (account.workchain === masterchain)
    check(sameBlock(answer.shardblk, reference), "another masterchain block");
  else if (reference.workchain === masterchain) {
    const { shardHashes } = masterchainExtra(checkStateBoc(reference, answer.shardProof));
    const prefix = new DataView(account.id.buffer, account.id.byteOffset).getBigUint64(0);
    const shard = shardAt(shardHashes, account.workchain, prefix);
    check(shard !== undefined && sameBlock(topOf(shard), answer.shardblk), "the shard block is another one");
  }
  const entry = checkStateBoc(answer.shardblk, answer.proof).accounts.value.get(account.id);
  if (!entry) {
    check(answer.state.length === 0, "an absent account has a state");
    return undefined;
  }
  sameBytes(
    stateHash(parseBocRoot(answer.state)),
    entry.account.cell.hash(),
    "the account has another state",
  );
  return { lt: entry.lastTransLt, hash: entry.lastTransHash };
}

/** The transactions of a block in order. Iterating past the proven ones throws. */
export function* provenTransactions(
  id: BlockIdExt,
  proof: Uint8Array,
): Generator<{ account: Uint8Array; lt: bigint; hash: Uint8Array }> {
  const { accountBlocks } = checkHeaderless(id, proof).block.extra.value;
  for (const [account, { transactions }] of accountBlocks.value.entries())
    for (const [lt, { cell }] of transactions.entries()) yield { account, lt, hash: cell.hash() };
}

/** Lists need no header: the root hash identifies the block. */
function checkHeaderless(id: BlockIdExt, proof: Uint8Array): { block: Block } {
  const root = openMerkleProof(parseBocRoot(proof));
  sameBytes(root.hash(), id.rootHash, "the proof is of another block");
  return { block: decode(Block, root) };
}

export function checkTransaction(
  id: BlockIdExt,
  proof: Uint8Array,
  { account, lt }: { account: Uint8Array; lt: bigint },
): Cell | undefined {
  const { block } = checkHeaderless(id, proof);
  return block.extra.value.accountBlocks.value.get(account)?.transactions.get(lt)?.cell;
}

/** Follows a chain of links from a trusted masterchain block; returns its end. */
export function checkBlockProof(known: BlockIdExt, answer: PartialBlockProof): BlockIdExt {
  check(sameBlock(answer.from, known), "the chain begins elsewhere");
  let at = known;
  for (const link of answer.steps) {
    check(sameBlock(link.from, at), "a link does not join the one before");
    if (link.type === "back") checkLinkBack(link);
    else checkLinkForward(link);
    at = link.to;
  }
  check(sameBlock(at, answer.to), "the chain ends elsewhere");
  return at;
}

function checkLinkBack({ from, to, toKeyBlock, destProof, proof, stateProof }: BlockLinkBack): void {
  check(to.seqno < from.seqno, "a link back leads forward");
  if (to.seqno === 0) check(destProof.length === 0, "the zero state has a header");
  else check(checkHeaderBoc(to, destProof).info.keyBlock === toKeyBlock, "toKeyBlock is wrong");
  const state = checkState(from, parseBocRoot(proof), parseBocRoot(stateProof));
  const listed = masterchainExtra(state).history.value.prevBlocks.get(to.seqno)?.blkRef;
  check(listed !== undefined, "the state does not list the block");
  check(sameBlock({ ...to, ...listed }, to) && listed.seqno === to.seqno, "the state lists another block");
}

function checkLinkForward({
  from,
  to,
  toKeyBlock,
  destProof,
  configProof,
  signatures,
}: BlockLinkForward): void {
  check(from.seqno < to.seqno, "a link forward leads back");
  const { info } = checkHeaderBoc(to, destProof);
  check(info.keyBlock === toKeyBlock, "toKeyBlock is wrong");
  const group = validatorGroup(configOf(from, configProof));
  check(signatures.type === "ordinary", "unknown signatures");
  check(signatures.catchainSeqno === info.genCatchainSeqno, "the signatures are of another session");
  check(
    signatures.validatorSetHash === info.genValidatorListHashShort,
    "the signatures are of another group",
  );
  check(
    groupHash(info.genCatchainSeqno, group) === info.genValidatorListHashShort,
    "the group is another one",
  );
  const message = Buffer.concat([Uint8Array.of(0x70, 0x6e, 0x0b, 0xc5), to.rootHash, to.fileHash]);
  const byId = new Map(group.map((member) => [bytesToHex(nodeId(member.publicKey)), member]));
  let signed = 0n;
  for (const { nodeIdShort, signature } of signatures.signatures) {
    const member = byId.get(bytesToHex(nodeIdShort));
    check(
      member !== undefined && byId.delete(bytesToHex(nodeIdShort)),
      "a stranger signed, or somebody twice",
    );
    check(isSignedBy(member.publicKey, message, signature), "a signature is wrong");
    signed += member.weight;
  }
  const total = group.reduce((sum, { weight }) => sum + weight, 0n);
  check(3n * signed > 2n * total, `only ${signed} of ${total} signed`);
}

function configOf(from: BlockIdExt, configProof: Uint8Array): ConfigParams {
  if (from.seqno > 0) {
    const { block, info } = checkHeaderBoc(from, configProof);
    const config = block.extra.value.custom?.value.config;
    check(info.keyBlock && config !== undefined, "a link forward begins at no key block");
    return config;
  }
  const state = openMerkleProof(parseBocRoot(configProof));
  sameBytes(state.hash(), from.rootHash, "the proof is of another zero state");
  return masterchainExtra(decode(ShardStateUnsplit, state)).config;
}

type Member = { publicKey: Uint8Array; weight: bigint; adnlAddress: Uint8Array };

/** The masterchain's validator group without shuffling: the first validators of the list. */
function validatorGroup({ config }: ConfigParams): Member[] {
  // catchain_config#c1 …; catchain_config_new#c2 flags:(## 7) shuffle_mc_validators:Bool …
  const catchain = config.value.get(28)!.parse();
  const shuffled = catchain.loadUint(8) === 0xc2 && (catchain.loadUint(8) & 1) === 1;
  // validators#11 / validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) …
  const set = (config.value.get(35) ?? config.value.get(34))!.parse();
  const extended = set.loadUint(8) === 0x12;
  set.skip(64);
  const total = set.loadUint(16);
  const main = set.loadUint(16);
  if (extended) set.skip(64);
  const list = extended ? set.loadMaybeRef() : undefined;
  check(!shuffled || total === 1, "the group is shuffled");
  return membersOf(list ? list : set.toCell(), total).slice(0, Math.min(main, total));
}

function membersOf(list: Cell, total: number): Member[] {
  const members = Dictionary.loadDirect(list, uintKey(16), rawSlice);
  return Array.from({ length: total }, (_, index) => {
    const member = members.get(index)!.clone();
    // validator#53 public_key:SigPubKey weight:uint64; validator_addr#73 … adnl_addr:bits256
    const withAddress = member.loadUint(8) === 0x73;
    member.skip(32);
    const publicKey = member.loadBytes(32);
    const weight = member.loadBigUint(64);
    return { publicKey, weight, adnlAddress: withAddress ? member.loadBytes(32) : new Uint8Array(32) };
  });
}

function nodeId(publicKey: Uint8Array): Uint8Array {
  return createHash("sha256")
    .update(Uint8Array.of(0xc6, 0xb4, 0x13, 0x48))
    .update(publicKey)
    .digest();
}

function groupHash(catchainSeqno: number, members: readonly Member[]): number {
  const head = new DataView(new ArrayBuffer(12));
  head.setInt32(0, -1877581587, true);
  head.setUint32(4, catchainSeqno, true);
  head.setUint32(8, members.length, true);
  const parts = members.flatMap(({ publicKey, weight, adnlAddress }) => {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setBigUint64(0, weight, true);
    return [publicKey, new Uint8Array(bytes.buffer), adnlAddress];
  });
  return crc32c(Buffer.concat([new Uint8Array(head.buffer), ...parts]));
}

const rawSlice = { load: (slice: Slice) => slice, store: () => {} };
