import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../../../shared/ton/abi/tolk.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { bytesToHex, hexToBytes } from "../../../../shared/values/bytes.js";
import { MadeTypes } from "../../../helpers/abi/made-abi.js";

const zeroAccount = `0:${"0".repeat(64)}`;
const hashOf = (boc: string) => bytesToHex(parseBocRoot(hexToBytes(boc)!).hash());

/** Storage of this type, written by Acton (commit 5535f119f) with @ton/tolk-abi-to-typescript. */
function holds(coder: AbiCoder, boc: string, json: unknown): void {
  expect(coder.readStorage(parseBocRoot(hexToBytes(boc)!))).toEqual(json);
  expect(bytesToHex(coder.writeStorage(json).hash())).toBe(hashOf(boc));
}

function coderOf(types: MadeTypes, storage: number): AbiCoder {
  return new AbiCoder(readTolkAbi(types.abi({ storage: { storage_ty_idx: storage } })));
}

describe("cells that another implementation wrote", () => {
  const types = new MadeTypes();
  const [int32, uint32, bool, coins] = [
    { kind: "intN", n: 32 },
    { kind: "uintN", n: 32 },
    { kind: "bool" },
    { kind: "coins" },
  ].map((type) => types.type(type)) as [number, number, number, number];
  const address = types.type({ kind: "address" });
  const scalars = types.struct("ScalarFields", {
    count: int32,
    enabled: bool,
    recipient: address,
    tonAmount: coins,
    maybeAddress: types.type({ kind: "addressOpt" }),
    maybeCount: types.type({ kind: "nullable", inner_ty_idx: int32 }),
  });
  const counter = types.type({ kind: "AliasRef", alias_name: "CounterAlias" });
  types.declarations.push({ kind: "alias", name: "CounterAlias", ty_idx: counter, target_ty_idx: int32 });
  const nested = types.struct("NestedStruct", { summary: scalars, counterAlias: counter });
  const summary = {
    count: "7",
    enabled: true,
    recipient: zeroAccount,
    tonAmount: "1250000000",
    maybeAddress: null,
    maybeCount: "42",
  };
  const array = types.type({ kind: "arrayOf", inner_ty_idx: scalars });
  const byBatch = types.type({ kind: "mapKV", key_ty_idx: uint32, value_ty_idx: array });

  test("a nested structure", () => {
    holds(
      coderOf(types, nested),
      "b5ee9c7241010101003500006500000007c00000000000000000000000000000000000000000000000000000000000000000044a817c80200000054000000c7048b94bef",
      { summary, counterAlias: "99" },
    );
  });

  test("a map of coins", () => {
    const map = types.type({ kind: "mapKV", key_ty_idx: uint32, value_ty_idx: coins });
    holds(
      coderOf(types, map),
      "b5ee9c7241010401001a000101c0010203cec00203000b650ee6b28020000bf20773594040d1f0d12b",
      { "1": "1000000000", "7": "250000000" },
    );
  });

  test("a map by addresses", () => {
    const map = types.type({
      kind: "mapKV",
      key_ty_idx: address,
      value_ty_idx: types.type({ kind: "cell" }),
    });
    const read = coderOf(types, map).readStorage(
      parseBocRoot(
        hexToBytes(
          "b5ee9c7241010301002d000101c0010145a170000000000000000000000000000000000000000000000000000000000000000002020002ab006d2d49",
        )!,
      ),
    );
    expect(read).toEqual({ [zeroAccount]: "te6ccgEBAQEAAwAAAqs=" });
  });

  test("arrays in arrays of maps", () => {
    const all = types.struct("ComplexCollections", {
      records: array,
      recordsByBatch: byBatch,
      nestedBatches: types.type({ kind: "arrayOf", inner_ty_idx: byBatch }),
    });
    holds(
      coderOf(types, all),
      "b5ee9c7241010501005100030501c070040102010da00000000101c00401016003010da00000000701c004005d00000003e00000000000000000000000000000000000000000000000000000000000000000022540be4010000002a8731a6238",
      { records: [summary], recordsByBatch: { "1": [summary] }, nestedBatches: [{ "7": [summary] }] },
    );
  });

  test("an array, a list and a tuple", () => {
    const collections = types.struct("CollectionFields", {
      array: types.type({ kind: "arrayOf", inner_ty_idx: int32 }),
      list: types.type({ kind: "lispListOf", inner_ty_idx: bool }),
      tuple: types.type({ kind: "shapedTuple", items_ty_idx: [int32, bool, address] }),
    });
    const coder = coderOf(types, collections);
    // One item per cell; ours has as many as fit. Contracts read both.
    const written =
      "b5ee9c7241010801005000024d0380000005e00000000000000000000000000000000000000000000000000000000000000000040104010980000000c0020109800000014003000900000001c00101c005010140060101c0070000fb8c4442";
    const json = { array: ["1", "2", "3"], list: [true, false, true], tuple: ["11", true, zeroAccount] };
    expect(coder.readStorage(parseBocRoot(hexToBytes(written)!))).toEqual(json);
    expect(coder.readStorage(coder.writeStorage(json))).toEqual(json);
  });

  test("a union of null and a structure", () => {
    const union = types.type({
      kind: "union",
      variants: [types.type({ kind: "nullLiteral" }), scalars].map((variant, prefix) => ({
        variant_ty_idx: variant,
        prefix_num: prefix,
        prefix_len: 1,
        is_prefix_implicit: true,
      })),
    });
    holds(coderOf(types, union), "b5ee9c7241010101000300000140f6d24034", null);
    holds(
      coderOf(types, union),
      "b5ee9c7241010101003100005d80000003e00000000000000000000000000000000000000000000000000000000000000000022540be4010000002a83569693d",
      { "@type": "ScalarFields", ...summary },
    );
  });

  test("external addresses and none", () => {
    holds(
      coderOf(types, types.type({ kind: "addressExt" })),
      "b5ee9c7241010101000500000541001021550755",
      "00",
    );
    holds(coderOf(types, types.type({ kind: "addressAny" })), "b5ee9c724101010100030000012094418655", null);
  });
});

