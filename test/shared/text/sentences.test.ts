import { describe, expect, it, test } from "vitest";
import type { MetadataEntry } from "../../../client/api.js";
import { classify } from "../../../server/indexer/actions/classify.js";
import { traceOfRows } from "../../../server/indexer/actions/trace-of-rows.js";
import { actionRows } from "../../../server/indexer/classify/action-rows.js";
import { presentAction } from "../../../server/present/v3/action.js";
import { AnswerNames as PageNames } from "../../../server/web/explorer/actions/answer-names.js";
import { markupOf } from "../../../server/web/explorer/actions/phrase-text.js";
import { Names } from "../../../server/web/explorer/parts/names.js";
import { type Action, type ActionType, actionTypes } from "../../../shared/schema/v3/actions.js";
import { AnswerNames, type Extras } from "../../../shared/text/answer-names.js";
import { english } from "../../../shared/text/english/english.js";
import { membersOf } from "../../../shared/text/members.js";
import type { Part, Phrase } from "../../../shared/text/phrase.js";
import { textOf } from "../../../shared/text/phrase-text.js";
import { type SpokenAction, sentenceOf } from "../../../shared/text/sentence.js";
import { actionsOfConstructed, constructedActions } from "../../helpers/index/constructed-actions.js";
import { contractsOf, goldenCase, rowsOf } from "../../helpers/index/golden-case.js";
import { describeWithTraces } from "../../helpers/test-data.js";

const [alice, bob, master] = ["A", "B", "C"].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
];

const token = (symbol: string, decimals: unknown): MetadataEntry => ({
  is_indexed: true,
  token_info: [{ valid: true, type: "jetton_masters", symbol, extra: { decimals: decimals as string } }],
});

function namesOf(metadata: Extras["metadata"] = {}): AnswerNames {
  const known = new Names();
  known.set(alice, { name: "Alice", kind: "wallet" });
  known.set(bob, { name: "Bob", kind: "wallet" });
  return new AnswerNames({ metadata }, { known });
}

const spoken = (type: string, details: object): SpokenAction => ({
  type,
  details,
  success: true,
  transactions: ["first", "second"],
});

/** The sentence about an action of Alice and Bob. */
function sentence(type: string, details: object, { metadata = {} as Extras["metadata"] } = {}) {
  return textOf(sentenceOf(spoken(type, details), english), namesOf(metadata), english);
}

const transfer = {
  sender: alice,
  receiver: bob,
  asset: master,
  amount: "1234567890123456789012345678",
  comment: null,
};

