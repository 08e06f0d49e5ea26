import { describe, expect, it, test } from "vitest";
import { type PlainCell, readBag } from "../../../../client/values/bag-of-cells.js";
import { contractCode } from "../../../../server/devnet/contracts/codes.js";
import { initialConfig } from "../../../../server/devnet/genesis/initial-config.js";
import { changesBetween } from "../../../../server/web/explorer/config/changes.js";
import {
  parameterName,
  readConfiguration,
  readParameter,
} from "../../../../server/web/explorer/config/parameters.js";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { decode, encode } from "../../../../shared/ton/tlb/codec.js";
import {
  type ConfigNumber,
  type ConfigValue,
  configTypes,
  encodeConfigParam,
} from "../../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary, ConfigParams } from "../../../../shared/ton/tlb/config-params.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { augustConfig, proposedConfig } from "../../../helpers/chain/august-configs.js";
import { describeWithChain } from "../../../helpers/test-data.js";

const zero = new Uint8Array(32);
const cellOf = (cell: Cell): PlainCell => readBag(bytesToBase64(serializeBoc(cell)));
const typed = Object.keys(configTypes).map(Number) as ConfigNumber[];

/** The value of a parameter in words, as the service encodes it. */
function read<N extends ConfigNumber>(number: N, value: ConfigValue<N>) {
  return readParameter(number, cellOf(encodeConfigParam(number, value)));
}

const devnet = initialConfig({
  globalId: -3,
  time: 1_800_000_000,
  validators: [{ publicKey: zero }, { publicKey: zero.with(0, 1), adnlAddress: zero.with(0, 2) }],
  basechain: { rootHash: zero, fileHash: zero },
  rewards: true,
});

const cell = (bits: string, ...refs: PlainCell[]): PlainCell => ({ bits, refs, special: false });

describe("parameters in words", () => {
  it("have the values that the service has encoded", () => {
    const times = {
      validatorsElectedFor: 65_536,
      electionsStartBefore: 32_768,
      electionsEndBefore: 8192,
      stakeHeldFor: 300,
    };
    expect(read(15, times)).toEqual([
      ["A set validates for", { kind: "duration", seconds: 65_536 }],
      ["An election begins before its set", { kind: "duration", seconds: 32_768 }],
      ["It ends before its set", { kind: "duration", seconds: 8192 }],
      ["Stakes are held for", { kind: "duration", seconds: 300 }],
    ]);
    const limits = { minStake: 1n, maxStake: 2n ** 100n, minTotalStake: 0n, maxStakeFactor: 3 * 2 ** 16 };
    expect(read(17, limits)).toEqual([
      ["Smallest stake", { kind: "coins", value: 1n }],
      ["Largest stake", { kind: "coins", value: 2n ** 100n }],
      ["Smallest sum of stakes", { kind: "coins", value: 0n }],
      ["Most that counts, as a multiple of the smallest stake", { kind: "text", text: "3" }],
    ]);
    expect(read(8, { version: 12, capabilities: 2n | 4n | (1n << 40n) })).toEqual([
      ["Version", { kind: "count", value: 12n, unit: undefined }],
      [
        "Capabilities",
        { kind: "text", text: "statistics of block makers, bounces with a part of the body, bit 40" },
      ],
    ]);
    expect(read(19, -239)).toEqual([["Number", { kind: "count", value: -239n, unit: undefined }]]);
    expect(read(1, new Uint8Array(32).fill(0x33))).toEqual([
      ["Account", { kind: "account", address: `-1:${"33".repeat(32)}` }],
    ]);
    const numbers = [40, -999, 3].map((number) => [number, true] as const);
    expect(read(9, configTypes[9].empty.update(numbers))).toEqual([
      ["Parameters", { kind: "params", numbers: [-999, 3, 40] }],
    ]);
  });

  it("have a set of validators with both forms of its members", () => {
    const rows = readConfiguration(cellOf(encode(ConfigDictionary, devnet)));
    const [, , total, main, weight, list] = readParameter(34, rows.get(34)!)!;
    expect([total, main, weight].map((row) => row![1])).toMatchObject([
      { value: 2n },
      { value: 2n },
      { value: 2n },
    ]);
    const hash = (first: string) => ({ kind: "hash", hex: first + "00".repeat(31) });
    expect(list![1]).toMatchObject({
      kind: "table",
      lines: [
        [{ value: 0n }, hash("00"), { value: 1n }, { kind: "text", text: "its key" }],
        [{ value: 1n }, hash("01"), { value: 1n }, hash("02")],
      ],
    });
  });

  it("are read to their end, all that the service reads", () => {
    const cells = readConfiguration(cellOf(encode(ConfigDictionary, devnet)));
    expect([...cells.keys()]).toEqual([...devnet.entries()].map(([number]) => number).sort((a, b) => a - b));
    for (const number of typed) {
      expect(parameterName(number)).toBeDefined();
      const found = cells.get(number);
      if (found) expect([number, readParameter(number, found)]).not.toEqual([number, undefined]);
    }
  });

  it("have the hash of the code of Telegram's wallet, below the other negative parameters", () => {
    const code = contractCode("tg-wallet");
    const config = devnet.set(-1000, code).set(-71, code);
    const cells = readConfiguration(cellOf(encode(ConfigDictionary, config)));
    expect([...cells.keys()].slice(0, 4)).toEqual([-1000, -123, -71, 0]);
    expect(parameterName(-123)).toBe("Code of Telegram's wallet");
    expect(readParameter(-123, cells.get(-123)!)).toEqual([
      ["Hash of the code", { kind: "hash", hex: code.hashHex() }],
    ]);
    expect(parameterName(-71)).toBeUndefined();
  });

  it("are left as cells where the form is another one", () => {
    const longer = cell("0".repeat(32 * 4 + 1));
    expect(readParameter(15, longer)).toBeUndefined();
    expect(readParameter(15, cell("0".repeat(100)))).toBeUndefined();
    expect(readParameter(14, cell("11111111"))).toBeUndefined();
    expect(readParameter(12_345, cell(""))).toBeUndefined();
    expect(parameterName(12_345)).toBeUndefined();
    expect(readParameter(0, { bits: "0".repeat(256), refs: [], special: true })).toBeUndefined();
  });

  it("refuse a dictionary whose branches are one cell, and labels longer than its keys", () => {
    // Without a label, each level doubles the number of keys.
    let node = cell("00");
    for (let depth = 0; depth < 32; depth++) node = cell("00", node, node);
    expect(readParameter(9, node)).toBeUndefined();
    expect(() => readConfiguration(node)).toThrow("more than 5000 entries");
    expect(() => readConfiguration(cell(`0${"1".repeat(40)}0${"0".repeat(40)}`))).toThrow(
      "longer than its keys",
    );
    expect(() => readConfiguration(cell(`110${"1".repeat(6)}`))).toThrow("longer than its keys");
    expect(() => readConfiguration(cell(`10${"1".repeat(6)}`))).toThrow("longer than its keys");
  });
});

