import { describe, expect, it } from "vitest";
import { Rules } from "../../../server/devnet/collate/rules.js";
import {
  type ConfigNumber,
  type ConfigValue,
  encodeConfigParam,
} from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { noCurrencies, onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { Address } from "../../../shared/values/address.js";

const filled = (byte: number) => new Uint8Array(32).fill(byte);
const configAddress = filled(0x55);

type Param = { [N in ConfigNumber]: [N, ConfigValue<N>] }[ConfigNumber];

function rulesOf(...params: Param[]): Rules {
  const config = params.reduce(
    (all, [number, value]) => all.set(number, encodeConfigParam(number, value as never)),
    ConfigDictionary.empty,
  );
  return new Rules(config, configAddress);
}

const none = rulesOf();

describe("the rules for making blocks", () => {
  it("have the capabilities of the configuration", () => {
    const names = ["createStats", "reportVersion", "shortDequeue", "queueSize"] as const;
    const having = (capabilities: bigint) => {
      const rules = rulesOf([8, { version: 9, capabilities }]);
      return names.map((name) => rules.has(name));
    };
    expect([2n, 8n, 32n, 64n, 255n, 149n].map(having)).toEqual([
      [true, false, false, false],
      [false, true, false, false],
      [false, false, true, false],
      [false, false, false, true],
      [true, true, true, true],
      [false, false, false, false],
    ]);
    expect([none.version, names.some((name) => none.has(name))]).toEqual([
      { version: 0, capabilities: 0n },
      false,
    ]);
    expect(rulesOf([8, { version: 9, capabilities: 1n }]).version).toEqual({ version: 9, capabilities: 1n });
  });

  it("reward blocks of both chains", () => {
    const rules = rulesOf([14, { masterchainBlockFee: 17n, basechainBlockFee: 10n }]);
    expect([rules.reward(-1), rules.reward(0)]).toEqual([onlyCoins(17n), onlyCoins(10n)]);
    expect(none.reward(-1)).toEqual(noCurrencies);
  });

  it("burn a part of the fees, rounded down", () => {
    const burning = (feeBurnNum: number, feeBurnDenom: number) =>
      rulesOf([5, { blackholeAddr: filled(9), feeBurnNum, feeBurnDenom }]);
    expect(burning(1, 3).burned(onlyCoins(100n))).toEqual(onlyCoins(33n));
    expect(burning(1, 2).blackhole).toEqual(filled(9));
    expect([none.burned(onlyCoins(100n)), none.blackhole]).toEqual([noCurrencies, undefined]);
  });

  it("name who collects fees and who mints, with others in their place", () => {
    const at = (byte: number) => new Address(-1, filled(byte));
    expect([none.feeCollector, none.minter]).toEqual([undefined, undefined]);
    const first = rulesOf([0, filled(10)], [1, filled(11)]);
    expect([first.feeCollector, first.minter]).toEqual([at(11), at(10)]);
    const all = rulesOf([0, filled(10)], [1, filled(11)], [2, filled(12)], [3, filled(13)]);
    expect([all.feeCollector, all.minter]).toEqual([at(13), at(12)]);
  });

  it("rotate sessions when a lifetime ends between two times", () => {
    const times = { mcCatchainLifetime: 250, shardCatchainLifetime: 100, shardValidatorsLifetime: 1000 };
    const rules = rulesOf([
      28,
      { kind: "v2", flags: 0, shuffleMcValidators: false, ...times, shardValidatorsNum: 7 },
    ]);
    expect([rules.rotates(-1, 0, 249), rules.rotates(-1, 249, 250), rules.rotates(-1, 250, 499)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([rules.rotates(0, 0, 99), rules.rotates(0, 99, 100)]).toEqual([false, true]);
    expect([none.rotates(0, 5, 5), none.rotates(0, 5, 6)]).toEqual([false, true]);
  });

  it("have no validators without a set", () => {
    expect([none.masterchainValidators, none.basechainValidators, none.validatorSetHash]).toEqual([
      [],
      [],
      undefined,
    ]);
  });
});
