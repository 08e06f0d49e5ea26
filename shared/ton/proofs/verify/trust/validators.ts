import { bytesToCharacters, bytesToHex } from "../../../../values/bytes.js";
import { itemAt } from "../../../../values/lookups.js";
import { RecentMap } from "../../../../values/recent-map.js";
import { crc32c } from "../../../cells/boc/crc32c.js";
import { sha256 } from "../../../cells/sha256.js";
import { masterchain, wholeShard } from "../../../tlb/block-id.js";
import { decode } from "../../../tlb/codec.js";
import { CatchainConfig } from "../../../tlb/config/consensus.js";
import { ValidatorSet } from "../../../tlb/config/validator-set.js";
import type { ConfigParams } from "../../../tlb/config-params.js";
import { check } from "../proof-error.js";
import { VerifyingKey } from "../verifying-key.js";
import { shuffledIndexes } from "./shuffle.js";

export type Validator = {
  publicKey: Uint8Array;
  weight: bigint;
  /** Absent if the key is the address. */
  adnlAddress?: Uint8Array;
};

type Member = { readonly weight: bigint; readonly key: VerifyingKey };

/** The validators of one catchain session of the masterchain. */
export type ValidatorGroup = {
  /** `gen_validator_list_hash_short` of block headers. */
  readonly hash: number;
  readonly totalWeight: bigint;
  /** By short id of the key, in hex. */
  readonly members: ReadonlyMap<string, Member>;
};

/** The validators in a configuration, and their groups for the masterchain. */
export class MasterchainValidators {
  readonly #list: readonly Validator[];
  readonly #groupSize: number;
  readonly #isShuffled: boolean;
  /** Cached group: a session lasts for many blocks. */
  #last: { catchainSeqno: number; group: ValidatorGroup } | undefined;

  /** Parameter 35 overrides 34. Throws a ProofError if the set is invalid. */
  constructor({ config }: ConfigParams) {
    const cell = config.value.get(35) ?? config.value.get(34);
    check(cell !== undefined, "the configuration has no validators");
    const set = decode(ValidatorSet, cell);
    this.#list = listOf(set);
    this.#groupSize = Math.min(set.main, set.total);
    const catchain = config.value.get(28);
    const rules = catchain && decode(CatchainConfig, catchain);
    this.#isShuffled = rules?.kind === "v2" && rules.shuffleMcValidators;
  }

  group(catchainSeqno: number): ValidatorGroup {
    if (this.#last?.catchainSeqno !== catchainSeqno)
      this.#last = { catchainSeqno, group: groupOf(catchainSeqno, this.members(catchainSeqno)) };
    return this.#last.group;
  }

  /** The validators of a session, in order. */
  members(catchainSeqno: number): Validator[] {
    if (!this.#isShuffled) return this.#list.slice(0, this.#groupSize);
    const session = { shard: wholeShard, workchain: masterchain, catchainSeqno };
    return shuffledIndexes(this.#groupSize, session).map((index) => itemAt(this.#list, index));
  }
}

/** Checks that indexes have no gaps, weights are positive, and the stated total is the sum. */
function listOf(set: ValidatorSet): Validator[] {
  const list = Array.from(set.list.entries(), ([index, { publicKey, weight, ...more }], position) => {
    check(index === position, `validator ${position} is missing`);
    check(weight > 0n, `validator ${index} has no weight`);
    return { publicKey: publicKey.pubkey, weight, ...("adnlAddr" in more && { adnlAddress: more.adnlAddr }) };
  });
  check(list.length === set.total, `there are ${list.length} validators instead of ${set.total}`);
  if (set.kind === "ext") check(sumOf(list) === set.totalWeight, "wrong total weight of the validators");
  return list;
}

function groupOf(catchainSeqno: number, validators: readonly Validator[]): ValidatorGroup {
  return {
    hash: validatorListHash(catchainSeqno, validators),
    totalWeight: sumOf(validators),
    members: new Map(
      validators.map(({ publicKey, weight }) => {
        const { id, key } = signerOf(publicKey);
        return [id, { weight, key }];
      }),
    ),
  };
}

type Signer = { readonly id: string; readonly key: VerifyingKey };

const signersKept = 1024;
// Module state: a memo by public key. Successive sets have most of their validators in common.
const signers = new RecentMap<string, Signer>(signersKept);

function signerOf(publicKey: Uint8Array): Signer {
  const name = bytesToCharacters(publicKey);
  const known = signers.get(name);
  if (known) return known;
  const signer = { id: bytesToHex(nodeIdShort(publicKey)), key: new VerifyingKey(publicKey) };
  signers.set(name, signer);
  return signer;
}

function sumOf(validators: readonly Validator[]): bigint {
  return validators.reduce((sum, { weight }) => sum + weight, 0n);
}

/** Short id of a key: sha256 of `pub.ed25519#4813b4c6 key:int256`. */
export function nodeIdShort(publicKey: Uint8Array): Uint8Array {
  return sha256(Uint8Array.of(0xc6, 0xb4, 0x13, 0x48, ...publicKey));
}

/**
 * CRC-32C, as `validator_list_hash_short`, over
 *
 *     int -1877581587, int catchain_seqno, int count, count * ( key:int256 weight:long adnl_addr:int256 )
 *
 * where an absent address is zeros.
 */
export function validatorListHash(catchainSeqno: number, validators: readonly Validator[]): number {
  const headLength = 12;
  const entryLength = 72;
  const bytes = new Uint8Array(headLength + validators.length * entryLength);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, -1877581587, true);
  view.setUint32(4, catchainSeqno, true);
  view.setUint32(8, validators.length, true);
  for (const [index, { publicKey, weight, adnlAddress }] of validators.entries()) {
    const at = headLength + index * entryLength;
    bytes.set(publicKey, at);
    view.setBigUint64(at + 32, weight, true);
    if (adnlAddress) bytes.set(adnlAddress, at + 40);
  }
  return crc32c(bytes);
}
