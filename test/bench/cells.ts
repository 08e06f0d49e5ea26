import { Builder as CoreBuilder, Cell as CoreCell, Dictionary as CoreDictionary } from "@ton/core";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bytesKey, cellRef, Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import { testData } from "../helpers/test-data.js";
import type { Contender, Row, Suite } from "./harness.js";

export const suite: Suite = {
  title: "Cells (baseline: @ton/core)",
  rows: () => [...blockRows(), buildRow(), ...dictionaryRows()],
};

/** Units are blocks. */
function blockRows(): Row[] {
  const blocks =
    testData()
      .chain?.where({ kind: "block" })
      .map((entry) => Buffer.from(entry.read())) ?? [];
  if (blocks.length === 0) return [];
  const roots = blocks.map((bytes) => parseBocRoot(bytes));
  const coreRoots = blocks.map((bytes) => CoreCell.fromBoc(bytes)[0]!);
  const core = each(blocks, (bytes) => CoreCell.fromBoc(bytes));
  return [
    {
      title: "parse blocks, all hashes",
      ours: each(blocks, (bytes) => parseBocRoot(bytes).hash()),
      baseline: core,
      goal: { floor: 5, aim: 8 },
    },
    {
      title: "parse blocks, no hashes",
      ours: each(blocks, (bytes) => parseBocRoot(bytes, { verify: "later" })),
      baseline: core,
    },
    {
      title: "write blocks",
      ours: each(roots, serializeBoc),
      baseline: each(coreRoots, (root) => root.toBoc()),
    },
  ];
}

function each<T>(items: readonly T[], take: (item: T) => void): Contender {
  return () => {
    for (const item of items) take(item);
    return items.length;
  };
}

function buildRow(): Row {
  const data = Buffer.alloc(62, 7);
  return {
    title: "build and hash a cell of 70 bytes",
    ours: () => void beginCell().storeUint(5n, 64).storeBytes(data).endCell().hash(),
    baseline: () => void new CoreBuilder().storeUint(5n, 64).storeBuffer(data).endCell().hash(),
  };
}

/** Units are dictionaries. */
function dictionaryRows(): Row[] {
  const keys = Array.from({ length: 2000 }, (_, i) => beginCell().storeUint(i, 32).endCell().hash());
  const value = beginCell().storeUint(1, 64).endCell();
  const coreValue = new CoreBuilder().storeUint(1, 64).endCell();
  const empty = Dictionary.empty(bytesKey(32), cellRef);
  const full = empty.update(keys.map((key) => [key, value]));
  const core = CoreDictionary.empty(CoreDictionary.Keys.Buffer(32), CoreDictionary.Values.Cell());
  for (const key of keys) core.set(Buffer.from(key), coreValue);
  const changed = keys.filter((_, i) => i % 20 === 0);
  const rebuild = () => void new CoreBuilder().storeDict(core).endCell();
  return [
    {
      title: "dictionary of 2,000 keys, built",
      ours: () => void empty.update(keys.map((key) => [key, value])).root!.hash(),
      baseline: rebuild,
    },
    {
      title: "dictionary of 2,000 keys, 100 changed",
      ours: () => void full.update(changed.map((key) => [key, beginCell().endCell()])).root!.hash(),
      baseline: rebuild,
    },
  ];
}
