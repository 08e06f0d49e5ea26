import { describe, expect, it } from "vitest";
import { readActionReasons } from "../../../../shared/ton/run/action-log.js";

const head = "[ 4][t 0][2026-11-28 21:33:20.344999][transaction.cpp:2926]\t";
const logOf = (...texts: string[]) =>
  ["VM terminated with exit code 0", ...texts].map((text) => `${head}${text}\n`).join("");

describe("The reasons of actions", () => {
  it("are those of the known lines, in order, with amounts", () => {
    const log = logOf(
      "storage paid for a message: 0 cells, 0 bits",
      "not enough grams to transfer with the message : remaining balance is 9999491264ng, need 100000066667 (including forwarding fees)",
      "computed fwd fees = 66667 + 0",
      "not enough value attached to the message to pay forwarding fees : have 1, need 66667",
      "cannot reserve 50000000000 nanograms : only 10999911931 available",
      "not enough value to transfer with the message: all of the inbound message value has been consumed",
      "invalid destination address in a proposed outbound message",
      "invalid reserve mode 9",
      "invalid action 2 in action list: error code 37",
    );
    expect(readActionReasons(log)).toEqual([
      { code: 37, kind: "balance", available: 9_999_491_264n, needed: 100_000_066_667n },
      { code: 37, kind: "fees", available: 1n, needed: 66_667n },
      { code: 37, kind: "reserve", available: 10_999_911_931n, needed: 50_000_000_000n },
      { code: 37, kind: "spent" },
      { code: 36, kind: "other" },
      { code: 34, kind: "mode" },
    ]);
  });

  it("include a balance with other currencies", () => {
    const log = logOf(
      "not enough grams to transfer with the message : remaining balance is 5ng+({7:3}), need 9 (including forwarding fees)",
    );
    expect(readActionReasons(log)).toEqual([{ code: 37, kind: "balance", available: 5n, needed: 9n }]);
  });

  it("are not taken from other lines, from other files, or from before the actions", () => {
    const line = "invalid destination address in a proposed outbound message";
    const log = `${head}${line}\n${logOf()}${line}\n${head.replace("transaction", "other")}${line}\n ${head}${line}\n`;
    expect(readActionReasons(log)).toEqual([]);
    expect(readActionReasons("")).toEqual([]);
  });

  it("are read of a log without an end, and of long lines", () => {
    const line = "message too large, invalid";
    expect(readActionReasons(`${logOf("x".repeat(100_000))}${head}${line}`)).toEqual([
      { code: 40, kind: "size" },
    ]);
  });
});
