import { describe, expect, it } from "vitest";
import { actionText, english, failureHint, type Language, messageText } from "../../../client/text/index.js";
import {
  type MessageStatus,
  messageStatus,
  type TraceFailure,
} from "../../../shared/schema/v3/message-status.js";
import { preview } from "../../../shared/schema/v3/texts.js";

const [ann, ben, master] = ["A", "B", "C"].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
];
const known = {
  find: (address: string) =>
    address === ann
      ? { name: "Ann", kind: "wallet" }
      : address === ben
        ? { name: "Ben", kind: "wallet" }
        : undefined,
};
const hash = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";

const transfer = {
  type: "jetton_transfer",
  success: true,
  transactions: [hash],
  details: { sender: ann, receiver: ben, asset: master, amount: "1234500", comment: "tea" },
};
const metadata = {
  [master]: {
    is_indexed: true,
    token_info: [{ valid: true, type: "jetton_masters" as const, symbol: "ACORN", extra: { decimals: "3" } }],
  },
};

const german: Language = {
  ...english,
  locale: "de",
  sentences: {
    ...english.sentences,
    jetton_transfer: '{receiver} hat von {sender} {amount:asset} erhalten[, mit den Worten {"comment"}]',
  },
  titles: { ...english.titles, jetton_transfer: "Jetton-Überweisung" },
  words: { ...english.words, quotes: ["„", "“"], failed: "Fehlgeschlagen: {sentence}[ – {reason}]" },
  failures: { ...english.failures, of: "{account} {what} ab", "compute.threw": "brach mit {exit}" },
};

const failure: TraceFailure = {
  account: master,
  hash,
  lt: "7",
  interfaces: [],
  source: null,
  value: null,
  opcode: "0x0f8a7ea5",
  operation: "jetton_transfer",
  phase: "compute",
  exit_code: 706,
  exit_name: "not_enough",
  exit_meaning: "Not enough jettons.",
  skipped_reason: null,
  gas_used: null,
  became: null,
  debt: null,
  failed_action: null,
  skipped_actions: 0,
  bounce: null,
  refund: null,
};

