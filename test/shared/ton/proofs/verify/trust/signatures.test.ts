import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SigningKey } from "../../../../../../server/chain/ed25519.js";
import { Dictionary, uintKey } from "../../../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { SignatureSet } from "../../../../../../shared/ton/lite/lite-api.js";
import { verifySignatures } from "../../../../../../shared/ton/proofs/verify/trust/signatures.js";
import {
  MasterchainValidators,
  nodeIdShort,
} from "../../../../../../shared/ton/proofs/verify/trust/validators.js";
import { proofs } from "../../../../../../shared/ton/tl/codecs.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../../../../shared/ton/tlb/block-id.js";
import type { BlockInfo } from "../../../../../../shared/ton/tlb/block-info.js";
import { CellOf } from "../../../../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../../../../shared/ton/tlb/codec.js";
import { CatchainConfig } from "../../../../../../shared/ton/tlb/config/consensus.js";
import { ValidatorDescr, ValidatorSet } from "../../../../../../shared/ton/tlb/config/validator-set.js";
import { ConfigDictionary } from "../../../../../../shared/ton/tlb/config-params.js";

const keys = [1, 2, 3, 4, 5].map((byte) => new SigningKey(new Uint8Array(32).fill(byte)));
const catchainSeqno = 77;
const id: BlockIdExt = {
  workchain: masterchain,
  shard: wholeShard,
  seqno: 1000,
  rootHash: new Uint8Array(32).fill(0xaa),
  fileHash: new Uint8Array(32).fill(0xbb),
};

type SetOptions = {
  main?: number;
  total?: number;
  weights?: bigint[];
  totalWeight?: bigint;
  indexes?: number[];
};

function configOf(options: SetOptions = {}, shuffle = false) {
  const { main = 5, total = 5, weights = [10n, 20n, 30n, 40n, 50n], indexes = [0, 1, 2, 3, 4] } = options;
  const empty = { utimeSince: 0, utimeUntil: 0, total, main };
  const list = listOf(indexes, weights);
  const set: ValidatorSet = { kind: "ext", ...empty, totalWeight: options.totalWeight ?? 150n, list };
  const lifetimes = {
    mcCatchainLifetime: 1,
    shardCatchainLifetime: 1,
    shardValidatorsLifetime: 1,
    shardValidatorsNum: 1,
  };
  const config = ConfigDictionary.empty
    .set(28, encode(CatchainConfig, { kind: "v2", flags: 0, shuffleMcValidators: shuffle, ...lifetimes }))
    .set(34, encode(ValidatorSet, set));
  return { configAddr: new Uint8Array(32), config: CellOf.of(ConfigDictionary, config) };
}

function listOf(indexes: readonly number[], weights: readonly bigint[]) {
  const entries = indexes.map((index, position) => {
    const publicKey = { pubkey: keys[position]!.publicKey };
    return [index, { kind: "plain" as const, publicKey, weight: weights[position]! }] as const;
  });
  return Dictionary.empty(uintKey(16), ValidatorDescr).update(entries);
}

describe("the validators of a configuration", () => {
  test("form a group of the first ones, or of all in shuffled order", () => {
    expect(new MasterchainValidators(configOf({ main: 3 })).members(5).map(({ weight }) => weight)).toEqual([
      10n,
      20n,
      30n,
    ]);
    const shuffled = new MasterchainValidators(configOf({}, true));
    const orders = [1, 2, 3, 4].map((seqno) => shuffled.members(seqno).map(({ weight }) => weight));
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
    for (const order of orders)
      expect(order.toSorted((a, b) => Number(a - b))).toEqual([10n, 20n, 30n, 40n, 50n]);
  });

  test.each([
    ["has a gap", { indexes: [0, 1, 2, 3, 5] }, "validator 4 is missing"],
    ["has fewer than it says", { total: 6 }, "there are 5 validators instead of 6"],
    ["names one without weight", { weights: [10n, 20n, 0n, 40n, 50n] }, "validator 2 has no weight"],
    ["states another sum", { totalWeight: 151n }, "wrong total weight of the validators"],
  ] as const)("are refused when their list %s", (_, options, reason) => {
    expect(() => new MasterchainValidators(configOf(options as SetOptions))).toThrow(reason);
  });

  test("are those of parameter 35 while it exists", () => {
    const params = configOf();
    const set: ValidatorSet = {
      kind: "plain",
      utimeSince: 0,
      utimeUntil: 0,
      total: 1,
      main: 1,
      list: listOf([0], [7n]),
    };
    const config = CellOf.of(ConfigDictionary, params.config.value.set(35, encode(ValidatorSet, set)));
    expect(new MasterchainValidators({ ...params, config }).members(1).map(({ weight }) => weight)).toEqual([
      7n,
    ]);
  });
});

