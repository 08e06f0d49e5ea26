import { createHash } from "node:crypto";
import { Cell as CoreCell, beginCell as coreBuilder } from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { crc32c } from "../../../../../shared/ton/cells/boc/crc32c.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../../shared/ton/cells/cell.js";
import { readArchive } from "../../../../helpers/chain/archive.js";
import { isLong, sized } from "../../../../helpers/effort.js";
import { describeWithChain } from "../../../../helpers/test-data.js";
import { coreTree } from "../arbitrary.js";

describeWithChain("bags of cells of the real networks", (chain) => {
  // Written by a library that omits the levels of partial trees; the node refuses them as well.
  const refused = (entry: { raw: Readonly<Record<string, unknown>> }) =>
    JSON.stringify(entry.raw).includes("aug_dict_test.go");
  const bags = chain.entries.filter((entry) => entry.rootHash !== undefined && !refused(entry));

  const written = [{ index: true }, {}, { crc32: false }].slice(0, sized(1, 3));
  const chosen = bags.filter((entry) => isLong || entry.read().length < 500_000);

  test.each(chosen.map((entry) => [entry.file, entry] as const))(
    "%s has its root hash, and is written back to the same trees",
    (_file, entry) => {
      const roots = parseBoc(entry.read());
      expect(roots.length).toBe(entry.roots);
      expect(roots[0]!.hashHex()).toBe(entry.rootHash);
      for (const options of written) {
        const again = parseBoc(serializeBoc(roots, options));
        expect(again.map((root) => root.hashHex())).toEqual(roots.map((root) => root.hashHex()));
      }
    },
  );

  test("a bag whose cells have wrong levels is refused", () => {
    for (const entry of chain.entries.filter(refused))
      expect(() => parseBoc(entry.read())).toThrow("has a wrong level mask");
  });

  test("every bag of the replay of a block is parsed as @ton/core parses it", () => {
    const fixture = Buffer.from(chain.one({ kind: "replay_fixture" }).read()).toString();
    const bags = [...new Set(fixture.match(/"te6cc[\w+/]+=*"/g))].map((text) => Buffer.from(text, "base64"));
    for (const bag of bags.filter((_, at) => at % sized(6, 1) === 0))
      expect(parseBocRoot(bag).hashHex()).toBe(CoreCell.fromBoc(bag)[0]!.hash().toString("hex"));
    expect(bags.length).toBeGreaterThan(500);
  });

  test("every block and proof of the archive packages has its root hash, including level masks with gaps", () => {
    const gaps = new Set<number>();
    for (const pack of chain.where({ kind: "archive_pack" }))
      for (const entry of readArchive(pack.read())) {
        const root = parseBocRoot(entry.data);
        if (entry.kind === "block") {
          expect(root.hashHex().toUpperCase()).toBe(entry.rootHash);
          expect(createHash("sha256").update(entry.data).digest("hex").toUpperCase()).toBe(entry.fileHash);
        }
        forEachCell(root, (cell) => {
          if (cell.type === "pruned") gaps.add(cell.levelMask);
        });
      }
    expect([...gaps].sort()).toEqual([1, 2, 3]);
  });

  test("cells are serialized in the order of the node", () => {
    const packs = chain.where({ kind: "archive_pack", facts: { workchain: -1 } });
    const blocks = packs.flatMap((pack) => readArchive(pack.read())).filter(({ kind }) => kind === "block");
    expect(blocks.length).toBe(chain.newest);
    for (const { data } of blocks) {
      const written = serializeBoc(parseBocRoot(data));
      expect(contentOf(written)).toEqual(contentOf(data));
    }
  });
});

