import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { account, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333";
const validator = account("validator");

const plain = (to: string, opcode: number, value: bigint, sends: readonly MadeMessage[] = []) => ({
  to,
  value,
  body: bodyOf(opcode),
  sends,
});
const actions = (request: MadeMessage) => actionsOf({ to: validator, sends: [request] }, {});

describe("A stake for an election", () => {
  const stake = (...sends: MadeMessage[]) => plain(elector, 0x4e73744b, 500n, sends);
  const rows = (request: MadeMessage) => rowsOfType("election_deposit", actions(request));
  const row = { type: "election_deposit", success: true, source: validator, amount: 500n };

  it("succeeds if the elector confirms it", () => {
    const request = stake(plain(validator, 0xf374484c, 1n));
    expect(rows(request)).toEqual([row]);
    expect(actions(request)).toHaveLength(1);
  });

  it("fails if the elector does not, or returns it", () => {
    expect(rows(stake())).toEqual([{ ...row, success: false }]);
    expect(rows(stake(plain(validator, 0xee6f454c, 499n)))).toEqual([{ ...row, success: false }]);
  });

  it("is none at another account", () => {
    expect(rows({ ...stake(), to: account("pool") })).toEqual([]);
  });
});

describe("A recovery of stakes", () => {
  const request = (...sends: MadeMessage[]) => plain(elector, 0x47657424, 1n, sends);
  const rows = (request: MadeMessage) => rowsOfType("election_recover", actions(request));
  const row = { type: "election_recover", success: true, source: validator };

  it("has the returned amount", () => {
    const recovered = request(plain(validator, 0xf96f7324, 600n));
    expect(rows(recovered)).toEqual([{ ...row, amount: 600n }]);
    expect(actions(recovered)).toHaveLength(1);
  });

  it("fails if nothing was returned", () => {
    expect(rows(request())).toEqual([{ ...row, success: false }]);
    expect(rows(request(plain(validator, 0xfffffffe, 1n)))).toEqual([{ ...row, success: false }]);
  });

  it("is none at another account", () => {
    expect(rows({ ...request(), to: account("pool") })).toEqual([]);
  });
});