describe("signatures of a masterchain block", () => {
  const validators = new MasterchainValidators(configOf());
  const { hash } = validators.group(catchainSeqno);
  const info = { genCatchainSeqno: catchainSeqno, genValidatorListHashShort: hash } as BlockInfo;
  const check = (set: SignatureSet) => verifySignatures(id, info, set, validators);
  const sign = (message: Uint8Array, who = [1, 3, 4]) =>
    who.map((index) => ({
      nodeIdShort: nodeIdShort(keys[index]!.publicKey),
      signature: keys[index]!.sign(message),
    }));

  describe("in the ordinary form", () => {
    const message = proofs.encode("ton.blockId", { rootCellHash: id.rootHash, fileHash: id.fileHash });
    const ordinary = (more: object = {}): SignatureSet => ({
      type: "ordinary",
      validatorSetHash: hash,
      catchainSeqno,
      signatures: sign(message),
      ...more,
    });

    test("are valid with more than two thirds of the weight", async () => {
      // 110 of 150.
      await check(ordinary());
    });

    test("are invalid with two thirds", async () => {
      await expect(check(ordinary({ signatures: sign(message, [0, 3, 4]) }))).rejects.toThrow(
        "only 100 of 150 signed",
      );
    });

    test("are invalid for another block, group or session", async () => {
      await expect(check(ordinary({ signatures: sign(new Uint8Array(68)) }))).rejects.toThrow(
        "a signature is wrong",
      );
      await expect(check(ordinary({ validatorSetHash: hash ^ 1 }))).rejects.toThrow("is of other validators");
      await expect(check(ordinary({ catchainSeqno: 78 }))).rejects.toThrow(
        "the signatures are of session 78",
      );
    });
  });

  describe("in the simplex form", () => {
    const sessionId = new Uint8Array(32).fill(0x55);
    const slot = 12;
    const parent = { slot: 11, hash: new Uint8Array(32).fill(0x11) };
    const ordinaryCandidate = (block: BlockIdExt) =>
      proofs.encode("consensus.candidateHashDataOrdinary", {
        block,
        collatedFileHash: new Uint8Array(32),
        parent: { type: "candidateParent", id: parent },
      });
    const vote = (candidate: Uint8Array, kind = "consensus.simplex.finalizeVote") =>
      proofs.encode("consensus.dataToSign", {
        sessionId,
        data: proofs.encode(kind, { id: { slot, hash: sha256(candidate) } }),
      });
    const simplex = (candidate: Uint8Array, more: object = {}): SignatureSet => ({
      type: "simplex",
      ccSeqno: catchainSeqno,
      validatorSetHash: hash,
      signatures: sign(vote(candidate)),
      sessionId,
      slot,
      candidate,
      ...more,
    });

    test("are finalize votes for the candidate of the block", async () => {
      await check(simplex(ordinaryCandidate(id)));
    });

    test("may be for an empty candidate after the block", async () => {
      await check(simplex(proofs.encode("consensus.candidateHashDataEmpty", { block: id, parent })));
    });

    test("cover the bytes that the node signs", () => {
      const candidate = ordinaryCandidate(id);
      expect(Buffer.from(vote(candidate)).toString("hex")).toBe(
        `f83de3a8${"55".repeat(32)}2c05e1a7403fcd91b60c000000${sha256(candidate).toString("hex")}000000`,
      );
      expect(Buffer.from(candidate).toString("hex")).toBe(
        `dcbcf9e8ffffffff0000000000000080e8030000${"aa".repeat(32)}${"bb".repeat(32)}${"00".repeat(32)}f19a4b1a3fcd91b60b000000${"11".repeat(32)}`,
      );
    });

    test("are invalid for another candidate, slot or session, and for votes that do not finalize", async () => {
      const candidate = ordinaryCandidate(id);
      const other = ordinaryCandidate({ ...id, fileHash: new Uint8Array(32) });
      await expect(check(simplex(other))).rejects.toThrow("with other hashes");
      for (const more of [
        { slot: 13 },
        { sessionId: new Uint8Array(32) },
        { signatures: sign(vote(candidate, "consensus.simplex.notarizeVote")) },
      ])
        await expect(check(simplex(candidate, more))).rejects.toThrow("a signature is wrong");
      const noCandidate = proofs.encode("consensus.candidateWithoutParents");
      await expect(check(simplex(noCandidate))).rejects.toThrow(
        "a consensus.candidateWithoutParents was voted for",
      );
      await expect(check(simplex(new Uint8Array(3)))).rejects.toThrow();
    });
  });
});

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
