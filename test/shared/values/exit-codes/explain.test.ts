import { describe, expect, it } from "vitest";
import { asClause, contractsAt, explainExitCode } from "../../../../shared/values/exit-codes/explain.js";
import { networkCodes } from "../../../../shared/values/exit-codes/network.js";
import { tokenCodes } from "../../../../shared/values/exit-codes/tokens.js";
import { walletCodes } from "../../../../shared/values/exit-codes/wallets.js";

const nameOf = (...[exit]: Parameters<typeof explainExitCode>) => explainExitCode(exit)?.name;

describe("exit codes", () => {
  it("have the virtual machine's meaning in the compute phase, for any contract", () => {
    const codes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, -14, 14, -13, 65_535];
    expect(codes.map((code) => explainExitCode({ code })?.text)).toEqual([
      "Success.",
      "Alternative success.",
      "Stack underflow.",
      "Stack overflow.",
      "An integer did not fit into 257 bits, or was divided by zero.",
      "Integer out of range.",
      "Invalid opcode.",
      "Type mismatch.",
      "Cell overflow.",
      "Cell underflow.",
      "Dictionary error.",
      "The contract has no such method, or failed for a reason of its own.",
      "Fatal error.",
      "Out of gas.",
      "Out of gas.",
      "Virtualization error.",
      "The account has no code.",
      "The contract does not know the operation of the message.",
    ]);
    for (const code of codes)
      for (const contract of ["wallet_v4r2", "jetton_wallet", "unheard-of"])
        expect(explainExitCode({ code, contract })).toEqual(explainExitCode({ code }));
  });

  it("have another meaning in the action phase, for any contract", () => {
    const codes = [0, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 50];
    const names = codes.map((code) => nameOf({ code, phase: "action", contract: "wallet_v4r2" }));
    expect(names).toEqual([
      "success",
      "invalid-action-list",
      "too-many-actions",
      "invalid-or-unsupported-action",
      "message-has-invalid-source",
      "message-has-invalid-destination",
      "not-enough-coins",
      "not-enough-extra-currency",
      "message-exceeds-cell",
      "message-too-large",
      "library-not-found",
      "library-not-changed",
      "library-too-large",
      "too-many-extra-currencies",
      "message-has-invalid-flags",
      "library-change-not-allowed",
      "messages-too-large-together",
      "account-state-too-large",
    ]);
    expect([13, 48, 133, 709].map((code) => nameOf({ code, phase: "action" }))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it("of a contract that is not known are not taken for those of the action phase", () => {
    const codes = Array.from({ length: 65_520 }, (_, index) => index + 15);
    expect(codes.filter((code) => explainExitCode({ code }) !== undefined)).toEqual([]);
  });

  it.each([
    ["wallet_v1r3", { 33: "wrong-seqno", 34: "bad-signature", 35: undefined }],
    [
      "wallet_v3r2",
      { 33: "wrong-seqno", 34: "wrong-wallet-id", 35: "expired-or-bad-signature", 36: undefined },
    ],
    ["wallet_v4r2", { 33: "wrong-seqno", 34: "wrong-wallet-id", 35: "bad-signature", 36: "expired" }],
    [
      "wallet_v5r1",
      { 33: undefined, 132: "signature-disabled", 133: "wrong-seqno", 135: "bad-signature", 136: "expired" },
    ],
    ["highload_v3r1", { 33: "bad-signature", 35: "wrong-creation-time", 36: "already-executed" }],
    [
      "jetton_wallet",
      { 47: "not-enough-jettons", 705: "sender-not-owner", 706: "not-enough-jettons", 709: "too-few-coins" },
    ],
    ["jetton_master", { 73: "sender-not-admin", 74: "sender-not-jetton-wallet" }],
    ["nft_item", { 401: "sender-not-owner", 402: "too-few-coins" }],
    ["multisig_v2", { 1007: "sender-not-signer", 1008: "wrong-order-seqno", 111: "order-expired" }],
    ["multisig_order_v2", { 106: "sender-not-signer", 107: "already-approved", 112: "already-executed" }],
    ["dns", { 200: "invalid-name", 407: "bid-too-low", 414: "domain-not-expired" }],
    ["elector", { 34: "bad-signature", 44: "empty-stake" }],
    ["config", { 33: "wrong-seqno", 35: "expired", 37: "unknown-operation" }],
    ["tv_pool", { 67: "stake-too-low", 81: "stake-too-low" }],
  ])("of %s are its own", (contract, expected) => {
    const codes = Object.keys(expected).map(Number);
    expect(Object.fromEntries(codes.map((code) => [code, nameOf({ code, contract })]))).toEqual(expected);
  });

  it("have the text of their name in every list", () => {
    for (const contract of ["wallet_v1r1", "wallet_v4r2", "highload_v1r1", "config"])
      expect(explainExitCode({ code: 33, contract })?.text).toBe(
        "The contract expects another sequence number: too old seqno, or one too new.",
      );
    for (const [code, contract] of [
      [208, "teleitem"],
      [138, "wallet_v5r1"],
      [65_535, "teleitem"],
    ] as const)
      expect(explainExitCode({ code, contract })?.text).toBe(
        "The contract does not know the operation of the message.",
      );
  });

  it("are found by the types that API v2 gives wallets as well", () => {
    const types = ["wallet v3 r2", "wallet v4 r2", "wallet v5 r1", "wallet v5 beta"];
    expect(types.map((contract) => nameOf({ code: 36, contract }))).toEqual([
      undefined,
      "expired",
      undefined,
      "expired",
    ]);
    expect(nameOf({ code: 136, contract: "wallet v5 r1" })).toBe("expired");
  });

  it("of an account that may be several contracts are explained if these agree", () => {
    const wallets = ["wallet_v1r3", "wallet_v2r2", "wallet_v3r2"];
    expect(nameOf({ code: 33, contract: wallets })).toBe("wrong-seqno");
    expect(nameOf({ code: 34, contract: wallets })).toBeUndefined();
    expect(nameOf({ code: 413, contract: ["dns", "nft_item"] })).toBe("on-auction-or-name-without-zero-byte");
    expect(nameOf({ code: 13, contract: wallets })).toBe("out-of-gas");
  });

  it("of elector and configuration are known by the addresses of these", () => {
    const at = (digit: string) => contractsAt(`-1:${digit.repeat(64)}`, ["wallet_v4r2"]);
    expect([at("3"), at("5"), at("4"), contractsAt(`0:${"3".repeat(64)}`)]).toEqual([
      ["elector"],
      ["config"],
      ["wallet_v4r2"],
      [],
    ]);
  });

  it("have well-formed lists: each contract once, each code once for a contract, one text for a name", () => {
    const contracts: string[] = [];
    const texts = new Map<string, string>();
    for (const list of [walletCodes, tokenCodes, networkCodes]) {
      let codes: string[] = [];
      for (const line of list.trim().split("\n")) {
        const [first = "", name = "", ...words] = line.split(" ");
        if (/^\d+$/.test(first)) {
          expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
          expect(codes).not.toContain(first);
          codes.push(first);
          if (words.length > 0) {
            expect(texts.get(name), name).toBeUndefined();
            texts.set(name, words.join(" "));
          }
        } else {
          contracts.push(...line.split(" "));
          codes = [];
        }
      }
    }
    expect(new Set(contracts).size).toBe(contracts.length);
    for (const text of texts.values()) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it("can end a sentence", () => {
    expect(asClause(explainExitCode({ code: 136, contract: "wallet_v5r1" })!)).toBe(
      "the message has expired",
    );
  });
});
