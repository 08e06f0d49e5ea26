import { describe, expect, test } from "vitest";
import type { ReportedBlock, TraceReport } from "../../server/inspect/report.js";
import { traceText } from "../../server/inspect/text/trace-text.js";
import { account } from "../helpers/index/made-trace.js";
import { actionOf, type MadeStep, reportOf } from "./made-report.js";

const unstyled = { columns: undefined, hasColour: false };
const textOf = (report: TraceReport) => traceText(report, "TON", unstyled);

/** The lines below a title, up to the next one. */
function section(report: TraceReport, title: string): string[] {
  const lines = textOf(report);
  const from = lines.indexOf(title) + 1;
  if (from === 0) return [];
  const to = lines.indexOf("", from);
  return lines.slice(from, to === -1 ? lines.length : to);
}

/** The short form of a test account; without an address book it is of the raw address. */
const short = (name: string) => `${account(name).slice(0, 6)}…${account(name).slice(-6)}`;
const friendlyBook = (name: string, special: object) => ({
  [account(name)]: { user_friendly: null, domain: null, interfaces: [], ...special },
});
const jetton = (symbol: string, extra: Record<string, unknown>) => ({
  [account("master")]: {
    is_indexed: true,
    token_info: [{ valid: true, type: "jetton_masters", symbol, extra }],
  },
});
const wallet = (name: string) => ({
  [account(name)]: {
    is_indexed: true,
    token_info: [{ valid: true, type: "jetton_wallets", extra: { jetton: account("master") } }],
  },
});

test("The failures of a trace are sentences, with the numbers of their transactions", () => {
  const failures = [{ transaction: "tx 2", text: "B has no code.\u202e Deploy it." }];
  const report = reportOf({ to: "a", sends: [{ to: "b" }] }, { failures });
  expect(section(report, "Failures")).toEqual(["  #2 B has no code.\\u{202e} Deploy it."]);
  expect(section(reportOf({ to: "a" }), "Failures")).toEqual([]);
});

