import { createHash, randomBytes } from "node:crypto";
import { Address, beginCell, Cell } from "@ton/core";
import { describe, expect, it } from "vitest";
import { readBag } from "../../../client/values/bag-of-cells.js";
import { meanRate, ratesOf } from "../../../server/web/explorer/charts/rate-chart.js";
import { knownMethod, methodId, methodsAt } from "../../../server/web/explorer/get-methods/known-methods.js";
import { readInput } from "../../../server/web/explorer/get-methods/stack-values.js";
import { amountText } from "../../../server/web/explorer/parts/amount.js";
import { decimalShard, hexShard } from "../../../server/web/explorer/parts/block-id.js";
import { type BlockRow, isIdle, runsOf } from "../../../server/web/explorer/parts/block-rows.js";
import { bagOf, hashCell, hexOfBits } from "../../../server/web/explorer/parts/cells.js";
import { Names } from "../../../server/web/explorer/parts/names.js";
import { sha256 } from "../../../server/web/explorer/parts/sha256.js";
import { claimedText } from "../../../server/web/explorer/parts/text.js";
import { jettonAmount } from "../../../server/web/explorer/parts/tokens.js";
import { matchPath, pathsOf } from "../../../server/web/pages/explorer-paths.js";
import { methodId as serverMethodId } from "../../../shared/ton/tvm/method-id.js";

describe("paths of the explorer", () => {
  it("have the texts at their colons, unescaped", () => {
    const paths = pathsOf("mainnet");
    expect(matchPath("/domain/%D1%8F.ton", paths)).toEqual({
      pattern: "/domain/:name",
      params: { name: "я.ton" },
    });
    expect(matchPath("/block/-1/8000000000000000/7", paths)?.params).toEqual({
      workchain: "-1",
      shard: "8000000000000000",
      seqno: "7",
    });
    expect(matchPath("/domain/%", paths)?.params).toEqual({ name: "%" });
    for (const path of ["/account/", "/account/a/b", "/devnet", "//", "/accounts"])
      expect([path, matchPath(path, paths)]).toEqual([path, undefined]);
    expect(matchPath("/devnet", pathsOf("devnet"))?.pattern).toBe("/devnet");
  });
});

describe("amounts", () => {
  it("are exact", () => {
    expect(amountText("1234567890123456789", 9)).toBe("1,234,567,890.123456789");
    expect(amountText(-1n, 9)).toBe("−0.000000001");
    expect(amountText("1500000000", 9)).toBe("1.5");
    expect(amountText(0, 9)).toBe("0");
    expect(amountText("7", 0)).toBe("7");
  });

  it("accept any values that contracts claim", () => {
    expect(amountText("5", 1e9)).toBe("5");
    expect(amountText("5", Number.NaN)).toBe("5");
    expect(amountText(`<b>${"9".repeat(500)}`, 9)).toHaveLength(80);
    const master = `0:${"A".repeat(64)}`;
    const info = { type: "jetton_masters", symbol: `<b>\u202e${"X".repeat(99)}`, extra: { decimals: "ten" } };
    const shown = jettonAmount("1000", master, { [master]: { is_indexed: true, token_info: [info] } }).text;
    expect(shown).toContain("1,000");
    expect(shown).toContain("&lt;b&gt;\ufffd");
    expect(shown).not.toContain("X".repeat(20));
  });
});

describe("text of others", () => {
  it("is cut, and has no characters that hide or turn around", () => {
    expect(claimedText("a\u202eb\u200bc\u0000d")).toBe("a\ufffdb\ufffdc\ufffdd");
    expect(claimedText("a\u3164b\u2800c\ufe00d")).toBe("a\ufffdb\ufffdc\ufffdd");
    expect(claimedText("I \u2764\ufe0f TON")).toBe("I \u2764\ufe0f TON");
    expect(claimedText("x".repeat(1000), 10)).toBe(`${"x".repeat(10)}…`);
  });
});

