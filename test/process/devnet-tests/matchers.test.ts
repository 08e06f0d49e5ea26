import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Address, toNano } from "@ton/core";
import { expect as jestExpect } from "expect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetMatchers } from "../../../server/process/devnet-tests/matchers.js";
import {
  type DevnetContract,
  type DevnetSender,
  type DevnetTrace,
  type RunningDevnet,
  startDevnet,
} from "../../../server/process/workers/devnet-library.js";
import { tallyAbi } from "../../helpers/abi/tally-contract.js";
import { Tally } from "./tally.js";

expect.extend(devnetMatchers);

let artifacts: string;
let devnet: RunningDevnet;
let sender: DevnetSender;
let tally: DevnetContract<Tally>;
/** Traces that deployed the tally, paid someone, and that the tally refused. */
let deployed: DevnetTrace;
let paid: DevnetTrace;
let failed: DevnetTrace;
let error: unknown;

const receiver = Address.parse(`0:${"12".repeat(32)}`);

beforeAll(async () => {
  artifacts = mkdtempSync(join(tmpdir(), "tonwire-tally-"));
  const { code } = (await Tally.compiled(receiver)).init;
  const build = { hash: code!.hash().toString("hex"), hex: code!.toBoc().toString("hex") };
  writeFileSync(join(artifacts, "Tally.abi.json"), JSON.stringify(tallyAbi()));
  writeFileSync(join(artifacts, "Tally.compiled.json"), JSON.stringify(build));
  // A devnet has read the folder once it has started, and looks for changes only now and then.
  devnet = await startDevnet({ artifacts });
  sender = await devnet.sender();
  tally = devnet.open(await Tally.compiled(sender.address));
  deployed = await tally.sendIncrease(sender, 7);
  paid = await sender.send({ to: receiver, value: toNano("1"), bounce: false });
  const lax = await devnet.sender({ allowFailure: true });
  failed = await tally.sendIncrease(lax, 1001);
  error = await tally.sendIncrease(sender, 1001).catch((error: unknown) => error);
});
afterAll(async () => {
  await devnet?.close();
  rmSync(artifacts, { recursive: true, force: true });
});

/** The message of an expectation that does not hold. */
function messageOf(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it holds");
}

describe("toHaveTransaction", () => {
  it("finds a transaction by its members", () => {
    expect(deployed).toHaveTransaction({
      from: sender.address,
      to: tally,
      value: toNano("0.1"),
      deploy: true,
      op: 0x7e8764ef,
    });
    expect(deployed).toHaveTransaction({ message: "Increase", fields: { by: 7n }, body: Tally.body(7) });
    expect(deployed.transactions).toHaveTransaction({
      from: null,
      to: sender.address.toString(),
      exitCode: 0,
    });
    expect(paid).toHaveTransaction({ to: receiver, value: (value) => value > 5n });
    expect(failed).toHaveTransaction({
      to: tally,
      success: false,
      aborted: true,
      exitCode: 1234,
      exitName: "ERR_TOO_LARGE",
    });
    expect(error).toHaveTransaction({ from: tally, bounced: true });
    expect(deployed).not.toHaveTransaction({ success: false });
    expect(deployed).not.toHaveTransaction({ body: Tally.body(8) });
  });

  it("shows the closest one and the trace, with the explanation", () => {
    const message = messageOf(() => expect(failed).toHaveTransaction({ to: tally, exitCode: 0, op: 1 }));
    expect(message).toMatch(
      /^Expected a transaction \{ to: \w{6}….{4}, exitCode: 0, op: 1 \}\.\nThe closest one is to /,
    );
    expect(message).toContain("\n  exitCode is 1234, not 0\n  op is 2122802415, not 1\n");
    expect(message).toContain("Increase, failed with exit code 1234 ERR_TOO_LARGE");
    expect(message).toContain(String(failed.explanation));
    expect(messageOf(() => expect(failed).not.toHaveTransaction({ exitCode: 1234 }))).toMatch(
      /^Expected not a transaction \{ exitCode: 1234 \}\.\n\nFrom outside to/,
    );
  });

  it("refuses values that it cannot compare", () => {
    const unknown = { code: 1 } as object;
    expect(() => expect(failed).toHaveTransaction(unknown)).toThrow(
      "transactions have no member code; they have hash",
    );
    const missing = { from: undefined } as object;
    expect(() => expect(failed).not.toHaveTransaction(missing)).toThrow("from is undefined");
    expect(() => expect(failed).not.toHaveTransaction({ to: "me" })).toThrow('to is not an address: "me"');
    expect(() => expect(Promise.resolve(failed)).toHaveTransaction({})).toThrow("await it");
    expect(() => expect({}).not.toHaveTransaction({})).toThrow("toHaveTransaction takes what sends of");
  });
});

