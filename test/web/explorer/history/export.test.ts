import { describe, expect, it } from "vitest";
import type { Action } from "../../../../client/api.js";
import { csvHeader, csvOf } from "../../../../server/web/explorer/history/export.js";

const hash = Buffer.alloc(32, 1).toString("base64");
const account = `0:${"AB".repeat(32)}`;

function action(more: Partial<Action> & { text: string }): Action {
  const fields = { trace_id: hash, action_id: hash, end_utime: 1_700_000_000, end_lt: "7", success: true };
  return { type: "jetton_transfer", details: {}, ...fields, ...more } as Action;
}

const preview = (values: readonly object[]) =>
  ({ icon: "transfer", title: "", values, accounts: [{ account, role: "sender", name: null }] }) as never;

describe("actions as CSV", () => {
  it("have a line for each amount, which is exact", () => {
    const values = [
      { role: "amount", amount: "123456789012345678901", asset: account, symbol: "A", decimals: 9, text: "" },
      { role: "value", amount: "5", asset: null, symbol: "TON", decimals: null, text: "" },
    ];
    const lines = csvOf([action({ text: "Sent", preview: preview(values) })]).split("\r\n");
    expect(lines).toHaveLength(3);
    const names = csvHeader.trim().split(",");
    const first = Object.fromEntries(names.map((name, at) => [name, lines[0]!.split(",")[at]]));
    expect(first).toMatchObject({
      time: "2023-11-14T22:13:20.000Z",
      type: "jetton_transfer",
      success: "true",
      text: "Sent",
      amount: "123456789012.345678901",
      trace: "01".repeat(32),
      lt: "7",
    });
    expect(lines[1]!.split(",").slice(4, 8)).toEqual(["value", "5", "TON", ""]);
  });

  it("have one line without an amount", () => {
    expect(csvOf([action({ text: "Called", success: null })])).toBe(
      `2023-11-14T22:13:20.000Z,jetton_transfer,,Called,,,,,,${"01".repeat(32)},${"01".repeat(32)},7\r\n`,
    );
  });

  it.each(["=1+1", "+1", "-1+1", "@SUM(A1)", "\tx", '=HYPERLINK("a")', 'a"b', "a,b", "a\nb"])(
    "keep %j text in a spreadsheet",
    (symbol) => {
      const values = [{ role: "amount", amount: "1", asset: null, symbol, decimals: 0, text: "" }];
      const [, , , , , , cell] = cellsOf(csvOf([action({ text: "t", preview: preview(values) })]));
      expect(cell).toBe(/^[=+\-@\t]/.test(symbol) ? `'${symbol}` : symbol);
    },
  );
});

/** Cells of the first line, as a reader of CSV has them. */
function cellsOf(csv: string): string[] {
  const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r]*))(?:,|\r\n)/g)];
  return cells.map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain);
}
