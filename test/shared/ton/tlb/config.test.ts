import { expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import { openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { type Codec, decode, encode } from "../../../../shared/ton/tlb/codec.js";
import {
  type ConfigNumber,
  configParam,
  configTypes,
  encodeConfigParam,
} from "../../../../shared/ton/tlb/config/config-param.js";
import { totalWeight } from "../../../../shared/ton/tlb/config/validator-set.js";
import { ConfigDictionary, ConfigParams } from "../../../../shared/ton/tlb/config-params.js";
import { ShardStateUnsplit } from "../../../../shared/ton/tlb/shard-state.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { augustConfig, proposedConfig } from "../../../helpers/chain/august-configs.js";
import { type ChainData, describeWithChain } from "../../../helpers/test-data.js";
import { rebuild } from "./rebuild.js";

const typed = Object.keys(configTypes).map(Number) as ConfigNumber[];

/** All configurations in the test data: bare dictionaries, and those of proven and full masterchain states. */
function configurations(chain: ChainData): Map<string, ConfigDictionary> {
  const found = new Map<string, ConfigDictionary>();
  for (const entry of chain.where({ kind: "config_dictionary" }))
    found.set(entry.file, decode(ConfigParams, parseBocRoot(entry.read())).config.value);
  const proofs = chain.where({ kind: "merkle_proof/shard_state", workchain: -1 });
  for (const entry of proofs.filter(({ raw }) => String(raw["note"]).startsWith("config_proof")))
    found.set(entry.file, configOf(openMerkleProof(parseBocRoot(entry.read()))));
  const zero = chain.one({ kind: "shard_state", workchain: -1, seqno: 0 });
  found.set(zero.file, configOf(parseBocRoot(zero.read())));
  return found;
}

function configOf(state: Cell): ConfigDictionary {
  return decode(ShardStateUnsplit, state).custom!.value.config.config.value;
}

describeWithChain("configurations of the real networks", (chain) => {
  const all = configurations(chain);

  test.each([...all])("every typed parameter of %s is encoded to the same cells", (_file, config) => {
    let count = 0;
    for (const number of typed) {
      const cell = config.get(number);
      if (!cell) continue;
      const type = configTypes[number] as Codec<unknown>;
      expect(rebuild(type, cell)).toMatchObject({ differences: [] });
      expect(encodeConfigParam(number, configParam(config, number)!).hashHex()).toBe(cell.hashHex());
      count++;
    }
    expect(count).toBeGreaterThan(20);
  });

  test.each(chain.where({ kind: "config_dictionary" }).map((entry) => [entry.file, entry] as const))(
    "%s has the parameters the index states",
    (_file, entry) => {
      const root = parseBocRoot(entry.read());
      const { configAddr, config } = decode(ConfigParams, root);
      const set = configParam(config.value, 34)!;
      const { version, capabilities } = configParam(config.value, 8)!;
      const params = [...config.value.entries()];
      expect({
        form: entry.facts["form"],
        config_addr: bytesToHex(configAddr),
        params: params.map(([number]) => number),
        count: params.length,
        global_version: { version, capabilities: capabilities.toString() },
        validators: {
          since: set.utimeSince,
          until: set.utimeUntil,
          total: set.total,
          main: set.main,
          weight: totalWeight(set).toString(),
        },
        param_hashes: Object.fromEntries(params.map(([number, cell]) => [number, cell.hashHex()])),
      }).toEqual(entry.facts);
      // Not rebuilt from its entries: one file comes from a library that chooses other labels.
      expect(encode(ConfigParams, decode(ConfigParams, root)).hashHex()).toBe(root.hashHex());
    },
  );

  test("the consensus of both chains and the registry of validators are those of August 2026", () => {
    for (const network of ["mainnet", "testnet"]) {
      const { mc, shard } = configParam(decode(ConfigDictionary, augustConfig(chain, network)), 30)!;
      for (const [settings, protocolVersion] of [
        [mc, 0],
        [shard, 1],
      ] as const) {
        if (settings?.value.kind !== "v2") throw new Error("not the second version");
        const { noncriticalParams, ...fields } = settings.value;
        expect(fields).toMatchObject({ flags: 0, protocolVersion, useQuic: true, slotsPerLeaderWindow: 4 });
        expect([...noncriticalParams.entries()]).toEqual([
          [0, 400],
          [1, 700],
          [13, 300],
        ]);
      }
    }
    const testnet = decode(ConfigDictionary, augustConfig(chain, "testnet"));
    const { contractAddress, ...registry } = configParam(testnet, 46)!;
    expect(bytesToHex(contractAddress).slice(0, 8)).toBe("9234809b");
    expect(registry).toEqual({ maxCollatorsPerValidator: 5, newCodeHash: undefined });
  });

  test("parameters are read as they were proposed in autumn 2026", () => {
    const before = decode(ConfigDictionary, augustConfig(chain, "mainnet"));
    const config = decode(ConfigDictionary, proposedConfig(augustConfig(chain, "mainnet")));
    expect(configParam(config, 29)).toEqual({ ...configParam(before, 29), maxBlockBytes: 4_194_304 });
    const { mc, shard } = configParam(config, 30)!;
    for (const settings of [mc, shard]) {
      // flags:(## 5) protocol_version:(## 2) use_quic:Bool, behind the tag
      expect([...settings!.cell.parse().loadBytes(2)]).toEqual([0x22, 0b00000_10_1]);
      expect(settings!.value).toMatchObject({ kind: "v2", flags: 0, protocolVersion: 2, useQuic: true });
    }
    const keys = (params: ConfigDictionary) => [...configParam(params, 31)!.keys()].map(bytesToHex);
    const registry = bytesToHex(configParam(config, 46)!.contractAddress);
    expect(keys(config)).toEqual([...keys(before), registry].sort());
    expect(keys(config)).toHaveLength(9);
    expect([configParam(before, 46), configParam(config, 46)!.maxCollatorsPerValidator]).toEqual([
      undefined,
      4,
    ]);
  });

  // The output of another decoder, which names fields differently but keeps their order: the leaf values must be equal.
  test.each(chain.where({ kind: "decoded_config_json" }).map((entry) => [entry.file, entry] as const))(
    "the parameters in %s have the same values as ours",
    (_file, entry) => {
      // Weights exceed the precision of JSON numbers.
      const text = new TextDecoder().decode(entry.read()).replaceAll(/: (\d{16,})/g, ': "$1"');
      const expected = JSON.parse(text);
      // The validators identify the configuration.
      const validators = sorted(expectedLeaves(expected.ConfigParam34)).join();
      const config = [...all.values()].find(
        (each) => sorted(leaves(configParam(each, 34))).join() === validators,
      )!;
      let compared = 0;
      for (const number of typed) {
        const decoded = expected[`ConfigParam${number}`];
        if (!decoded) continue;
        expect({ number, values: sorted(leaves(configParam(config, number))) }).toEqual({
          number,
          values: sorted(expectedLeaves(decoded)),
        });
        compared++;
      }
      expect(compared).toBeGreaterThan(20);
    },
  );
});

/** All values of a decoded parameter as text, including dictionary keys. */
function leaves(value: unknown): string[] {
  if (value === undefined) return [];
  if (value instanceof Uint8Array) return [bytesToHex(value)];
  if (value instanceof CellOf) return leaves(value.value);
  if (value instanceof Dictionary)
    return [...value.entries()].flatMap(([key, member]) => [
      ...leaves(key),
      ...(member === true ? [] : leaves(member)),
    ]);
  if (typeof value !== "object" || value === null) return [scalar(value)];
  if ("workchain" in value && "hash" in value) return [`${value.workchain}:${leaves(value.hash)[0]}`];
  // The other decoder's scheme predates this flag.
  return Object.entries(value)
    .filter(([name]) => name !== "kind" && name !== "useQuic")
    .flatMap(([, member]) => leaves(member));
}

function expectedLeaves(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [scalar(value)];
  // For types with several constructors it also lists the other ones, empty.
  if ("SumType" in value) return expectedLeaves((value as Record<string, unknown>)[String(value.SumType)]);
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === "Magic") return [];
    const isName = /^[A-Z][A-Za-z0-9]*$/.test(name) && !/^[0-9A-F]{64}$/.test(name);
    return [...(isName ? [] : [scalar(name)]), ...expectedLeaves(member)];
  });
}

/** Numbers as unsigned, as the other decoder writes them; flags as 0 and 1. */
function scalar(value: unknown): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  const text = String(value);
  return /^-\d+$/.test(text) ? BigInt.asUintN(32, BigInt(text)).toString() : text;
}

function sorted(values: string[]): string[] {
  return values.sort();
}