describe("A text of an action", () => {
  it("comes with its parts", () => {
    const { text, preview: parts } = actionText(transfer, { known, metadata });
    expect(text).toBe("Ann sent 1,234.5 ACORN to Ben, saying “tea”");
    expect(parts).toEqual({
      icon: "transfer",
      title: "Jetton transfer",
      values: [
        {
          role: "amount",
          amount: "1234500",
          asset: master,
          symbol: "ACORN",
          decimals: 3,
          text: "1,234.5 ACORN",
        },
      ],
      accounts: [
        { account: ann, role: "sender", name: "Ann" },
        { account: ben, role: "receiver", name: "Ben" },
      ],
    });
  });

  it("prefers the name that a devnet's developer gave to an account", () => {
    const entry = { user_friendly: null, domain: "ann.ton", interfaces: [] };
    const named = (address_book: Record<string, typeof entry & { name?: string }>) =>
      actionText(transfer, { known, metadata, address_book }).preview.accounts.map(({ name }) => name);
    expect(named({ [ann]: { ...entry, name: "Till" }, [ben]: entry })).toEqual(["Till", "Ben"]);
    expect(named({ [ann]: entry })).toEqual(["Ann", "Ben"]);
  });

  it("is written in the language of the caller, whose order of words it has", () => {
    const { text, preview: parts } = actionText(transfer, { known, metadata, language: german });
    expect([text, parts.title]).toEqual([
      "Ben hat von Ann 1.234,5 ACORN erhalten, mit den Worten „tea“",
      "Jetton-Überweisung",
    ]);
    const failed = { ...transfer, success: false, failure };
    expect(actionText(failed, { known, metadata, language: german }).text).toMatch(
      /^Fehlgeschlagen: Ben hat .* – ACORN brach mit exit code 706 \(not enough jettons\) ab$/,
    );
  });

  it("has both amounts of a jetton that multiplies them for display", () => {
    const info = metadata[master]!.token_info[0]!;
    const of = (scaled_ui: { numerator: string; denominator: string }, decimals = "3") => ({
      [master]: { is_indexed: true, token_info: [{ ...info, extra: { decimals, scaled_ui } }] },
    });
    const multiplier = { numerator: "10", denominator: "3" };
    const { text, preview: parts } = actionText(transfer, { known, metadata: of(multiplier) });
    expect(text).toBe("Ann sent 4,115 ACORN (1,234.5 on chain) to Ben, saying “tea”");
    expect(parts.values).toEqual([
      {
        role: "amount",
        amount: "1234500",
        asset: master,
        symbol: "ACORN",
        decimals: 3,
        text: "4,115 ACORN (1,234.5 on chain)",
      },
    ]);
    const textOf = (extra: ReturnType<typeof of>) =>
      actionText(transfer, { known, metadata: extra }).preview.values[0]!.text;
    expect(textOf(of(multiplier, "none"))).toBe("4,115,000 units of ACORN (1,234,500 on chain)");
    const most = String(2n ** 256n - 1n);
    for (const [numerator, denominator] of [
      ["1", "1"],
      [most, "1"],
      ["0", "1"],
    ] as const)
      expect(textOf(of({ numerator, denominator }))).toBe("1,234.5 ACORN");
  });

  it("names the coin of the network", () => {
    const action = {
      ...transfer,
      type: "ton_transfer",
      details: { source: ann, destination: ben, value: "1000000000" },
    };
    expect(actionText(action, { known }).text).toBe("Ann sent 1 TON to Ben");
    expect(actionText(action, { known, network: "mainnet" }).text).toBe("Ann sent 1 GRAM to Ben");
  });

  it("shows an opcode as its number: several protocols may use it", () => {
    const details = { source: ann, destination: ben, value: "1", opcode: "0x00000001" };
    expect(actionText({ ...transfer, type: "call_contract", details }, { known }).text).toBe(
      "Ann called Ben with opcode 0x00000001, sending 0.000000001 TON",
    );
    // The body of a deployment need not begin with an opcode.
    expect(actionText({ ...transfer, type: "contract_deploy", details }, { known }).text).toBe(
      "Ann deployed Ben with 0.000000001 TON",
    );
  });

  it("says of a bounced message that it came back", () => {
    for (const opcode of ["0xffffffff", "0xfffffffe"]) {
      const details = { source: ann, destination: ben, value: "990000000", opcode };
      expect(actionText({ ...transfer, type: "call_contract", details }, { known }).text).toBe(
        "Ann returned a message to Ben, with 0.99 TON",
      );
    }
  });

  it("bounds hostile names, symbols and comments, and keeps their characters from other text", () => {
    // Controls, direction, invisible, halves of characters, stacked marks.
    const evil = `\u0000\u001b[31m\u202e\u2066\u200b\ud800\r\n${"Z\u0301\u0302\u0303\u0304".repeat(4000)}`;
    const extras = {
      address_book: { [ann]: { user_friendly: null, domain: evil, interfaces: [] } },
      metadata: {
        [master]: {
          is_indexed: true,
          token_info: [
            { valid: true, type: "jetton_masters" as const, symbol: evil, extra: { decimals: evil } },
          ],
        },
      },
    };
    const details = { ...transfer.details, comment: evil };
    const found = actionText({ ...transfer, details }, extras);
    expect(preview.parse(found.preview)).toEqual(found.preview);
    const texts = [found.text, found.preview.values[0]!.symbol, found.preview.accounts[0]!.name!];
    for (const text of texts) {
      expect(text.length).toBeLessThan(1000);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|\p{M}{3}/u);
    }
    const unknown = actionText({ ...transfer, type: `x\u202e${"y".repeat(10_000)}`, details: {} });
    expect(unknown.text.length).toBeLessThan(200);
    expect(unknown.preview.title).not.toContain("\u202e");
  });
});

