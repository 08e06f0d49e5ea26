import { beforeAll, beforeEach, expect, it } from "vitest";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { electorAddress } from "../../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../../shared/ton/tlb/config-params.js";
import { Address } from "../../../../shared/values/address.js";
import { ton } from "../../../helpers/chain/devnet.js";
import { queryBody } from "../../../helpers/contracts/query-body.js";
import { SideBySide } from "../../../helpers/contracts/side-by-side.js";
import { newSetBody } from "../../../helpers/elections/election-bodies.js";
import {
  electionConfig,
  firstSetTime,
  setOf,
  stakeHolder,
  testKey,
} from "../../../helpers/elections/elections.js";
import { ownConfigContract, presentConfigContract } from "../../../helpers/elections/electors.js";
import { describeWithChain } from "../../../helpers/test-data.js";

const now = firstSetTime;
const members = [1, 2, 3].map((number) => ({ key: testKey(number).publicKey, weight: 10n }));
const opOf = (body: Cell) => body.parse().loadUint(32);
const accepted = 0xee764f4b;
const refused = 0xee764f6f;

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

/** Every step runs on our contract and on mainnet's of today, and must do the same to both. */
describeWithChain("The configuration contract of elections does as mainnet's", (chain) => {
  const config = electionConfig();
  let contract: SideBySide;
  beforeEach(() => {
    const options = { executor, config };
    contract = new SideBySide(ownConfigContract(options), [presentConfigContract(chain, options)]);
  });

  const parameter = (number: number) =>
    decode(ConfigDictionary, contract.data.refs[0]!).get(number)?.hashHex();
  const send = (set: Cell, { from = electorAddress, at = now } = {}) =>
    contract.receive({ from, value: ton, body: newSetBody(set, 77n), at });
  const setAt = (since: number, until = since + 1000) => setOf(members, { since, until });

  it("takes a set of the elector that lies in the future", () => {
    const { sent } = send(setAt(now + 1));
    expect(sent.map(({ body, value }) => [opOf(body), value])).toEqual([[accepted, ton]]);
    expect(parameter(36)).toBe(setAt(now + 1).hashHex());
    // A later one replaces it.
    send(setAt(now + 5));
    expect(parameter(36)).toBe(setAt(now + 5).hashHex());
  });

  it.each([
    ["begins now", setAt(now)],
    ["lies in the past", setAt(now - 1000)],
    ["ends as it begins", setAt(now + 10, now + 10)],
  ])("refuses a set that %s", (_, set) => {
    expect(send(set).sent.map(({ body }) => opOf(body))).toEqual([refused]);
    expect(parameter(36)).toBeUndefined();
  });

  it("refuses a set of others, and ignores the basechain", () => {
    expect(opOf(send(setAt(now + 1), { from: stakeHolder(1) }).sent[0]!.body)).toBe(refused);
    expect(send(setAt(now + 1), { from: new Address(0, electorAddress.hash) }).sent).toEqual([]);
    expect(parameter(36)).toBeUndefined();
  });

  it.each([
    ["an empty cell", Cell.empty],
    [
      "a set without validators of the masterchain",
      setOf(members, { since: now + 1, until: now + 2, main: 0 }),
    ],
    ["a set with more of them than validators", setOf(members, { since: now + 1, until: now + 2, main: 4 })],
    [
      "a set of the old form",
      beginCell()
        .storeUint(0x11, 8)
        .storeUint(now + 1, 32)
        .endCell(),
    ],
  ])("returns %s", (_, set) => {
    const ran = send(set);
    expect(ran.exitCode).not.toBe(0);
    expect(ran.sent.map(({ bounced }) => bounced)).toEqual([true]);
    expect(parameter(36)).toBeUndefined();
  });

  it("takes money, returns unknown requests, and ignores answers", () => {
    const receive = (from: Address, body?: Cell, bounced = false) =>
      contract.receive({ from, value: ton, at: now, bounced, ...(body && { body }) }).sent.length;
    expect(receive(stakeHolder(1))).toBe(0);
    expect(receive(stakeHolder(1), queryBody(5))).toBe(1);
    expect(receive(electorAddress, queryBody(5))).toBe(1);
    expect(receive(stakeHolder(1), queryBody(0x90000000))).toBe(0);
    expect(receive(stakeHolder(1, 0), queryBody(5))).toBe(0);
    expect(receive(electorAddress, queryBody(0xffffffff), true)).toBe(0);
    expect(receive(stakeHolder(1), beginCell().storeUint(1, 8).endCell())).toBe(1);
  });

  it("has no proposals", () => {
    contract.get("seqno", now);
    contract.get("list_proposals", now);
    contract.get("get_proposal", now, [{ type: "int", value: 4n }]);
  });
});