describe("The tree of a trace", () => {
  test("has a numbered line for each transaction, in the order of its lines, with value and name", () => {
    const report = reportOf({
      to: "a",
      sends: [
        {
          to: "b",
          value: "1500000000",
          opcode: "0x00000001",
          // Several protocols share it.
          decoded: { "@type": "evaa_supply_master,pyth_update_guardian_set" },
          sends: [{ to: "d", value: "5" }],
        },
        { to: "c", opcode: "0x0f8a7ea5", decoded: { "@type": "jetton_transfer" } },
        { to: undefined, opcode: "0x9c610de3" },
      ],
    });
    expect(section(report, "Transactions")).toEqual([
      `#1 ${short("a")} from outside ok`,
      `├─ #2 ${short("b")} 1.5 TON 0x00000001 ok`,
      `│  └─ #3 ${short("d")} 0.000000005 TON ok`,
      `├─ #4 ${short("c")} 1 TON jetton_transfer 0x0f8a7ea5 ok`,
      "└─ log 0x9c610de3",
    ]);
    expect(traceText(report, "GRAM", unstyled)).toContain(`├─ #2 ${short("b")} 1.5 GRAM 0x00000001 ok`);
    expect(section(report, "Hashes")).toEqual([
      "  #1 tx 1 lt 1000",
      "  #2 tx 2 lt 1001",
      "  #3 tx 4 lt 1003",
      "  #4 tx 3 lt 1002",
    ]);
  });

  test("shows the outcome of transactions and the messages in transit", () => {
    const ended = (description: object): MadeStep => ({
      to: "b",
      received: { description: { type: "ord", ...description } },
    });
    const skipped = { skipped: true, reason: "no_gas" };
    const run = { skipped: false, success: false, exit_code: 709 };
    const report = reportOf({
      to: "a",
      sends: [
        ended({ aborted: true, compute_ph: skipped, bounce: { type: "nofunds" } }),
        ended({ aborted: true, compute_ph: skipped }),
        ended({ aborted: true, compute_ph: run }),
        ended({
          aborted: true,
          compute_ph: { ...run, success: true, exit_code: 0 },
          action: { success: false, result_code: 37 },
        }),
        { to: "c", bounced: true, received: { orig_status: "uninit", end_status: "active" } },
        { to: "d", received: undefined },
      ],
    });
    const [, ...lines] = section(report, "Transactions");
    expect(lines.slice(0, 5).map((line) => line.split("TON ")[1])).toEqual([
      "not run: no_gas failed",
      "received without being run: no_gas ok",
      "exit code 709 failed",
      "action result 37 (there are not enough coins for a message) failed",
      "bounced uninit → active ok",
    ]);
    expect(lines[5]).toBe(`└─ not received yet to ${short("d")} 1 TON`);
  });

  test("explains exit codes as the contract that ended with them defines them", () => {
    const failed = (account: string, code: number): MadeStep => {
      const run: object = { skipped: false, success: false, exit_code: code };
      const description: object = { type: "ord", aborted: true, compute_ph: run };
      return { to: account, received: { description } as MadeStep["received"] };
    };
    const report = reportOf(
      {
        to: "a",
        sends: [failed("b", 709), failed("c", 709), failed("c", 33), failed("b", 33), failed("b", 13)],
      },
      {
        address_book: {
          ...friendlyBook("b", { interfaces: ["jetton_wallet"] }),
          ...friendlyBook("c", { interfaces: ["wallet_v4r2"] }),
        },
      },
    );
    const [, ...lines] = section(report, "Transactions");
    expect(lines.map((line) => line.split("TON ")[1])).toEqual([
      "exit code 709 (too few coins) failed",
      "exit code 709 failed",
      "exit code 33 (the contract expects another sequence number: too old seqno, or one too new) failed",
      "exit code 33 failed",
      "exit code 13 (out of gas) failed",
    ]);
  });

  test("shows decoded bodies, with amounts in units of the wallet's jetton", () => {
    const decoded = {
      "@type": "jetton_transfer",
      query_id: "0",
      amount: "1230",
      destination: account("c"),
      custom_payload: null,
      forward_ton_amount: "20000000",
      forward_payload: { "@type": "text_comment", text: "hello world" },
    };
    const report = reportOf(
      {
        to: "a",
        sends: [
          { to: "w", decoded },
          { to: "x", decoded: { ...decoded, forward_payload: null } },
        ],
      },
      {
        address_book: friendlyBook("w", { interfaces: ["jetton_wallet"], domain: "wallet.ton" }),
        metadata: { ...wallet("w"), ...jetton("TEST", { decimals: "2" }) },
      },
    );
    expect(section(report, "Transactions")).toEqual([
      `#1 ${short("a")} from outside ok`,
      `├─ #2 ${short("w")} wallet.ton, TEST, jetton_wallet 1 TON jetton_transfer ok`,
      `│       query_id 0  amount 12.3 TEST  destination ${short("c")}  forward_ton_amount 0.02 TON  forward_payload {text_comment, text "hello world"}`,
      `└─ #3 ${short("x")} 1 TON jetton_transfer ok`,
      `        query_id 0  amount 1230  destination ${short("c")}  forward_ton_amount 0.02 TON`,
    ]);
    expect(section(report, "Accounts")).toContain(
      `  ${short("w")} ${account("w")} wallet.ton, TEST, jetton_wallet`,
    );
  });

  test("shows amounts of a jetton with a display multiplier multiplied, and as they are on the chain", () => {
    const decoded = { "@type": "jetton_burn", query_id: "0", amount: "1230", response_destination: null };
    const scaled_ui = { numerator: "3", denominator: "2" };
    const report = reportOf(
      { to: "w", decoded },
      { metadata: { ...wallet("w"), ...jetton("TEST", { decimals: "2", scaled_ui }) } },
    );
    expect(section(report, "Transactions").join()).toContain("amount 18.45 TEST (12.3 on chain)");
  });

  test("shows nothing of a chain that a terminal would obey", () => {
    const evil = "\u001b[2J\u0007\n\u202eevil\u009b1m\u200b\u3164";
    const report = reportOf(
      { to: "a", decoded: { "@type": evil, [evil]: evil, comment: evil } },
      {
        address_book: friendlyBook("a", { domain: evil, interfaces: [evil] }),
        metadata: { ...wallet("a"), ...jetton(evil, { decimals: evil }) },
        actions: [
          actionOf("1", {
            details: { asset: account("master"), amount: "5", comment: evil, [evil]: [evil] },
          }),
        ],
        warning: evil,
      },
    );
    const text = textOf(report).join("\n");
    expect(text).toContain("evil");
    // Only line ends separate the lines.
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u200b\u3164]/u);
    expect(text.split("\n")).toEqual(textOf(report));
  });

  test("leaves room for the text however deep it is", () => {
    let step: MadeStep = { to: "z" };
    for (let depth = 0; depth < 3000; depth++) step = { to: "a", sends: [step] };
    const lines = section(reportOf(step), "Transactions");
    expect(lines).toHaveLength(3001);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100);
    expect(lines.at(-1)).toContain(`#3001 ${short("z")} 1 TON ok`);
  });
});