describe("A text of a failed transaction", () => {
  const textOf = (changes: Partial<TraceFailure>) =>
    actionText(
      { ...transfer, success: false, failure: { ...failure, account: ben, ...changes } },
      { known, metadata },
    )
      .text.split("; ")
      .at(-1);

  const none = { exit_code: null, exit_name: null, exit_meaning: null };
  const action = { number: 0, account: null, value: null, available: null };
  const source = { contract: "Shop", trust: "own", by: "code" } as const;
  const named = { exit_code: 1234, exit_name: "ERR_SOLD", exit_source: source };
  const gas: Partial<TraceFailure> = { exit_code: -14, exit_name: "out-of-gas", gas_used: "1000000" };
  const unknown = { exit_code: 65535, exit_name: "unknown-operation" };
  const coins = { phase: "action" as const, exit_code: 37, exit_name: "x", exit_meaning: "Too few coins." };

  it.each<[Partial<TraceFailure>, text: string, hint: string]>([
    [{}, "stopped with exit code 706 (not enough jettons)", ""],
    [{ exit_meaning: null }, "stopped with exit code 706", ""],
    [{ ...named, exit_meaning: "It was sold." }, "stopped with ERR_SOLD (1234): It was sold", ""],
    [
      { ...named, exit_name: "1234", exit_meaning: "It was sold." },
      "stopped with exit code 1234 (it was sold)",
      "",
    ],
    [unknown, "does not know the operation jetton_transfer", ""],
    [
      { ...unknown, operation: null, operations: ["Buy", "Sell"] },
      "does not know the operation 0x0f8a7ea5",
      "It knows Buy and Sell.",
    ],
    [
      gas,
      "used all of its 1,000,000 gas",
      "Attach more coins for gas, or look for a loop that does not end.",
    ],
    [
      { ...gas, source: ann, needed: "250000000" },
      "used all of its 1,000,000 gas",
      "Attach about 0.25 TON: with this value nothing failed in a trial.",
    ],
    [
      { exit_code: 9, library: hash },
      `has a library for its code that is not on the chain, ${hash}`,
      "Publish the library in the masterchain.",
    ],
    [
      { ...none, skipped_reason: "no_state" },
      "has no code",
      "Deploy the contract first, or send the message to another address.",
    ],
    [
      { ...none, skipped_reason: "bad_state" },
      "was not run: the code and data that came with the message make another address",
      "Compare code, data, libraries and workchain with those that the address was made of.",
    ],
    [
      { ...none, skipped_reason: "no_gas", value: "1" },
      "was not run: 0.000000001 TON did not buy the gas",
      "Attach more coins.",
    ],
    [
      { ...none, skipped_reason: "no_gas" },
      "was not run: its balance did not buy the gas",
      "Attach more coins.",
    ],
    [{ ...none, skipped_reason: "suspended" }, "is suspended", english.hints["skipped.suspended"]],
    [
      { ...none, phase: "credit", debt: "5" },
      "lost the value of the message to its debt, of which 0.000000005 TON are left",
      "Pay the debt: attach 0.000000005 TON more.",
    ],
    [
      { ...none, phase: "storage", became: "frozen", debt: "2000000000" },
      "was frozen for its debt of 2 TON",
      english.hints["storage"],
    ],
    [{ ...none, phase: "storage" }, "was frozen or deleted for its debt", english.hints["storage"]],
    [
      { phase: "action", exit_code: 34, exit_meaning: null, failed_action: action },
      "ordered an invalid action, number 0: exit code 34",
      english.hints["action.list"],
    ],
    [coins, "could not send a message: exit code 37 (too few coins)", english.hints["action.funds"]],
    [
      { ...coins, failed_action: { number: 0, account: ann, value: "3000000000", available: "1" } },
      "could not send 3 TON to Ann, as 0.000000001 TON were there: exit code 37 (too few coins)",
      english.hints["action.funds"],
    ],
    [
      { ...coins, needed: "1" },
      "could not send a message: exit code 37 (too few coins)",
      "Let the account have about 0.000000001 TON: with this balance nothing failed in a trial.",
    ],
    [
      { phase: "action", exit_code: 36, exit_meaning: null, failed_action: { ...action, account: ann } },
      "failed to perform an action, number 0, for Ann: exit code 36",
      english.hints["action.other"],
    ],
    [
      { ...none, phase: "action", exit_code: 0, skipped_actions: 2 },
      "left out 2 actions that failed",
      english.hints["action.leftOut"],
    ],
    [none, "failed", ""],
    [{ ...none, refund: { account: ann, value: "7" } }, "failed", "0.000000007 TON came back to Ann."],
    [{ ...none, bounce: "nofunds" }, "failed", "Nothing came back: too little of the value was left."],
  ])("says why, and what can be done about it: %j", (changes, text, hint) => {
    expect([textOf(changes), failureHint({ ...failure, account: ben, ...changes }, { known })]).toEqual([
      `Ben ${text}`,
      hint === "" ? undefined : hint,
    ]);
  });
});

