import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import {
  type ContractName,
  contractCode,
  contractCodes,
  type PublishedName,
} from "../../../server/devnet/contracts/codes.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { activeAccount, internalMessage, testConfig, testTime } from "../../helpers/chain/sample-chain.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { queryBody } from "../../helpers/contracts/query-body.js";

const names = Object.keys(contractCodes) as PublishedName[];
const environment = { config: testConfig, now: testTime, randSeed: new Uint8Array(32).fill(1) };
const int = (value: bigint): StackValue => ({ type: "int", value });
const none: StackValue = { type: "null" };

let executor: Executor;
beforeAll(async () => {
  executor = await sharedExecutor();
});

describe("contract codes", () => {
  it.each(names)("has the published %s", (name) => {
    expect(contractCode(name).hashHex()).toBe(contractCodes[name].hash);
  });

  it("have the hashes by which TON Center recognizes wallets", () => {
    const known = {
      "wallet v1 r1": "oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=",
      "wallet v1 r2": "1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=",
      "wallet v1 r3": "WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=",
      "wallet v2 r1": "XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=",
      "wallet v2 r2": "/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=",
      "wallet v3 r1": "thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=",
      "wallet v3 r2": "hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=",
      "wallet v4 r1": "ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=",
      "wallet v4 r2": "/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=",
      "wallet v5 beta": "89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=",
      "wallet v5 r1": "IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=",
    } as const;
    for (const [name, hash] of Object.entries(known))
      expect(Buffer.from(contractCode(name as ContractName).hash()).toString("base64")).toBe(hash);
  });
});

/** A system contract and its get-methods. */
function systemContract(name: "elector" | "config", byte: number, data: Cell) {
  const address = new Address(-1, new Uint8Array(32).fill(byte));
  const code = contractCode(name);
  const shardAccount = activeAccount({ code, data, address, special: { tick: true, tock: true } });
  return {
    shardAccount,
    get(method: string, ...stack: StackValue[]) {
      const subject = { code, data, address, balance: 10n ** 10n, methodId: methodId(method), stack };
      const result = executor.runMethod({ ...environment, ...subject });
      return { exitCode: result.exitCode, stack: result.stack };
    },
    receive(value: bigint, body?: Cell) {
      const message = internalMessage({ value, to: address, body, bounce: true });
      const result = executor.runTransaction({ ...environment, shardAccount, message, lt: 1_000_000n });
      if (result.outcome !== "done") throw new Error(result.reason);
      const transaction = decode(Transaction, result.transaction);
      const description = transaction.description.value;
      if (description.kind !== "ord") throw new Error(description.kind);
      const answers = [...transaction.messages.value.outMsgs.values()].map(({ value }) => value);
      const balance = decode(ShardAccount, result.shardAccount).account.value!.storage.balance.coins;
      return { aborted: description.aborted, answers, balance };
    },
  };
}

describe("the elector of a devnet", () => {
  const data = beginCell().storeUint(0, 3).storeCoins(0n).storeUint(0, 32).storeUint(0, 256).endCell();
  const elector = systemContract("elector", 0x33, data);

  it("answers that there is no election", () => {
    const ok = (...stack: StackValue[]) => ({ exitCode: 0, stack });
    expect(elector.get("active_election_id")).toEqual(ok(int(0n)));
    expect(elector.get("participates_in", int(5n))).toEqual(ok(int(0n)));
    expect(elector.get("participant_list")).toEqual(ok(none));
    expect(elector.get("participant_list_extended")).toEqual(
      ok(int(0n), int(0n), int(0n), int(0n), none, int(0n), int(0n)),
    );
    expect(elector.get("compute_returned_stake", int(5n))).toEqual(ok(int(0n)));
    for (const method of ["past_election_ids", "past_elections", "past_elections_list"])
      expect(elector.get(method)).toEqual(ok(none));
    expect(elector.get("list_complaints", int(5n))).toEqual(ok(none));
  });

  it("keeps fees and gifts", () => {
    for (const body of [undefined, queryBody(0)])
      expect(elector.receive(2_000_000_000n, body)).toEqual({
        aborted: false,
        answers: [],
        balance: 12_000_000_000n,
      });
  });

  it("returns a stake", () => {
    const { aborted, answers, balance } = elector.receive(2_000_000_000n, queryBody(0x4e73744b));
    expect({ aborted, balance, count: answers.length }).toEqual({
      aborted: false,
      balance: 10n ** 10n,
      count: 1,
    });
    const body = answers[0]!.body.parse();
    expect([body.loadUint(32), body.loadBigUint(64), body.loadUint(32)]).toEqual([0xee6f454c, 9n, 0]);
  });

  it("has no stake to recover for any account", () => {
    const body = elector.receive(2_000_000_000n, queryBody(0x47657424)).answers[0]!.body.parse();
    expect([body.loadUint(32), body.loadBigUint(64), body.loadUint(32)]).toEqual([
      0xfffffffe,
      9n,
      0x47657424,
    ]);
  });

  it("bounces other requests", () => {
    const { aborted, answers } = elector.receive(2_000_000_000n, queryBody(0x12345678));
    expect(aborted).toBe(true);
    expect(answers[0]!.info).toMatchObject({ kind: "internal", bounced: true });
  });
});

describe("the configuration contract of a devnet", () => {
  const data = beginCell().storeRef(testConfig).storeUint(6, 32).storeUint(0, 256).storeBit(false).endCell();
  const config = systemContract("config", 0x55, data);

  it("answers with the content of its data, and without proposals", () => {
    expect(config.get("seqno")).toEqual({ exitCode: 0, stack: [int(6n)] });
    expect(config.get("list_proposals")).toEqual({ exitCode: 0, stack: [none] });
    expect(config.get("get_proposal", int(1n))).toEqual({ exitCode: 0, stack: [none] });
  });

  it("keeps gifts and bounces requests", () => {
    expect(config.receive(1_000_000_000n)).toMatchObject({ aborted: false, answers: [] });
    const { aborted, answers } = config.receive(1_000_000_000n, beginCell().storeUint(1, 32).endCell());
    expect(aborted).toBe(true);
    expect(answers[0]!.info).toMatchObject({ kind: "internal", bounced: true });
  });
});
