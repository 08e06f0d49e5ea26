import { describe, expect, it } from "vitest";
import { AnswerNames } from "../../../server/web/explorer/actions/answer-names.js";
import { markupOf } from "../../../server/web/explorer/actions/phrase-text.js";
import { Names } from "../../../server/web/explorer/parts/names.js";
import {
  itemName,
  jettonAmount,
  type Metadata,
  tokenName,
  tokenPageOf,
} from "../../../server/web/explorer/parts/tokens.js";
import { Address } from "../../../shared/values/address.js";

const master = `0:${"A".repeat(64)}`;
const friendly = Address.read(master)!.address.toFriendly();
const about = (info: object): Metadata => ({
  [master]: { is_indexed: true, token_info: [{ type: "jetton_masters", ...info }] },
});
const amountOf = (metadata: Metadata) =>
  jettonAmount("1019148000000000", master, metadata).text.replace(/<[^>]*>/g, "");

describe("amounts of jettons", () => {
  it("have decimals, nine if the metadata state none", () => {
    expect(amountOf(about({ symbol: "ACORN" }))).toBe("1,019,148 ACORN");
    expect(amountOf(about({ symbol: "ACORN", extra: { decimals: 6 } }))).toBe("1,019,148,000 ACORN");
    expect(amountOf(about({ symbol: "ACORN", extra: { decimals: "0" } }))).toBe(
      "1,019,148,000,000,000 ACORN",
    );
  });

  it("are called units if the decimals are unknown or cannot be used", () => {
    const units = "1,019,148,000,000,000 units of";
    for (const decimals of ["300", "-1", "ten", 1e300, "0x9"])
      expect(amountOf(about({ symbol: "ACORN", extra: { decimals } }))).toBe(`${units} ACORN`);
    expect(amountOf({})).toBe(`${units} ${friendly.slice(0, 6)}…${friendly.slice(-4)}`);
  });

  it("are shown multiplied beside those of the chain, if the jetton has a multiplier", () => {
    const scaled_ui = { numerator: "3", denominator: "2" };
    expect(amountOf(about({ symbol: "ACORN", extra: { scaled_ui } }))).toBe(
      "1,528,722 ACORN (1,019,148 on chain)",
    );
    expect(amountOf(about({ symbol: "ACORN", extra: { scaled_ui: "3" } }))).toBe("1,019,148 ACORN");
  });

  it("do not pass for the coin", () => {
    expect(amountOf(about({ symbol: "T0N" }))).toMatch(/ T0N$/);
    expect(amountOf(about({ symbol: "TON" }))).toMatch(/ TON \(.*…/);
  });
});

describe("names of tokens", () => {
  it("are never blank, so that a link has a text", () => {
    expect(tokenName({ name: " \n", symbol: "SYM" }, "Jetton")).toBe("SYM");
    expect(tokenName({ name: "", symbol: "" }, "Jetton")).toBe("Jetton");
    expect(tokenName(undefined, "Jetton")).toBe("Jetton");
  });

  it("of items are their domain, their name or their number", () => {
    const item = { address: master, content: {}, index: "7" };
    const named = { [master]: { is_indexed: true, token_info: [{ type: "nft_items", name: "Oak" }] } };
    const names = new Names();
    expect(itemName({ ...item, content: { domain: "oak.ton" } }, named, names)).toBe("oak.ton");
    expect(itemName(item, named, names)).toBe("Oak");
    expect(itemName(item, {}, names)).toBe("Item 7");
    expect(itemName({ ...item, index: "9".repeat(77) }, {}, names)).toBe("Item");
    names.set(master, { name: "Tree 7", kind: "nft_item" });
    expect(itemName(item, {}, names)).toBe("Tree 7");
  });
});

describe("pages of tokens", () => {
  it("follow from the interfaces of their contracts", () => {
    const paths: [string, string | undefined][] = [
      ["jetton_master", `/jetton/${friendly}`],
      ["jetton_wallet", undefined],
      ["nft_collection", `/collection/${friendly}`],
      ["nft_item_simple", `/nft/${friendly}`],
      ["nft_sale_getgems_v3", undefined],
      ["dns_item", `/nft/${friendly}`],
      ["dns_root", undefined],
      ["telemint_item", `/nft/${friendly}`],
      ["wallet_v4r2", undefined],
    ];
    expect(paths.map(([kind]) => [kind, tokenPageOf(["editable", kind])?.path(friendly)])).toEqual(paths);
    expect(tokenPageOf([])).toBe(undefined);
  });

  it("are where accounts and amounts of a sentence lead", () => {
    const book = { [master]: { user_friendly: friendly, domain: null, interfaces: ["jetton_master"] } };
    const names = new AnswerNames({ address_book: book, metadata: about({ symbol: `"><b>` }) });
    const { text } = markupOf(
      [
        { kind: "account", address: master },
        { kind: "amount", units: 5n, asset: { master } },
        { kind: "amount", units: 5n, asset: "coin" },
      ],
      names,
    );
    expect(text.match(new RegExp(`href="/jetton/${friendly}"`, "g"))).toHaveLength(2);
    expect(text).not.toContain("<b>");
  });
});