describe("bags of cells", () => {
  // Test data of TON Center's Python library; tonlib writes the same bytes.
  const walletV4R1 =
    "te6cckECFQEAAvUAART/APSkE/S88sgLAQIBIAIDAgFIBAUE+PKDCNcYINMf0x/THwL4I7vyY+1E0NMf0x/T//QE0VFDuvKhUVG68qIF+QFUEGT5EPKj+AAkpMjLH1JAyx9SMMv/UhD0AMntVPgPAdMHIcAAn2xRkyDXSpbTB9QC+wDoMOAhwAHjACHAAuMAAcADkTDjDQOkyMsfEssfy/8REhMUA+7QAdDTAwFxsJFb4CHXScEgkVvgAdMfIYIQcGx1Z70ighBibG5jvbAighBkc3RyvbCSXwPgAvpAMCD6RAHIygfL/8nQ7UTQgQFA1yH0BDBcgQEI9ApvoTGzkl8F4ATTP8glghBwbHVnupEx4w0kghBibG5juuMABAYHCAIBIAkKAFAB+gD0BDCCEHBsdWeDHrFwgBhQBcsFJ88WUAP6AvQAEstpyx9SEMs/AFL4J28ighBibG5jgx6xcIAYUAXLBSfPFiT6AhTLahPLH1Iwyz8B+gL0AACSghBkc3Ryuo41BIEBCPRZMO1E0IEBQNcgyAHPFvQAye1UghBkc3Rygx6xcIAYUATLBVjPFiL6AhLLassfyz+UEDRfBOLJgED7AAIBIAsMAFm9JCtvaiaECAoGuQ+gIYRw1AgIR6STfSmRDOaQPp/5g3gSgBt4EBSJhxWfMYQCAVgNDgARuMl+1E0NcLH4AD2ynftRNCBAUDXIfQEMALIygfL/8nQAYEBCPQKb6ExgAgEgDxAAGa3OdqJoQCBrkOuF/8AAGa8d9qJoQBBrkOuFj8AAbtIH+gDU1CL5AAXIygcVy//J0Hd0gBjIywXLAiLPFlAF+gIUy2sSzMzJcfsAyEAUgQEI9FHypwIAbIEBCNcYyFQgJYEBCPRR8qeCEG5vdGVwdIAYyMsFywJQBM8WghAF9eEA+gITy2oSyx/JcfsAAgBygQEI1xgwUgKBAQj0WfKn+CWCEGRzdHJwdIAYyMsFywJQBc8WghAF9eEA+gIUy2oTyx8Syz/Jc/sAAAr0AMntVEap808=";
  const walletV4R2 =
    "te6cckECFAEAAtQAART/APSkE/S88sgLAQIBIAIDAgFIBAUE+PKDCNcYINMf0x/THwL4I7vyZO1E0NMf0x/T//QE0VFDuvKhUVG68qIF+QFUEGT5EPKj+AAkpMjLH1JAyx9SMMv/UhD0AMntVPgPAdMHIcAAn2xRkyDXSpbTB9QC+wDoMOAhwAHjACHAAuMAAcADkTDjDQOkyMsfEssfy/8QERITAubQAdDTAyFxsJJfBOAi10nBIJJfBOAC0x8hghBwbHVnvSKCEGRzdHK9sJJfBeAD+kAwIPpEAcjKB8v/ydDtRNCBAUDXIfQEMFyBAQj0Cm+hMbOSXwfgBdM/yCWCEHBsdWe6kjgw4w0DghBkc3RyupJfBuMNBgcCASAICQB4AfoA9AQw+CdvIjBQCqEhvvLgUIIQcGx1Z4MesXCAGFAEywUmzxZY+gIZ9ADLaRfLH1Jgyz8gyYBA+wAGAIpQBIEBCPRZMO1E0IEBQNcgyAHPFvQAye1UAXKwjiOCEGRzdHKDHrFwgBhQBcsFUAPPFiP6AhPLassfyz/JgED7AJJfA+ICASAKCwBZvSQrb2omhAgKBrkPoCGEcNQICEekk30pkQzmkD6f+YN4EoAbeBAUiYcVnzGEAgFYDA0AEbjJftRNDXCx+AA9sp37UTQgQFA1yH0BDACyMoHy//J0AGBAQj0Cm+hMYAIBIA4PABmtznaiaEAga5Drhf/AABmvHfaiaEAQa5DrhY/AAG7SB/oA1NQi+QAFyMoHFcv/ydB3dIAYyMsFywIizxZQBfoCFMtrEszMyXP7AMhAFIEBCPRR8qcCAHCBAQjXGPoA0z/IVCBHgQEI9FHyp4IQbm90ZXB0gBjIywXLAlAGzxZQBPoCFMtqEssfyz/Jc/sAAgBsgQEI1xj6ANM/MFIkgQEI9Fnyp4IQZHN0cnB0gBjIywXLAlAFzxZQA/oCE8tqyx8Syz/Jc/sAAAr0AMntVGliJeU=";

  test.each([
    ["v4 r1", walletV4R1],
    ["v4 r2", walletV4R2],
  ])("the code of wallet %s is written byte for byte as tonlib writes it", (_name, code) => {
    const bytes = Buffer.from(code, "base64");
    const fromCore = CoreCell.fromBoc(bytes)[0]!.toBoc();
    expect(Buffer.from(fromCore).equals(bytes)).toBe(false);
    expect(Buffer.from(serializeBoc(parseBocRoot(fromCore))).toString("base64")).toBe(code);
  });

  test("any tree is parsed and serialized as by @ton/core", () => {
    fc.assert(
      fc.property(coreTree, fc.boolean(), fc.boolean(), (core, crc32, index) => {
        const ours = parseBocRoot(core.toBoc({ idx: index, crc32 }));
        expect(ours.hashHex()).toBe(core.hash().toString("hex"));
        expect(ours.depth()).toBe(core.depth());
        const back = CoreCell.fromBoc(Buffer.from(serializeBoc(ours, { crc32, index })));
        expect(back[0]!.equals(core)).toBe(true);
      }),
    );
  });

  test("the older headers are supported", () => {
    const core = coreBuilder().storeUint(5, 9).storeRef(coreBuilder().storeUint(1, 8).endCell()).endCell();
    const indexed = Buffer.from(core.toBoc({ idx: true, crc32: false }));
    // No flags and no root list: the only root is the first cell.
    const rest = indexed.subarray(5);
    const old = Buffer.concat([Buffer.from("68ff65f301", "hex"), rest.subarray(0, 5), rest.subarray(6)]);
    expect(parseBocRoot(old).hashHex()).toBe(core.hash().toString("hex"));
    const withCrc = Buffer.concat([Buffer.from("acc3a728", "hex"), old.subarray(4), Buffer.alloc(4)]);
    expect(() => parseBocRoot(withCrc)).toThrow("checksum mismatch");
    withCrc.writeUInt32LE(crc32c(withCrc.subarray(0, -4)), withCrc.length - 4);
    expect(parseBocRoot(withCrc).hashHex()).toBe(core.hash().toString("hex"));
  });

  test("several roots that share cells are written once and keep their order", () => {
    const shared = beginCell().storeUint(7, 32).endCell();
    const roots = [
      beginCell().storeRef(shared).endCell(),
      shared,
      beginCell().storeRef(shared).storeBit(true).endCell(),
    ];
    const bytes = serializeBoc(roots);
    expect(parseBoc(bytes).map((root) => root.hashHex())).toEqual(roots.map((root) => root.hashHex()));
    expect(bytes[6]).toBe(3);
    expect(() => parseBocRoot(bytes)).toThrow("3 roots instead of one");
  });

  test("parsed cells do not change when the caller reuses the bytes", () => {
    const bytes = serializeBoc(beginCell().storeUint(0xabcdef, 24).endCell());
    const root = parseBocRoot(bytes);
    bytes.fill(0);
    expect(root.parse().loadUint(24)).toBe(0xabcdef);
  });
});

function forEachCell(root: Cell, visit: (cell: Cell) => void, seen = new Set<Cell>()): void {
  if (seen.has(root)) return;
  seen.add(root);
  visit(root);
  for (const ref of root.refs) forEachCell(ref, visit, seen);
}

/** Data of the cells of a bag in file order, without stored hashes. */
function contentOf(bytes: Uint8Array): string[] {
  const view = Buffer.from(bytes);
  const refSize = view[4]! & 7;
  const offsetSize = view[5]!;
  const count = view.readUIntBE(6, refSize);
  const indexSize = view[4]! & 0x80 ? count * offsetSize : 0;
  let at = 6 + 4 * refSize + offsetSize + indexSize;
  const cells: string[] = [];
  for (let i = 0; i < count; i++) {
    const hashes = view[at]! & 0x10 ? 34 * (1 + [0, 1, 1, 2, 1, 2, 2, 3][view[at]! >> 5]!) : 0;
    const start = at + 2 + hashes;
    const end = start + ((view[at + 1]! + 1) >> 1) + (view[at]! & 7) * refSize;
    cells.push(`${view[at]! & ~0x10} ${view[at + 1]} ${view.subarray(start, end).toString("hex")}`);
    at = end;
  }
  return cells;
}