describe("A text of a message", () => {
  const names = { message_hash: hash, message_hash_norm: hash };
  const wallet = {
    account: ann,
    interface: "wallet_v4r2",
    seqno: 3,
    next_seqno: 5,
    valid_until: 1_700_000_000,
  };
  const transaction = { account: ann, hash, lt: "7", now: 1_700_000_000, success: true };
  const inTrace = {
    ...names,
    transaction,
    block: { workchain: 0, shard: "8000000000000000", seqno: 7 },
    mc_block_seqno: 8,
    trace_id: hash,
  };
  const outcome = { success: true, failure: null, failures: [], failures_total: 0, transactions: 3 };
  const failed = { ...outcome, success: false, failure, failures: [failure], failures_total: 1 };
  const textOf = (status: MessageStatus) => {
    expect(messageStatus.parse({ ...status, ...messageText(status, { known }) })).toBeDefined();
    return messageText(status, { known }).text;
  };

  it("says what became of it", () => {
    const pending = { status: "pending", ...names, wallet, sent_by: null } as const;
    const included = { status: "included", ...inTrace, finality: "finalized" } as const;
    const none = { failures: [], failures_total: 0 };
    const failing = { failures: [failure], failures_total: 1 };
    const reason = "EQDMzM…zDA5 stopped with exit code 706 (not enough jettons)";
    const texts: [MessageStatus, string][] = [
      [{ ...pending, expected: null }, "The message waits for a block"],
      [{ ...pending, expected: { ...outcome, is_incomplete: false } }, "The message waits for a block"],
      [
        { ...pending, expected: { ...failed, is_incomplete: false } },
        `The message waits for a block, and 1 of the 3 expected transactions fails: ${reason}`,
      ],
      [{ ...included, pending_messages: 2, ...none }, "The message is in a block, and 2 more messages wait"],
      [{ ...included, pending_messages: null, ...none }, "The message is in a block"],
      [
        { ...included, pending_messages: 2, ...failing },
        `The message is in a block, and 1 transaction failed: ${reason}`,
      ],
      [
        { status: "completed", ...inTrace, ...outcome },
        "The message was processed by Ann, with 3 transactions",
      ],
      [
        { status: "completed", ...inTrace, ...failed },
        `The message was processed, but 1 of 3 transactions failed: ${reason}`,
      ],
      [
        { status: "expired", ...names, wallet, reason: "valid_until", replaced_by: null },
        "The message expired before a block had it (2023-11-14T22:13:20Z)",
      ],
      [
        { status: "expired", ...names, wallet, reason: "seqno", replaced_by: { ...names, transaction } },
        `The message can never be accepted: another one has used its seqno, in transaction ${hash}`,
      ],
      [
        { status: "dropped", ...names, wallet: null, sent_utime: 1_700_000_000 },
        "The message was sent (2023-11-14T22:13:20Z), but no block has it, and nodes do not keep it any more",
      ],
      [
        { status: "unknown", ...names, wallet, reason: "acceptable" },
        "The message was not sent through this service; Ann would accept it",
      ],
      [{ status: "unknown", ...names, wallet: null, reason: "not_found" }, "Nothing is known of the message"],
    ];
    for (const [status, text] of texts) expect(textOf(status)).toBe(text);
  });

  it("has parts, with the account it is for", () => {
    const { preview: parts } = messageText({ status: "completed", ...inTrace, ...outcome }, { known });
    expect(parts).toEqual({
      icon: "message",
      title: "Message processed",
      values: [],
      accounts: [{ account: ann, role: "receiver", name: "Ann" }],
    });
  });
});
