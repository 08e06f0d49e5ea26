import { describe, expect, test } from "vitest";
import type { BlockLink, PartialBlockProof } from "../../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import { checkBlockProof } from "./proof-checks.js";
import { blockAt, expectFlipsFail, expectLiteError, type Opened, strange } from "./target.js";

export function describeBlockProofs(opened: Opened): void {
  /** Continues from the end of each answer until the proof is complete. */
  async function prove(known: BlockIdExt, target: BlockIdExt): Promise<PartialBlockProof[]> {
    const answers: PartialBlockProof[] = [];
    let at = known;
    for (let complete = false; !complete; ) {
      const answer = await opened.api.getBlockProof({ knownBlock: at, targetBlock: target });
      expect(answer.steps.length).toBeLessThanOrEqual(16);
      at = checkBlockProof(at, answer);
      complete = answer.complete;
      answers.push(answer);
    }
    expect(at).toEqual(target);
    return answers;
  }

  describe("block proofs", () => {
    test("signatures lead from the zero state to the newest block", async () => {
      const { zero, last } = opened.sample;
      const [first] = await prove(zero, last);
      expect(first!.steps[0]!.type).toBe("forward");
    });

    test("links lead from the newest block back to any other and to the zero state", async () => {
      const { zero, first, last } = opened.sample;
      for (const target of [zero, first]) {
        const [answer] = await prove(last, target);
        expect(answer!.steps.map(({ type }) => type)).toEqual(["back"]);
      }
    });

    test("a proof from one block to a later one leads through a key block", async () => {
      const { last } = opened.sample;
      const known = await blockAt(opened.api, last.seqno - 2);
      const target = await blockAt(opened.api, last.seqno - 1);
      const [answer] = await prove(known, target);
      expect(answer!.steps.at(-1)!.type).toBe("forward");
    });

    test("without a target the proof leads to the newest block", async () => {
      const { zero, last } = opened.sample;
      for (const toNewest of [false, true]) {
        const answer = await opened.api.getBlockProof({ knownBlock: zero, toNewest });
        expect(checkBlockProof(zero, answer).seqno).toBeGreaterThanOrEqual(last.seqno);
      }
    });

    test("the proof of a block from itself is empty", async () => {
      const { last } = opened.sample;
      expect(await opened.api.getBlockProof({ knownBlock: last, targetBlock: last })).toEqual({
        complete: true,
        from: last,
        to: last,
        steps: [],
      });
    });

    test("a proof can be based on the two blocks given", async () => {
      const { zero, first } = opened.sample;
      const answer = await opened.api.getBlockProof({
        knownBlock: zero,
        targetBlock: first,
        baseOnGiven: true,
      });
      expect(checkBlockProof(zero, answer)).toEqual(first);
    });

    test("a flipped bit of any proof or signature is detected", async () => {
      const { zero, last } = opened.sample;
      const forward = await opened.api.getBlockProof({ knownBlock: zero, targetBlock: last });
      const back = await opened.api.getBlockProof({
        knownBlock: last,
        targetBlock: await blockAt(opened.api, 2),
      });
      for (const [known, answer] of [
        [zero, forward],
        [last, back],
      ] as const)
        for (const name of ["destProof", "configProof", "proof", "stateProof"] as const)
          flip(known, answer, name);
      // A copy, because a chain in this process serves the same signatures again.
      const changed = structuredClone(forward);
      const [link] = changed.steps;
      if (link?.type !== "forward" || link.signatures.type !== "ordinary") throw new Error("unknown link");
      const { signatures } = link.signatures;
      expect(() => {
        for (const { signature } of signatures) signature[5]! ^= 4;
        checkBlockProof(zero, changed);
      }).toThrow("a signature is wrong");
    });

    test("blocks of another chain, future blocks and shard blocks are rejected", async () => {
      const { last, shards } = opened.sample;
      const api = opened.api;
      await expectLiteError(
        api.getBlockProof({ knownBlock: strange(last) }),
        -400,
        /^proof source masterchain block \(-1,8000000000000000,\d+\):\w+:\w+ is unknown from the perspective of reference block \(-1,8000000000000000,\d+\):\w+:\w+$/,
      );
      await expectLiteError(
        api.getBlockProof({ knownBlock: last, targetBlock: strange(last) }),
        -400,
        /^proof destination masterchain block .* is unknown from the perspective of reference block /,
      );
      await expectLiteError(
        api.getBlockProof({ knownBlock: { ...last, seqno: last.seqno + 1000 } }),
        -400,
        /^client knows block .* newer than the reference masterchain block /,
      );
      await expectLiteError(
        api.getBlockProof({ knownBlock: shards[0]! }),
        -400,
        /^source block \(0,.* is not a valid masterchain block id$/,
      );
      await expectLiteError(
        api.getBlockProof({ knownBlock: last, targetBlock: shards[0]! }),
        -400,
        /^destination block \(0,.* is not a valid masterchain block id$/,
      );
    });
  });
}

type ProofField = "destProof" | "configProof" | "proof" | "stateProof";

function flip(known: BlockIdExt, answer: PartialBlockProof, name: ProofField): void {
  const [link, ...rest] = answer.steps;
  const proof = (link as Partial<Record<ProofField, Uint8Array>>)[name];
  if (!proof || proof.length === 0) return;
  expectFlipsFail(proof, (bytes) =>
    checkBlockProof(known, { ...answer, steps: [{ ...link, [name]: bytes } as BlockLink, ...rest] }),
  );
}
