import { describe, expect, test } from "vitest";
import { SigningKey } from "../../../../../server/chain/ed25519.js";
import { Dictionary, uintKey } from "../../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { Signature } from "../../../../../shared/ton/lite/lite-api.js";
import { verifySignatures } from "../../../../../shared/ton/proofs/verify/trust/signatures.js";
import {
  MasterchainValidators,
  nodeIdShort,
} from "../../../../../shared/ton/proofs/verify/trust/validators.js";
import { proofs } from "../../../../../shared/ton/tl/codecs.js";
import { masterchain, wholeShard } from "../../../../../shared/ton/tlb/block-id.js";
import type { BlockInfo } from "../../../../../shared/ton/tlb/block-info.js";
import { CellOf } from "../../../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../../../shared/ton/tlb/codec.js";
import { ValidatorDescr, ValidatorSet } from "../../../../../shared/ton/tlb/config/validator-set.js";
import { ConfigDictionary } from "../../../../../shared/ton/tlb/config-params.js";
import { bytesToHex } from "../../../../../shared/values/bytes.js";

const keys = [1, 2, 3, 4].map((byte) => new SigningKey(new Uint8Array(32).fill(byte)));
const stranger = new SigningKey(new Uint8Array(32).fill(9));
const hash = new Uint8Array(32).fill(0xaa);
const id = { workchain: masterchain, shard: wholeShard, seqno: 1000, rootHash: hash, fileHash: hash };
const message = proofs.encode("ton.blockId", { rootCellHash: hash, fileHash: hash });

function configOf(config: ConfigDictionary) {
  return { configAddr: new Uint8Array(32), config: CellOf.of(ConfigDictionary, config) };
}

/** Without a parameter that says how validators are grouped: none of them is shuffled. */
function validators(): MasterchainValidators {
  const entries = keys.map(({ publicKey }, index) => {
    return [index, { kind: "plain" as const, publicKey: { pubkey: publicKey }, weight: 10n }] as const;
  });
  const list = Dictionary.empty(uintKey(16), ValidatorDescr).update(entries);
  const set: ValidatorSet = { kind: "plain", utimeSince: 0, utimeUntil: 0, total: 4, main: 4, list };
  return new MasterchainValidators(configOf(ConfigDictionary.empty.set(34, encode(ValidatorSet, set))));
}

const signed = (key: SigningKey, text = message): Signature => ({
  nodeIdShort: nodeIdShort(key.publicKey),
  signature: key.sign(text),
});

describe("the signatures of a block", () => {
  const group = validators().group(7);
  const check = async (signatures: Signature[], listHash = group.hash) => {
    const info = { genCatchainSeqno: 7, genValidatorListHashShort: listHash } as BlockInfo;
    const set = { type: "ordinary" as const, validatorSetHash: group.hash, catchainSeqno: 7, signatures };
    return verifySignatures(id, info, set, validators()).then(
      () => "valid",
      (error: Error) => error.message,
    );
  };

  test("are those of validators, each once", async () => {
    const all = keys.map((key) => signed(key));
    expect(await check(all)).toBe("valid");
    expect(await check(all.slice(1))).toBe("valid");
    expect(await check(all.slice(2))).toBe("only 20 of 40 signed");
    expect(await check([...all, all[0]!])).toBe("duplicate signature");
    expect(await check([...all, signed(stranger)])).toBe(
      `${bytesToHex(nodeIdShort(stranger.publicKey))} signed, but is not of the validator group`,
    );
  });

  test("are all valid", async () => {
    const [first, ...rest] = keys.map((key) => signed(key)) as [Signature, ...Signature[]];
    expect(await check([{ ...first, signature: rest[0]!.signature }, ...rest])).toBe("a signature is wrong");
    expect(await check([...rest, signed(keys[0]!, new Uint8Array(3))])).toBe("a signature is wrong");
  });

  test("are of the validators that the header names", async () => {
    expect(
      await check(
        keys.map((key) => signed(key)),
        group.hash ^ 1,
      ),
    ).toBe("(-1,8000000000000000,1000) is of other validators");
  });
});

describe("the validators of a configuration", () => {
  test("must be there", () => {
    expect(() => new MasterchainValidators(configOf(ConfigDictionary.empty))).toThrow(
      "the configuration has no validators",
    );
  });

  test("are grouped once for each session", () => {
    const all = validators();
    const group = all.group(7);
    expect(all.group(7)).toBe(group);
    expect(all.group(8)).not.toBe(group);
    expect(all.group(8).hash).not.toBe(group.hash);
    expect(all.members(7).map(({ weight }) => weight)).toEqual([10n, 10n, 10n, 10n]);
  });
});
