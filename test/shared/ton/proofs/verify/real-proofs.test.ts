import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot } from "../../../../../shared/ton/cells/boc/boc.js";
import { updateHashes } from "../../../../../shared/ton/cells/merkle/merkle-update.js";
import type { BlockLinkForward, ConfigInfo } from "../../../../../shared/ton/lite/lite-api.js";
import { verifyConfig } from "../../../../../shared/ton/proofs/verify/config.js";
import { provenPrevious } from "../../../../../shared/ton/proofs/verify/headers.js";
import {
  provenHeader,
  provenHeaderBoc,
  stateTreeBoc,
} from "../../../../../shared/ton/proofs/verify/proof-trees.js";
import { verifyBlockProof } from "../../../../../shared/ton/proofs/verify/trust/block-proof.js";
import { proofs } from "../../../../../shared/ton/tl/codecs.js";
import { type BlockIdExt, masterchain } from "../../../../../shared/ton/tlb/block-id.js";
import { BlockProof } from "../../../../../shared/ton/tlb/block-proof.js";
import { decode } from "../../../../../shared/ton/tlb/codec.js";
import { ShardStateUnsplit } from "../../../../../shared/ton/tlb/shard-state.js";
import { hexToBytes } from "../../../../../shared/values/bytes.js";
import { flippedBits } from "../../../../helpers/chain/flipped-bits.js";
import { answerOf, linksFromKeyBlocks, linksFromZero } from "../../../../helpers/chain/recorded-links.js";
import { readArchive } from "../../../../helpers/chain/replay/archive.js";
import { sized } from "../../../../helpers/effort.js";
import { type ChainEntry, describeWithChain } from "../../../../helpers/test-data.js";

