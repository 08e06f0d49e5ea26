import { afterEach, describe, expect, it, vi } from "vitest";
import { AnswerNames } from "../../../server/web/explorer/actions/answer-names.js";
import { ton } from "../../../server/web/explorer/parts/amount.js";
import { stepsOf } from "../../../server/web/explorer/trace/steps.js";
import { emptyTable } from "../../../server/web/explorer/trace/table.js";
import { explorerPage } from "../../../server/web/pages/shells/explorer-shell.js";
import { english } from "../../../shared/text/english/english.js";
import { ton as tons } from "../../../shared/text/phrase.js";
import { textOf } from "../../../shared/text/phrase-text.js";
import { drawnSteps, madeTrace } from "../../helpers/made-trace.js";

/** As in a page of the explorer of a network. */
function inPageOf(network: string): void {
  const [, shown] = /<body data-network="([^"]*)"/.exec(explorerPage({ network, isIndexed: true }))!;
  vi.stubGlobal("document", { body: { dataset: { network: shown } } });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each([
  ["mainnet", "GRAM"],
  ["testnet", "TON"],
  ["devnet", "TON"],
])("The explorer of %s calls the coin %s", (network, coin) => {
  const steps = stepsOf(madeTrace({ children: [{ message: { value: "1500000000" } }] }), 10);
  const names = new AnswerNames({});

  it("in amounts and in sentences", () => {
    inPageOf(network);
    expect(ton(1_500_000_000n).text).toContain(`1.5 <span class="unit">${coin}</span>`);
    expect(textOf([tons("1500000000"), " left"], names, english)).toBe(`1.5 ${coin} left`);
  });

  it("in traces, as a picture and as a table", () => {
    inPageOf(network);
    expect(drawnSteps(steps, names)).toContain(`1.5 ${coin}`);
    expect(emptyTable().text).toContain(`Value, ${coin}`);
  });
});