const folder = join(process.env["TONWIRE_TEST_DATA"] ?? "", "abi");
const isRecorded = process.env["TONWIRE_TEST_DATA"] !== undefined && existsSync(join(folder, "index.json"));

describe.skipIf(!isRecorded)(
  "output of Tolk 1.4.2 (skipped without the recorded data in TONWIRE_TEST_DATA)",
  () => {
    const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));

    test("a counter's messages and storage", () => {
      const coder = new AbiCoder(readTolkAbi(read("counter.abi.json")));
      expect(coder.abi).toMatchObject({ contract: "Counter", compiler: "tolk 1.4.2" });
      const body = beginCell().storeUint(1, 32).storeInt(-5, 32).endCell();
      expect(coder.readBody(body, ["incoming"])).toEqual({ message: "Increment", fields: { value: "-5" } });
      expect(coder.writeBody("incoming", "Increment", { value: -5 }).hash()).toEqual(body.hash());
      expect(coder.readStorage(beginCell().storeInt(7, 32).endCell())).toEqual({ counter: "7" });
      expect(coder.opcodeName(1, ["incoming"])).toBe("Increment");
    });

    test("a get-method", () => {
      const coder = new AbiCoder(readTolkAbi(read("from-types.abi.json")));
      const method = coder.getMethod(117_456)!;
      expect(method.name).toBe("currentCounter");
      expect(coder.readResult(method, [{ type: "int", value: 42n }])).toBe("42");
      expect(coder.readResult(method, [])).toBeUndefined();
    });

    test("an empty contract, beside its code and source map", () => {
      const { abi } = read("simple.artifact.json");
      expect(readTolkAbi(abi).types).toHaveLength(12);
    });
  },
);