describeWithChain("proofs of the real networks", (data) => {
  const verify = (link: BlockLinkForward) =>
    verifyBlockProof({ knownBlock: link.from, targetBlock: link.to }, answerOf(link));

  test("the validators of the zero state signed the first blocks", async () => {
    const links = linksFromZero(data);
    expect(links.map(({ to }) => to.seqno)).toEqual(Array.from({ length: data.newest }, (_, i) => i + 1));
    for (const link of links) await verify(link);
  });

  test("the validators of a key block signed the blocks after it, in list order and shuffled", async () => {
    const links = linksFromKeyBlocks(data);
    const stated = data.where({ kind: "block_proof" }).map(({ facts }) => facts);
    const following = stated.filter(({ verified_from_key_block: from }) => from !== undefined);
    expect(links).toHaveLength(following.length);
    for (const link of links) await verify(link);
    // Both orders occur.
    const shuffles = stated.map(({ shuffle }) => shuffle);
    expect(new Set(shuffles)).toEqual(new Set([undefined, false, true]));
  });

  test("headers of shard blocks match their ids", () => {
    const archived = data
      .where({ kind: "archive_pack" })
      .flatMap((pack) => readArchive(pack.read()))
      .filter(({ kind }) => kind === "prooflink")
      .map((entry) => ({ id: entry.id, bytes: entry.data }));
    const single = data
      .where({ kind: "block_proof", workchain: 0 })
      .map((entry) => ({ id: undefined, bytes: entry.read() }));
    const shardBlocks = data.recordedBlocks().filter(({ workchain }) => workchain !== masterchain);
    expect(archived).toHaveLength(shardBlocks.length);
    for (const { id, bytes } of [...archived, ...single]) {
      const { proofFor, root } = decode(BlockProof, parseBocRoot(bytes));
      const { info } = provenHeader(id ?? proofFor, root);
      expect(provenPrevious(id ?? proofFor, info).length).toBeGreaterThan(0);
    }
  });

  test("a recorded configuration matches its block", () => {
    const answer = recordedConfig(data.one({ kind: "liteServer.configInfo (boxed TL)" }));
    verifyConfig({ id: answer.id }, answer);
  });

  test("a recorded state matches the header of its block", () => {
    const entry = data.one({ kind: "merkle_proof/block" });
    const proof = entry.read();
    const id = idOf(entry);
    const state = decode(ShardStateUnsplit, stateTreeBoc(id, proof));
    const { block } = provenHeader(id, parseBoc(proof)[0]!);
    expect(updateHashes(block.stateUpdate).from).toEqual(hash(entry, "old_hash"));
    expect({ seqno: state.seqno, ...state.shardId }).toEqual({
      seqno: id.seqno,
      workchain: id.workchain,
      shard: id.shard,
    });
  });

  describe("any flipped bit", () => {
    const first = linksFromZero(data)[0]!;
    const [ordered] = linksFromKeyBlocks(data);
    const shuffled = linksFromKeyBlocks(data).at(-1)!;

    test.each([
      ["of a header", first, "destProof", 1],
      ["of the zero state", first, "configProof", 97],
      ["of a signed header", ordered!, "destProof", 1],
      ["of a key block", ordered!, "configProof", 97],
      ["of a key block with shuffled validators", shuffled, "configProof", 197],
    ] as const)("%s is noticed", async (_, link, field, step) => {
      await refuseFlips(link[field], step, (bytes) => verify({ ...link, [field]: bytes }));
    });

    test("of a signature or a signer's id is detected", async () => {
      for (const [link, step] of [
        [first, 1],
        [shuffled, 127],
      ] as const) {
        if (link.signatures.type !== "ordinary") throw new Error("other signatures");
        const { signatures } = link.signatures;
        for (const [index, each] of signatures.slice(0, 5).entries())
          for (const field of ["nodeIdShort", "signature"] as const)
            await refuseFlips(each[field], index === 0 ? step : 1021, (bytes) =>
              verify({
                ...link,
                signatures: {
                  ...link.signatures,
                  signatures: signatures.with(index, { ...each, [field]: bytes }),
                },
              } as BlockLinkForward),
            );
      }
    });

    test("of the target id is detected", async () => {
      for (const field of ["rootHash", "fileHash"] as const)
        await refuseFlips(first.to[field], 1, (bytes) =>
          verify({ ...first, to: { ...first.to, [field]: bytes } }),
        );
    });

    test("of a recorded configuration or its header is detected", async () => {
      const answer = recordedConfig(data.one({ kind: "liteServer.configInfo (boxed TL)" }));
      const check = (more: Partial<ConfigInfo>) => verifyConfig({ id: answer.id }, { ...answer, ...more });
      await refuseFlips(answer.stateProof, 1, (stateProof) => check({ stateProof }));
      await refuseFlips(answer.configProof, 1499, (configProof) => check({ configProof }));
    });

    test("of a recorded state or its header is detected", async () => {
      const entry = data.one({ kind: "merkle_proof/block" });
      await refuseFlips(entry.read(), 3, (bytes) => stateTreeBoc(idOf(entry), bytes));
    });
  });

  test("too little weight, duplicate and foreign signatures are rejected with the reason", async () => {
    const [link] = linksFromZero(data);
    const { signatures } = link!.signatures;
    const withSignatures = (changed: typeof signatures) =>
      verify({ ...link!, signatures: { ...link!.signatures, signatures: changed } });
    await expect(withSignatures(signatures.slice(0, 3))).rejects.toThrow(/^only 51 of 85 signed$/);
    await expect(withSignatures([])).rejects.toThrow(/^only 0 of 85 signed$/);
    await expect(withSignatures([...signatures, signatures[0]!])).rejects.toThrow("duplicate signature");
    const stranger = { nodeIdShort: new Uint8Array(32), signature: signatures[0]!.signature };
    await expect(withSignatures([...signatures, stranger])).rejects.toThrow("is not of the validator group");
  });

  test("a valid header of another block is rejected", async () => {
    const [first, second] = linksFromZero(data);
    await expect(verify({ ...first!, destProof: second!.destProof })).rejects.toThrow(
      /^the proof is not of block \(-1,8000000000000000,1\): /,
    );
    expect(() => provenHeaderBoc({ ...first!.to, seqno: 2 }, first!.destProof)).toThrow(
      "the header is of (-1,8000000000000000,1), not of (-1,8000000000000000,2)",
    );
    const headerOf = { ...first!, to: { ...first!.to, seqno: 2 } };
    await expect(verify(headerOf)).rejects.toThrow("the header is of (-1,8000000000000000,1)");
  });
});

function recordedConfig(entry: ChainEntry): ConfigInfo {
  return proofs.decode(entry.read()).value as unknown as ConfigInfo;
}

/** The id of a proof's block. Its file hash is arbitrary, as nothing here depends on it. */
function idOf(entry: ChainEntry): BlockIdExt {
  return {
    workchain: entry.workchain!,
    shard: BigInt(`0x${entry.shard}`),
    seqno: entry.seqno!,
    rootHash: hexToBytes(entry.raw["proof_of_hash"] as string)!,
    fileHash: new Uint8Array(32),
  };
}

function hash(entry: ChainEntry, name: string): Uint8Array {
  const { state_update: update } = entry.facts as { state_update: Record<string, string> };
  return hexToBytes(update[name]!)!;
}

async function refuseFlips(
  bytes: Uint8Array,
  step: number,
  check: (bytes: Uint8Array) => unknown,
): Promise<void> {
  await check(bytes);
  for (const { bit, flipped } of flippedBits(bytes, { step: step * sized(9, 1) })) {
    const refused = await Promise.resolve()
      .then(() => check(flipped))
      .then(
        () => false,
        () => true,
      );
    // No `expect` per case, which would take longer than the check.
    if (!refused) expect.unreachable(`bit ${bit} of ${bytes.length * 8} was flipped unnoticed`);
  }
}
