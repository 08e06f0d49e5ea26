import { afterEach, describe, expect, it, vi } from "vitest";
import { anchors } from "../../../../client/verified/anchors.js";
import { keepStart, keptStart, readBlock } from "../../../../server/web/explorer/verify/start-block.js";

const hex = (digit: string) => digit.repeat(64);
const shard = "-9223372036854775808";

/** A browser's storage, which may refuse. */
function stored(text: string | null = null, refuses = false) {
  const texts = new Map(text === null ? [] : [["tonwire-verify-start", text]]);
  const guarded = <T>(result: T) => {
    if (refuses) throw new DOMException("denied", "SecurityError");
    return result;
  };
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => guarded(texts.get(key) ?? null),
    setItem: (key: string, value: string) => guarded(void texts.set(key, value)),
    removeItem: (key: string) => guarded(void texts.delete(key)),
  });
}

describe("the start of proofs", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is that of the package for known networks, and none for others", () => {
    stored();
    expect(keptStart("mainnet")).toEqual({ block: anchors.mainnet.start, givenBy: "package" });
    expect(keptStart("testnet")).toEqual({ block: anchors.testnet.start, givenBy: "package" });
    expect(keptStart("devnet")).toBeUndefined();
    expect(keptStart("toString")).toBeUndefined();
  });

  it("is kept until it is forgotten", () => {
    stored();
    const block = { workchain: -1, shard, seqno: 0, root_hash: hex("a"), file_hash: hex("b") };
    keepStart({ block, givenBy: "service", since: 5 });
    expect(keptStart("devnet")).toEqual({ block, givenBy: "service", since: 5 });
    keepStart(undefined);
    expect(keptStart("devnet")).toBeUndefined();
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    `{"givenBy":"service"}`,
    `{"givenBy":"package","block":{"seqno":0,"root_hash":"${hex("a")}","file_hash":"${hex("b")}"}}`,
    `{"givenBy":"user","block":{"seqno":-1,"root_hash":"${hex("a")}","file_hash":"${hex("b")}"}}`,
    `{"givenBy":"user","block":{"seqno":1,"root_hash":"aa","file_hash":"${hex("b")}"}}`,
  ])("is not taken from a damaged storage: %s", (text) => {
    stored(text);
    expect(keptStart("devnet")).toBeUndefined();
  });

  it("is that of the package where the browser denies its storage", () => {
    stored(null, true);
    expect(() => keepStart(undefined)).not.toThrow();
    expect(keptStart("mainnet")?.givenBy).toBe("package");
  });

  it("is read in the forms of liteservers and of API v2", () => {
    const block = { workchain: -1, shard, seqno: 5, root_hash: hex("A"), file_hash: hex("B") };
    expect(readBlock(` (-1,8000000000000000,5):${hex("A")}:${hex("B")} `)).toEqual(block);
    expect(readBlock(JSON.stringify({ ...block, "@type": "ton.blockIdExt" }))).toEqual(block);
  });

  it.each([
    "",
    "5",
    `(0,8000000000000000,5):${hex("A")}:${hex("B")}`,
    `(-1,8000000000000000,99999999999):${hex("A")}:${hex("B")}`,
    `(-1,8000000000000000,5):${hex("A")}`,
    `(-1,8000000000000000,4294967296):${hex("A")}:${hex("B")}`,
  ])("is no block: %s", (text) => {
    expect(readBlock(text)).toBeUndefined();
  });
});