describe("toHaveAction", () => {
  it("finds an action by its type and details", () => {
    expect(paid).toHaveAction("ton_transfer");
    expect(paid).toHaveAction("ton_transfer", {
      value: toNano("1"),
      destination: receiver,
      success: true,
      comment: null,
    });
    expect(paid).not.toHaveAction("ton_transfer", { value: 1n });
    expect(paid).not.toHaveAction("jetton_transfer");
    expect(failed).toHaveAction("call_contract", { success: false, text: /ERR_TOO_LARGE/ });
  });

  it("lists the actions that there are", () => {
    const message = messageOf(() => expect(paid).toHaveAction("jetton_transfer", { amount: 5n }));
    expect(message).toMatch(
      /^Expected an action jetton_transfer \{ amount: 5n \}\.\nIts actions are:\n {2}ton_transfer \{ source: /,
    );
    expect(messageOf(() => expect(paid).toHaveAction("a", { amount: undefined }))).toContain(
      "amount is undefined",
    );
  });
});

describe("toChangeBalance", () => {
  it("adds up what transactions did to an account, with or without fees", () => {
    expect(paid).toChangeBalance(receiver, toNano("1"), { fees: false });
    expect(paid).toChangeBalance(sender, (change) => change < -toNano("1") && change > -toNano("1.01"));
    expect(paid).toChangeBalance(sender, -toNano("1"), { fees: false });
    expect(paid).not.toChangeBalance(sender, -toNano("1"));
    expect(paid).toChangeBalance(tally, 0n);
  });

  it("shows the change", () => {
    const message = messageOf(() => expect(paid).toChangeBalance(receiver, 5n, { fees: false }));
    expect(message).toMatch(
      /^Expected the balance of \w{6}….{4} to change by 0.000000005 TON \(5\)\.\nIt changed by 1 TON \(1000000000\), without the fees/,
    );
    const amount = 5 as unknown as bigint;
    expect(() => expect(paid).not.toChangeBalance(receiver, amount)).toThrow("takes a bigint of nanotons");
  });
});

describe("toFailWith", () => {
  it("knows codes and names of failures, and errors of sends", async () => {
    expect(failed).toFailWith(1234);
    expect(failed).toFailWith("ERR_TOO_LARGE");
    expect(error).toFailWith("ERR_TOO_LARGE");
    expect(failed).not.toFailWith(9);
    expect(paid).not.toFailWith(0);
    await expect(tally.sendIncrease(sender, 1002)).rejects.toFailWith(1234);
    await expect(tally.sendOutside()).rejects.toFailWith(11);
  });

  it("shows what failed", () => {
    expect(messageOf(() => expect(failed).toFailWith(9))).toMatch(
      /^Expected a failure with 9\.\nIt failed with:\n {2}1234, ERR_TOO_LARGE\n\nFrom outside/,
    );
    expect(messageOf(() => expect(paid).toFailWith("any"))).toContain("Nothing failed.");
    expect(() => expect(new Error("other")).not.toFailWith(5)).toThrow("toFailWith takes what sends of");
  });
});

describe("toDeploy", () => {
  it("finds the transaction that deployed an account", () => {
    expect(deployed).toDeploy(tally);
    expect(failed).not.toDeploy(tally);
    expect(deployed).not.toDeploy(sender);
    expect(messageOf(() => expect(paid).toDeploy(receiver))).toContain("The account is uninit after it.");
    expect(messageOf(() => expect(paid).toDeploy(tally))).toContain("It has no transaction of the account.");
    expect(messageOf(() => expect(deployed).not.toDeploy(tally))).toMatch(/^Expected not that /);
  });
});

describe("with the expect of jest", () => {
  jestExpect.extend(devnetMatchers);

  it("matchers hold, fail with their message, and are negated", async () => {
    jestExpect(deployed).toDeploy(tally);
    jestExpect(failed).toFailWith("ERR_TOO_LARGE");
    jestExpect(paid).not.toHaveAction("jetton_transfer");
    await jestExpect(tally.sendIncrease(sender, 1003)).rejects.toFailWith(1234);
    const message = messageOf(() => jestExpect(failed).toHaveTransaction({ to: tally, exitCode: 0 }));
    expect(message).toContain("\n  exitCode is 1234, not 0\n");
    expect(message).toContain(String(failed.explanation));
    expect(messageOf(() => jestExpect(failed).not.toFailWith(1234))).toMatch(
      /^Expected not a failure with 1234/,
    );
  });
});
