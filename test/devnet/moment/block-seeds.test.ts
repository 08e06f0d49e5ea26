import { describe, expect, it } from "vitest";
import { BlockSeeds } from "../../../server/devnet/moment/block-seeds.js";
import { bytesToHex } from "../../../shared/values/bytes.js";

describe("the random seed of a block", () => {
  it("depends on the devnet's seed, the chain and the seqno alone", () => {
    const [one, other] = [new BlockSeeds("one"), new BlockSeeds("other")];
    const seeds = [one.of(0, 1), one.of(0, 2), one.of(-1, 1), other.of(0, 1)];
    expect(new Set(seeds.map(bytesToHex)).size).toBe(4);
    expect(one.of(0, 1)).toEqual(seeds[0]);
    for (const seed of seeds) expect(seed).toHaveLength(32);
  });

  it("is the requested one until the next step", () => {
    const seeds = new BlockSeeds("one");
    const usual = seeds.of(0, 1);
    const wanted = new Uint8Array(32).fill(7);
    seeds.request(wanted);
    expect([seeds.of(0, 1), seeds.of(-1, 1)]).toEqual([wanted, wanted]);
    seeds.onBlock();
    expect(seeds.of(0, 1)).toEqual(usual);
  });
});
