import { describe, expect, it } from "vitest";
import { noAccount } from "../../../../server/devnet/collate/block/touched-accounts.js";
import { nextConfig, whyUnusable } from "../../../../server/devnet/collate/masterchain/next-config.js";
import { balanceEdit, dataEdit } from "../../../../server/devnet/genesis/account-edits.js";
import { createGenesis } from "../../../../server/devnet/genesis/genesis.js";
import { configAddress } from "../../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../../shared/ton/tlb/codec.js";
import {
  type ConfigNumber,
  type ConfigValue,
  encodeConfigParam,
  knownParam,
} from "../../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary, type ConfigParams } from "../../../../shared/ton/tlb/config-params.js";
import { ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import { ShardStateUnsplit } from "../../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../../shared/values/address.js";

const zeroState = decode(ShardStateUnsplit, createGenesis({ seed: "test", accounts: [] }).masterchain.state);
const current: ConfigParams = zeroState.custom!.value.config;
const initial = current.config.value;
const other = new Address(-1, new Uint8Array(32).fill(0x77));

function withParam<N extends ConfigNumber>(config: ConfigDictionary, number: N, value: ConfigValue<N>) {
  return config.set(number, encodeConfigParam(number, value));
}

const someBits = beginCell().storeUint(5, 16).endCell();

describe("a configuration that can follow another", () => {
  const reason = (config: ConfigDictionary, before = initial) =>
    whyUnusable(encode(ConfigDictionary, config), before);

  it("may equal it, and may have parameters of unknown types", () => {
    expect(reason(initial)).toBeUndefined();
    expect(reason(initial.set(1000, someBits).set(-5, Cell.empty))).toBeUndefined();
  });

  it.each([0, 1, 8, 12, 14, 18, 20, 21, 24, 25, 28, 31, 34])("has parameter %i", (number) => {
    // Parameter 9 of a devnet names the same ones.
    const unlisted = withParam(initial, 9, knownParam(initial, 9).delete(number)).delete(number);
    expect(reason(unlisted, unlisted)).toBe(`parameter ${number} is required`);
  });

  it("may omit the others", () => {
    const bare = initial.delete(9).delete(43).delete(5).delete(29).delete(16);
    expect(reason(bare, bare)).toBeUndefined();
  });

  it("has the parameters that it names as mandatory, and those that the other one named", () => {
    const naming = withParam(initial, 9, knownParam(initial, 9).set(500, true));
    expect(reason(naming)).toBe("parameter 500 is required");
    expect(reason(initial, naming)).toBe("parameter 500 is required");
    expect(reason(naming.set(500, someBits))).toBeUndefined();
    expect(reason(initial.delete(9).set(500, someBits), naming)).toBe("parameter 9 is required");
  });

  it("has validators", () => {
    const set = knownParam(initial, 34);
    if (set.kind !== "ext") throw new Error("a devnet's validator set states its weight");
    const none = withParam(initial, 34, { ...set, list: set.list.delete(0) });
    expect(reason(none)).toBe("parameter 34 has no validators");
  });

  it.each([
    ["has another form", 20, someBits],
    [
      "has bits behind its form",
      14,
      beginCell().storeSlice(initial.get(14)!.parse()).storeBit(true).endCell(),
    ],
    ["has references behind its form", 8, withReference(initial.get(8)!)],
    ["has a member of another form", 31, beginCell().storeBit(true).storeRef(someBits).endCell()],
  ])("is refused if a parameter %s, with its number", (_what, number, cell) => {
    expect(reason(initial.set(number, cell))).toMatch(new RegExp(`^parameter ${number}: .`));
  });

  it("is a dictionary of parameters", () => {
    expect(whyUnusable(someBits, initial)).toMatch(/./);
    expect(whyUnusable(Cell.empty, initial)).toMatch(/./);
  });
});

function proofOf(cell: Cell): Cell {
  const proof = beginCell().storeUint(3, 8).storeBytes(cell.hash()).storeUint(cell.depth(), 16);
  return proof.storeRef(cell).endExotic();
}

function withReference(cell: Cell): Cell {
  return beginCell().storeSlice(cell.parse()).storeRef(Cell.empty).endCell();
}

describe("the configuration after a block", () => {
  const changed = withParam(initial, 19, 12345);
  const contractData = (config: Cell) => beginCell().storeRef(config).storeUint(0, 32).endCell();
  const dataOf = (config: ConfigDictionary) => contractData(encode(ConfigDictionary, config));

  /** Accounts of which these have data. */
  function accountsWith(...data: [Address, Cell][]): ShardAccounts {
    return ShardAccounts.empty.update(
      data.map(([address, cell]) => [address.hash, dataEdit(address, cell).change(noAccount, 0)]),
    );
  }
  const nextOf = (...data: [Address, Cell][]) => {
    const next = nextConfig(accountsWith(...data), current);
    return next && { address: next.configAddr, root: next.config.cell.hashHex() };
  };
  const hashOf = (config: ConfigDictionary) => encode(ConfigDictionary, config).hashHex();

  it("is that in the data of its contract", () => {
    expect(nextOf([configAddress, dataOf(changed)])).toEqual({
      address: configAddress.hash,
      root: hashOf(changed),
    });
    expect(nextOf([configAddress, dataOf(initial)])).toBeUndefined();
    expect(nextOf([other, dataOf(changed)])).toBeUndefined();
  });

  it("stays if it is the current one, even if that cannot follow itself", () => {
    const broken = {
      ...current,
      config: CellOf.in(ConfigDictionary, encode(ConfigDictionary, initial.delete(20))),
    };
    const accounts = accountsWith([configAddress, contractData(broken.config.cell)]);
    expect(nextConfig(accounts, broken)).toBeUndefined();
  });

  it.each([
    ["an unusable configuration", dataOf(initial.delete(20))],
    ["no reference", beginCell().storeUint(5, 32).endCell()],
    ["a reference to something else", beginCell().storeRef(someBits).endCell()],
    ["a proof, not a cell of data", proofOf(encode(ConfigDictionary, changed))],
  ])("stays if the data are %s", (_what, data) => {
    expect(nextOf([configAddress, data])).toBeUndefined();
  });

  it("stays if the contract is absent or not active", () => {
    expect(nextOf()).toBeUndefined();
    const { address, change } = balanceEdit(configAddress, 5n);
    const inactive = ShardAccounts.empty.set(address.hash, change(noAccount, 0));
    expect(nextConfig(inactive, current)).toBeUndefined();
  });

  it("is that of another contract if parameter 0 names it", () => {
    const moving = withParam(changed, 0, other.hash);
    const theirs = withParam(initial, 19, 777);
    expect(nextOf([configAddress, dataOf(moving)], [other, dataOf(theirs)])).toEqual({
      address: other.hash,
      root: hashOf(theirs),
    });
    // The move alone changes the configuration.
    expect(nextOf([configAddress, dataOf(moving)], [other, dataOf(initial)])).toEqual({
      address: other.hash,
      root: hashOf(initial),
    });
  });

  it.each<[string, [Address, Cell][]]>([
    ["does not exist", []],
    ["has no configuration", [[other, someBits]]],
    ["has an unusable one", [[other, dataOf(initial.delete(34))]]],
  ])("stays with its contract if the one that parameter 0 names %s", (_what, data) => {
    const moving = withParam(initial, 0, other.hash);
    expect(nextOf([configAddress, dataOf(moving)], ...data)).toEqual({
      address: configAddress.hash,
      root: hashOf(moving),
    });
  });

  it("does not move by an unusable configuration", () => {
    const moving = withParam(initial.delete(20), 0, other.hash);
    expect(nextOf([configAddress, dataOf(moving)], [other, dataOf(changed)])).toBeUndefined();
  });
});
