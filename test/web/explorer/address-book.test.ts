import { afterEach, describe, expect, it, vi } from "vitest";
import { AnswerNames } from "../../../server/web/explorer/actions/answer-names.js";
import { OwnNames } from "../../../server/web/explorer/address-book/own-names.js";
import { KnownNames } from "../../../server/web/explorer/known-names.js";
import { addressLink, friendlyOf } from "../../../server/web/explorer/parts/address.js";
import { accountOf } from "../../helpers/made-trace.js";

const [ann, ben] = [accountOf("A"), accountOf("B")];

function browser(stored: Record<string, string> = {}) {
  const kept = new Map(Object.entries(stored));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** The address book of a browser that keeps this. */
function bookOf(kept: Pick<Storage, "getItem" | "setItem"> = browser(), network = "devnet"): OwnNames {
  vi.stubGlobal("localStorage", kept);
  return new OwnNames(network);
}
afterEach(() => void vi.unstubAllGlobals());

describe("the address book", () => {
  it("keeps names by any form of an address, for its network alone", () => {
    const kept = browser();
    const own = bookOf(kept);
    expect(own.set(friendlyOf(ann)!, " Ann \n of the forest ")).toBeUndefined();
    expect(own.find(ann.toLowerCase())).toBe("Ann of the forest");
    expect(bookOf(kept).find(ann)).toBe("Ann of the forest");
    expect(bookOf(kept, "mainnet").find(ann)).toBeUndefined();
    own.set(ann, "");
    expect([own.find(ann), own.all()]).toEqual([undefined, []]);
    expect(own.set("nobody", "name")).toBe("This is no address.");
  });

  it("is saved to a file and read from one, without entries that are no names", () => {
    const own = bookOf();
    own.set(ann, "Ann");
    const other = bookOf();
    other.set(ben, "Ben");
    expect(other.importFile(own.exportFile())).toEqual({ taken: 1, skipped: 0 });
    expect(other.all()).toEqual([
      [ann, "Ann"],
      [ben, "Ben"],
    ]);
    const names = `{"__proto__":"x","${ann}":"\\u202e<img src=x>${"y".repeat(5000)}","${ben}":5,"constructor":{}}`;
    const file = `{"addressBook":1,"network":"devnet","names":${names}}`;
    expect(other.importFile(file)).toEqual({ taken: 1, skipped: 3 });
    expect(other.find(ann)).toMatch(/^\ufffd<img src=x>y{28}…$/);
  });

  it.each([
    ["[", "no JSON"],
    ["null", "no address book"],
    ['{"addressBook":1,"network":"mainnet","names":{}}', "names of mainnet, not of devnet"],
    ['{"addressBook":1,"network":"devnet","names":null}', "no address book"],
    [" ".repeat(1_000_001), "too large"],
  ])("refuses the file %#", (file, problem) => {
    expect(() => bookOf().importFile(file)).toThrow(problem);
  });

  it("has room for 1,000 names", () => {
    const own = bookOf();
    const names = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`0:${index.toString(16).padStart(64, "0")}`, "name"]),
    );
    const file = JSON.stringify({ addressBook: 1, network: "devnet", names });
    expect(own.importFile(file)).toEqual({ taken: 1000, skipped: 500 });
    expect(own.set(ann, "Ann")).toContain("room for 1,000 names");
    expect(own.set(`0:${"0".repeat(64)}`, "another")).toBeUndefined();
  });

  it("is empty where the browser keeps nothing, or something else", () => {
    for (const stored of ["[", "5", "null", '["a"]', '{"x":{"y":1}}'])
      expect(bookOf(browser({ "tonwire-address-book-devnet": stored })).all()).toEqual([]);
    const refuse = () => {
      throw new Error("SecurityError");
    };
    const closed = bookOf({ getItem: refuse, setItem: refuse });
    expect(closed.find(ann)).toBeUndefined();
    expect(closed.set(ann, "Ann")).toBe("The browser does not keep names for this page.");
  });

  it("comes before other names, and its names are marked", () => {
    const own = bookOf();
    const names = new KnownNames(() => Promise.reject(new Error("no devnet")), own);
    names.set(ann, { name: "Wallet 0", kind: "wallet" });
    expect(addressLink(ann, { names }).text).toContain('class="named"');
    own.set(ann, "My wallet");
    expect(names.find(ann)).toEqual({ name: "My wallet", kind: "wallet", isOwn: true });
    expect(addressLink(ann, { names }).text).toMatch(/class="named own".*>My wallet</);
    expect(names.all()[0]).toEqual([ann, { name: "My wallet", kind: "", isOwn: true }]);

    const info = { type: "jetton_wallets", extra: { jetton: accountOf("C"), owner: ann } };
    const metadata = { [ben]: { is_indexed: true, token_info: [info] } } as never;
    const answer = new AnswerNames({ metadata }, names);
    expect([answer.isOwn(ann), answer.isOwn(ben), answer.isOwn(accountOf("D"))]).toEqual([true, true, false]);
  });
});