describe("changes of the configuration", () => {
  it("are the parameters that differ, by their numbers", () => {
    const [a, b] = [cell("1"), cell("0", cell("1"))];
    const before = new Map([
      [34, a],
      [7, a],
      [32, b],
    ]);
    const after = new Map([
      [34, b],
      [7, cell("1")],
      [36, a],
    ]);
    expect(changesBetween(before, after)).toEqual([
      { number: 32, kind: "removed" },
      { number: 34, kind: "changed" },
      { number: 36, kind: "added" },
    ]);
    expect(changesBetween(after, after)).toEqual([]);
  });
});

describeWithChain("configurations of the real networks", (chain) => {
  test.each(chain.where({ kind: "config_dictionary" }).map((entry) => [entry.file, entry] as const))(
    "every typed parameter of %s is read to its end",
    (_file, entry) => {
      const root = decode(ConfigParams, parseBocRoot(entry.read())).config.cell;
      const cells = readConfiguration(cellOf(root.physical));
      expect(cells.size).toBe([...decode(ConfigDictionary, root).keys()].length);
      const known = typed.filter((number) => cells.has(number));
      expect(known.length).toBeGreaterThan(20);
      for (const number of known)
        expect([number, readParameter(number, cells.get(number)!)]).not.toEqual([number, undefined]);
    },
  );

  test("the second protocol of the consensus and mainnet's registry are shown as they were proposed", () => {
    const cells = readConfiguration(cellOf(proposedConfig(augustConfig(chain, "mainnet")).physical));
    const rowOf = (number: number, name: string) =>
      readParameter(number, cells.get(number)!)!.find(([each]) => each === name)![1];
    expect(rowOf(29, "Largest block")).toMatchObject({ value: 4_194_304n });
    for (const chainName of ["Masterchain", "Shards"])
      expect(JSON.stringify(rowOf(30, chainName), bigintText)).toContain(
        '["Version of the protocol",{"kind":"count","value":"2"',
      );
    expect(rowOf(31, "Accounts")).toMatchObject({ lines: { length: 9 } });
    expect(rowOf(46, "Most collators of a validator")).toMatchObject({ value: 4n });
  });
});

const bigintText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