describe("The actions of a trace", () => {
  test("stand with their parts, their transactions by number and amounts in units", () => {
    const swap = {
      dex: "stonfi",
      asset_in: account("master"),
      asset_out: null,
      dex_incoming_transfer: { asset: account("master"), amount: "250", source: account("a") },
      dex_outgoing_transfer: { asset: null, amount: "2500000000" },
      peer_swaps: [],
    };
    const report = reportOf(
      { to: "a", sends: [{ to: "b", sends: [{ to: "c" }] }, { to: "d" }] },
      {
        metadata: jetton("TEST", { decimals: "2" }),
        actions: [
          actionOf("swap", { type: "jetton_swap", transactions: ["tx 1", "tx 2", "tx 4"], details: swap }),
          actionOf("in", {
            type: "jetton_transfer",
            parent: "swap",
            transactions: ["tx 2"],
            details: { asset: account("unknown"), amount: "3", comment: null, is_encrypted_comment: false },
          }),
          actionOf("gift", {
            transactions: ["tx 3"],
            success: false,
            details: { value: "1", comment: "two words" },
          }),
        ],
      },
    );
    expect(section(report, "Actions")).toEqual([
      "  A1 jetton_swap ok #1-#3",
      `     dex stonfi  asset_in ${short("master")}`,
      `     dex_incoming_transfer {amount 2.5 TEST, asset ${short("master")}, source ${short("a")}}`,
      "     dex_outgoing_transfer {amount 2.5 TON}",
      "    A1.1 jetton_transfer ok #2",
      `         asset ${short("unknown")}  amount 3 units of ${short("unknown")}  is_encrypted_comment false`,
      "  A2 ton_transfer failed #4",
      '     value 0.000000001 TON  comment "two words"',
    ]);
  });

  test("are not there yet while messages are on their way", () => {
    const { trace_info } = reportOf({ to: "a" });
    const pending = { ...trace_info, trace_state: "pending", pending_messages: 2 } as const;
    const report = reportOf({ to: "a" }, { trace_info: pending });
    expect(section(report, "Actions")).toEqual(["  none: they are derived when the trace is complete"]);
    expect(textOf(report)[2]).toBe(
      "pending, 1 transactions, 2 messages not received yet, masterchain blocks 7 to 9, from 2023-11-14T22:13:20Z",
    );
    const failed = reportOf({ to: "a" }, { trace_info: { ...trace_info, classification_state: "failed" } });
    expect(section(failed, "Actions")).toEqual(["  none; classification: failed"]);
  });
});