describe("Sentences about actions", () => {
  it("show amounts beyond the precision of numbers exactly", () => {
    const metadata = { [master]: token("BIG", 9) };
    expect(sentence("jetton_transfer", transfer, { metadata })).toBe(
      "Alice sent 1,234,567,890,123,456,789.012345678 BIG to Bob",
    );
  });

  it("show smallest units of jettons whose decimals are not known, or absurd", () => {
    const units = "Alice sent 1,234,567,890,123,456,789,012,345,678 units of ";
    expect(sentence("jetton_transfer", transfer)).toBe(`${units}EQDMzM…zDA5 to Bob`);
    for (const decimals of [255, "1e1", -1, {}, "9".repeat(400)])
      expect(sentence("jetton_transfer", transfer, { metadata: { [master]: token("ODD", decimals) } })).toBe(
        `${units}ODD to Bob`,
      );
  });

  it("distinguish a jetton that calls itself TON or GRAM from the coin", () => {
    for (const symbol of ["TON", "ton", "T\u200bON", "ＴＯＮ", "$TON", "GRAM", "gram"]) {
      const text = sentence("jetton_transfer", transfer, { metadata: { [master]: token(symbol, 9) } });
      expect(text).toMatch(/ \(EQ\w{4}….{4}\) to Bob$/);
    }
  });

  it("bound untrusted texts, on one line, without marks that reverse it", () => {
    const comment = `\u202Eevil\n\n${"Z\u0301\u0302\u0303\u0304\u0305".repeat(5000)}`;
    const metadata = { [master]: token("<b>\u202E".repeat(1000), 9) };
    const text = sentence("jetton_transfer", { ...transfer, comment }, { metadata });
    expect(text.length).toBeLessThan(800);
    expect(text).not.toMatch(/[\u202E\n]|\p{M}{3}/u);
    expect(text).toContain("saying “\ufffdevil ");
    const markup = markupOf(
      sentenceOf(spoken("jetton_transfer", { ...transfer, comment }), english),
      new PageNames({ metadata }),
    ).text;
    expect(markup).not.toContain("<b>");
    expect(markup).toContain("&lt;b&gt;");
  });

  it("describe unknown types truthfully", () => {
    expect(sentence("moon_landing", { source: alice, receiver: bob, crew: 3 })).toBe(
      "Moon landing by Alice to Bob, in 2 transactions",
    );
    expect(sentence("toString", {})).toBe("ToString, in 2 transactions");
    expect(sentence("jetton_swap", { sender: alice })).toBe("Jetton swap by Alice, in 2 transactions");
    expect(sentence("ton_transfer", { source: alice, destination: bob, value: "much" })).toBe(
      "Ton transfer by Alice to Bob, in 2 transactions",
    );
  });

  it("name unknown amounts and accounts as such", () => {
    expect(sentence("ton_transfer", { source: null, destination: bob, value: null })).toBe(
      "An unknown account sent an unknown amount of TON to Bob",
    );
  });
});

const partsOf = <Kind extends Part["kind"]>(phrase: Phrase, kind: Kind) =>
  phrase.filter(
    (part): part is Extract<Part, { kind: Kind }> => typeof part === "object" && part.kind === kind,
  );

describeWithTraces("Sentences about recorded and constructed actions", (cases) => {
  const recorded = cases.flatMap((each) => {
    const golden = goldenCase(each);
    return classify(traceOfRows(rowsOf(golden)), contractsOf(golden)).actions;
  });
  const constructed = Object.values(constructedActions).flatMap(actionsOfConstructed);
  const actions: readonly Action[] = actionRows([...recorded, ...constructed]).map((row) =>
    presentAction(row, { accounts: false }),
  );

  test.each(actionTypes)("are whole, and exact in amounts: %s", (type: ActionType) => {
    const ofType = actions.filter((action) => action.type === type);
    expect(ofType.length).toBeGreaterThan(0);
    // Members that no action has would never be shown. Outbid lots name a marketplace only if the operator does.
    const members = new Set(type === "auction_outbid" ? ["marketplace"] : []);
    for (const { details } of ofType)
      for (const name of Object.keys(membersOf(type, details))) members.add(name);
    const wanted = [...english.sentences[type].matchAll(/[{?"](\w+)|:(?!TON)(\w+)/g)].map(
      ([, name, master]) => name ?? master!,
    );
    expect(wanted.filter((name) => !members.has(name))).toEqual([]);
    for (const action of ofType) {
      const phrase = sentenceOf(action, english);
      const text = textOf(phrase, new AnswerNames({}), english);
      expect(text).toMatch(/^(Failed: )?\S.{10,}$/);
      expect(text).not.toMatch(/undefined|null|NaN|\[object|\bin \d+ transactions?$| {2}/);
      expect(phrase.filter((part) => typeof part === "string").join("")).not.toMatch(/[{}[\]]/);
      const details = JSON.stringify(action.details);
      for (const { address } of partsOf(phrase, "account")) expect(details).toContain(`"${address}"`);
      for (const part of partsOf(phrase, "amount")) {
        if (part.units === undefined) continue;
        expect(details).toContain(`"${part.units}"`);
        const shown = textOf([part], new AnswerNames({}), english).replaceAll(",", "");
        const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))? /.exec(shown)!;
        const decimals = part.asset === "coin" ? 9 : 0;
        expect(BigInt(whole! + fraction.padEnd(decimals, "0"))).toBe(part.units);
      }
    }
  });
});