describe("cells", () => {
  it("are hashed as everywhere", () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 200]) {
      const bytes = randomBytes(length);
      expect(Buffer.from(sha256(bytes))).toEqual(createHash("sha256").update(bytes).digest());
    }
  });

  it("become bags of cells again, with all below them once", () => {
    const shared = beginCell().storeUint(5, 3).endCell();
    const inner = beginCell().storeBuffer(randomBytes(60)).storeRef(shared).endCell();
    let deep = beginCell().storeRef(inner).storeRef(shared).storeUint(1, 1).endCell();
    for (let i = 0; i < 300; i++)
      deep = beginCell().storeUint(i, 32).storeRef(deep).storeRef(shared).endCell();
    const root = readBag(deep.toBoc().toString("base64"));
    expect(Buffer.from(hashCell(root)!.hash)).toEqual(deep.hash());
    expect(hashCell(root)!.depth).toBe(deep.depth());
    const again = Cell.fromBase64(bagOf(root)!);
    expect(again.equals(deep)).toBe(true);
    expect(Cell.fromBase64(bagOf(root.refs[0]!)!).hash()).toEqual(deep.refs[0]!.hash());
  });

  it("show data of any length as Fift does", () => {
    expect(hexOfBits("")).toBe("");
    expect(hexOfBits("1")).toBe("c_");
    expect(hexOfBits("1010")).toBe("a");
    expect(hexOfBits("10101")).toBe("ac_");
    expect(hexOfBits("1111000")).toBe("f1_");
  });

  it("have no hash while they are part of a proof", () => {
    const pruned = { bits: "00000001", refs: [], special: true };
    expect(hashCell({ bits: "", refs: [pruned], special: false })).toBeUndefined();
    expect(bagOf(pruned)).toBeUndefined();
  });
});

describe("get-methods", () => {
  it("are found by the ids that the machine knows them by", () => {
    for (const name of ["seqno", "get_wallet_data", "get_jetton_data"])
      expect(methodId(name)).toBe(serverMethodId(name));
    const found = methodsAt([0, 97026, 99999]);
    expect(found).toEqual([knownMethod("get_wallet_data"), 99999]);
  });

  it("accept typed input", () => {
    expect(readInput("int", " -0x1F ")).toBe(-31n);
    expect(readInput("int", "12345678901234567890")).toBe(12345678901234567890n);
    expect(readInput("null", "")).toBeNull();
    const address = Address.parse(`-1:${"ab".repeat(32)}`);
    const { slice } = readInput("address", address.toString()) as { slice: string };
    expect(Cell.fromBase64(slice).beginParse().loadAddress().equals(address)).toBe(true);
    const cell = beginCell().storeUint(9, 9).endCell();
    expect(readInput("cell", cell.toBoc().toString("hex"))).toEqual({
      cell: cell.toBoc().toString("base64"),
    });
    for (const [kind, text] of [
      ["int", "1.5"],
      ["int", "9".repeat(90)],
      ["address", "nobody"],
      ["cell", "te6cc"],
      ["slice", ""],
    ] as const)
      expect(() => readInput(kind, text)).toThrow(/^(a|an) /);
  });
});

describe("blocks", () => {
  const row = (seqno: number, own: number, transactions: number): BlockRow => ({
    seqno,
    now: 0,
    ownTransactions: own,
    shards: [{ workchain: 0, shard: "8000000000000000", seqno, transactions }],
  });

  it("are idle if nothing but ticks happened, and then take one row together", () => {
    expect([row(1, 2, 0), row(1, 3, 0), row(1, 2, 1)].map(isIdle)).toEqual([true, false, false]);
    const rows = [row(9, 2, 0), row(8, 2, 5), row(7, 2, 0), row(6, 2, 0), row(5, 2, 0), row(4, 2, 1)];
    expect(runsOf(rows).map((run) => run.map(({ seqno }) => seqno))).toEqual([[9], [8], [7, 6, 5], [4]]);
  });

  it("have their shard in both forms of the interfaces", () => {
    for (const hex of ["8000000000000000", "6000000000000000", "a000000000000000"])
      expect(hexShard(decimalShard(hex))).toBe(hex);
    expect(decimalShard("8000000000000000")).toBe("-9223372036854775808");
  });

  it("count by time, not by block", () => {
    const counted = [
      { at: 100, many: 50 },
      { at: 102, many: 4 },
      { at: 104, many: 0 },
      { at: 110, many: 10 },
    ];
    // The content of the first block happened before the drawn period.
    expect(ratesOf(counted, 5)).toEqual([2, 0, 0, 0, 5]);
    expect(meanRate(counted)).toBe(1.4);
    expect(ratesOf(counted.slice(0, 1), 5)).toEqual([]);
    expect(meanRate([])).toBeUndefined();
  });
});

describe("names", () => {
  it("are those of the devnet first, and domains for others", () => {
    const [a, b] = [`0:${"a".repeat(64)}`, `0:${"b".repeat(64)}`];
    const names = new Names();
    names.set(a, { name: "Faucet", kind: "wallet" });
    names.learn({
      address_book: {
        [a.toUpperCase()]: { domain: "other.ton" },
        [b.toUpperCase()]: { domain: "b.ton" },
        broken: { domain: null },
      },
    });
    // Many answers have no address book.
    names.learn({});
    expect([names.of(a), names.of(Address.parse(b).toString()), names.of("broken")]).toEqual([
      "Faucet",
      "b.ton",
      undefined,
    ]);
  });
});