describe("The explanation of a trace", () => {
  const block = (id: number, special: Partial<ReportedBlock>): ReportedBlock => ({
    id,
    kind: "call_contract",
    opcode: null,
    is_log: false,
    transactions: [`tx ${id + 1}`],
    is_composite: false,
    action_id: null,
    part_of: null,
    pattern: null,
    refusals: [],
    ...special,
  });
  const steps: MadeStep = { to: "a", sends: [{ to: "b", sends: [{ to: "c" }, { to: undefined }] }] };
  const explained = (blocks: ReportedBlock[], more: object = {}) =>
    reportOf(steps, {
      actions: [actionOf("swap", { type: "jetton_swap" })],
      explanation: { state: "ok", error: null, differs_from_index: false, blocks, ...more },
    });

  test("names for each block the pattern that took it, or the condition that failed", () => {
    const report = explained([
      block(0, {}),
      block(1, {
        opcode: "0x00000001",
        part_of: 4,
        pattern: "swap",
        refusals: [
          { pattern: "mint", reason: "no block after it is 0x00000009", at: 2, candidates: [3, 2] },
          { pattern: "burn", reason: "the jetton wallet is unknown", at: 1, candidates: [] },
        ],
      }),
      block(2, { kind: "ton_transfer", part_of: 4, pattern: "swap" }),
      block(3, { opcode: "0x00000002", is_log: true, transactions: ["tx 2"] }),
      block(4, {
        kind: "jetton_swap",
        is_composite: true,
        transactions: ["tx 2", "tx 3"],
        action_id: "swap",
        part_of: 5,
      }),
      block(5, { kind: "deposit", is_composite: true, transactions: ["tx 2", "tx 3"] }),
    ]);
    expect(section(report, "Blocks")).toEqual([
      "  #1 call_contract: part of no other block",
      "  #2 0x00000001: taken by swap, part of B1 jetton_swap",
      "      mint did not match: no block after it is 0x00000009, at #3 ton_transfer; there: log of #2 0x00000002, #3 ton_transfer",
      "      burn did not match: the jetton wallet is unknown",
      "  log of #2 0x00000002: part of no other block",
      "  #3 ton_transfer: taken by swap, part of B1 jetton_swap",
      "  B1 jetton_swap of #2-#3, action A1: joined into B2 deposit after all patterns",
      "  B2 deposit of #2-#3: part of no other block",
    ]);
  });

  test("explains why a trace has unexpected actions", () => {
    const failed = explained([], {
      state: "failed",
      error: "Error: two actions are x",
      differs_from_index: true,
    });
    expect(section(failed, "Blocks")).toEqual([
      "  The trace could not be classified, its messages stand for it: Error: two actions are x",
      "  The index has other actions: contracts have changed since, or another version derived them.",
    ]);
    const { trace_info, ...late } = explained([], { differs_from_index: true });
    const unclassified = { ...trace_info, classification_state: "unclassified" } as const;
    expect(section({ ...late, trace_info: unclassified }, "Blocks")).toEqual([
      "  The index has not classified the trace yet.",
    ]);
    expect(section(explained([], { state: "broken" }), "Blocks")).toEqual([
      "  A pattern marked the trace as broken.",
    ]);
  });
});

describe("The text of a trace", () => {
  const report = reportOf(
    { to: "a", sends: [{ to: "b", opcode: "0x00000001" }] },
    { actions: [actionOf("1", { details: { comment: "x".repeat(60), dex: "y".repeat(60) } })] },
  );

  test("fits the terminal", () => {
    for (const columns of [20, 40, 80]) {
      const lines = traceText(report, "TON", { columns, hasColour: false });
      expect(Math.max(...lines.map((line) => [...line].length))).toBe(columns);
      expect(lines.some((line) => line.endsWith("…"))).toBe(true);
    }
    expect(textOf(report).join("\n")).not.toMatch(/…$/m);
  });

  test("has colours only if they are wanted, and is the same otherwise", () => {
    const coloured = traceText(report, "TON", { columns: undefined, hasColour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours
    expect(coloured.map((line) => line.replaceAll(/\u001b\[\d+m/g, "").trimEnd())).toEqual(textOf(report));
    expect(coloured.join("")).toContain("\u001b[32mok\u001b[0m");
    expect(textOf(report).join("")).not.toContain("\u001b");
  });
});
