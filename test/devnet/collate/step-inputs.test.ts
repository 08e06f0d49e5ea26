import { describe, expect, it } from "vitest";
import { ChainSide } from "../../../server/devnet/collate/chain-side.js";
import { Rules } from "../../../server/devnet/collate/rules.js";
import { creatorOf, rulesOf, runEnvironment } from "../../../server/devnet/collate/step.js";
import { firstValidatorKeys } from "../../../server/devnet/elections/validator-roles.js";
import { createGenesis } from "../../../server/devnet/genesis/genesis.js";
import { configAddress } from "../../../server/devnet/genesis/initial-config.js";
import { encodeConfigParam, knownParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { bytesToHex } from "../../../shared/values/bytes.js";

const genesis = createGenesis({ seed: "test", accounts: [], validators: 3 });
const [masterchain, basechain] = [new ChainSide(genesis.masterchain), new ChainSide(genesis.basechain)];

/** A chain whose newest block has this seqno. */
const at = (side: ChainSide, seqno: number) => new ChainSide({ ...side.tip, id: { ...side.tip.id, seqno } });

describe("the creator of a block", () => {
  const keys = firstValidatorKeys(genesis.validators).map(({ publicKey }) => bytesToHex(publicKey));
  const { config } = rulesOf({ masterchain });
  /** With a list of three validators, of which so many make blocks of the chain. */
  const rulesWith = (main: number, shardValidatorsNum: number) => {
    const set = { ...knownParam(config, 34), main };
    const catchain = { ...knownParam(config, 28), shardValidatorsNum };
    return new Rules(
      config.set(34, encodeConfigParam(34, set)).set(28, encodeConfigParam(28, catchain)),
      configAddress.hash,
    );
  };
  const creators = (rules: Rules, side: ChainSide) =>
    [0, 1, 2, 3, 4].map((seqno) => keys.indexOf(bytesToHex(creatorOf(rules, at(side, seqno)))));

  it("changes with each block, among the validators of its chain", () => {
    expect(new Set(keys).size).toBe(3);
    expect(creators(rulesWith(3, 1), masterchain)).toEqual([1, 2, 0, 1, 2]);
    expect(creators(rulesWith(3, 1), basechain)).toEqual([0, 0, 0, 0, 0]);
    expect(creators(rulesWith(1, 2), masterchain)).toEqual([0, 0, 0, 0, 0]);
    expect(creators(rulesWith(1, 2), basechain)).toEqual([1, 0, 1, 0, 1]);
  });

  it("is nobody without validators", () => {
    const none = new Rules(ConfigDictionary.empty, configAddress.hash);
    for (const side of [masterchain, basechain]) expect(creatorOf(none, side)).toEqual(new Uint8Array(32));
  });
});

describe("the environment of a block's transactions", () => {
  it("is the newest masterchain state with the block's own time and seed", () => {
    const own = { utime: 1_800_000_000, randSeed: new Uint8Array(32).fill(7) };
    const { config, libraries, previousBlocks, now, ...rest } = runEnvironment(masterchain, own);
    expect(now).toBe(own.utime);
    expect(rest).toEqual({ randSeed: own.randSeed });
    expect(config.equals(masterchain.master.config.config.cell)).toBe(true);
    expect(libraries!.equals(masterchain.state.totals.value.libraries.root!)).toBe(true);
    expect(previousBlocks).toBe(masterchain.previousBlocks());
  });
});
