// The entry of `tonwire/devnet/test`: matchers for `expect.extend` of vitest and jest, neither of which it imports.
import { amountText } from "../../../shared/text/amount-text.js";
import {
  type Addressed,
  addressIn,
  type Hashed,
  isAsExpected,
  isHashed,
  requiredAddress,
  shownMembers,
  shownValue,
} from "./compared.js";
import { isSendError, receivedTrace } from "./received.js";
import type { DevnetAction, DevnetTransaction } from "./trace.js";
import { unrunText } from "./trace-text.js";

export type { Addressed, Hashed };

/** A value, or a function that says whether it is accepted. */
export type Expected<T> = T | ((actual: T) => boolean);

/** Members of a transaction that is expected; those that are left out may be anything. */
export type TransactionFilter = {
  readonly [Name in Exclude<keyof DevnetTransaction, "from" | "to" | "body" | "fields">]?: Expected<
    DevnetTransaction[Name]
  >;
} & {
  readonly from?: Addressed | null;
  readonly to?: Addressed;
  /** A cell, which is compared by its hash. */
  readonly body?: Hashed;
  /** Some fields of the body, by the contract's ABI. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** Matchers for traces of a devnet. */
export interface DevnetMatchers<R = unknown> {
  /** Some transaction has all of these members. */
  toHaveTransaction(members: TransactionFilter): R;
  /** Some action has the type, such as `jetton_transfer`, and these details. Amounts may be bigint, addresses of any form. */
  toHaveAction(type: string, details?: Readonly<Record<string, unknown>>): R;
  /** The balance of the account changes by this many nanotons. `fees: false` leaves out the fees that the account paid. */
  toChangeBalance(account: Addressed, change: Expected<bigint>, options?: { readonly fees?: boolean }): R;
  /** A transaction fails with an exit code, or a result code of its actions, or the name of one; or the message is refused with it. */
  toFailWith(code: number | string): R;
  /** A transaction deploys the account. */
  toDeploy(account: Addressed): R;
}

type Result = { readonly pass: boolean; readonly message: () => string };

/** For `expect.extend(devnetMatchers)`, in a test file or in a file of set-up. */
export const devnetMatchers = {
  toHaveTransaction(received: unknown, members: TransactionFilter): Result {
    const { transactions, text } = receivedTrace("toHaveTransaction", received);
    const tests = Object.entries(members).map(([name, expected]) => memberTest(name, expected));
    const missed = transactions.map((each) => tests.filter((test) => !test.holds(each)));
    const pass = missed.some((tests) => tests.length === 0);
    const distances = missed.map((tests) =>
      tests.reduce((sum, { name }) => sum + (name === "to" ? 100 : 1), 0),
    );
    const near = distances.indexOf(Math.min(...distances));
    const closest = transactions[near];
    const differences = (missed[near] ?? []).map(({ name, expected }) =>
      closest ? `  ${name} is ${shownValue(closest[name])}, not ${shownValue(expected)}` : "",
    );
    const about =
      pass || !closest ? [] : [`The closest one is to ${shownValue(closest.to)}:`, ...differences];
    return result(pass, `a transaction ${shownMembers(members)}`, about, text);
  },

  toHaveAction(received: unknown, type: string, details: Readonly<Record<string, unknown>> = {}): Result {
    const { actions, text } = receivedTrace("toHaveAction", received);
    refuseUndefined(details);
    const matches = (action: DevnetAction) =>
      action.type === type && isAsExpected(membersOf(action), details);
    const about = actions.map(
      (action) => `  ${action.type} ${shownMembers(action.details)}${action.success ? "" : ", which failed"}`,
    );
    const heading = actions.length > 0 ? "Its actions are:" : "It has no actions.";
    return result(
      actions.some(matches),
      `an action ${type} ${shownMembers(details)}`,
      [heading, ...about],
      text,
    );
  },

  toChangeBalance(
    received: unknown,
    account: Addressed,
    expected: Expected<bigint>,
    { fees: withFees = true }: { readonly fees?: boolean } = {},
  ): Result {
    const { transactions, text } = receivedTrace("toChangeBalance", received);
    if (typeof expected !== "bigint" && typeof expected !== "function")
      throw new TypeError("toChangeBalance takes a bigint of nanotons, or a function");
    const address = requiredAddress("the account", account);
    const change = transactions
      .filter(({ to }) => to === address)
      .reduce((sum, { balanceChange, fees }) => sum + balanceChange + (withFees ? 0n : fees), 0n);
    const wanted = typeof expected === "bigint" ? tons(expected) : shownValue(expected);
    const what = `the balance of ${shownValue(account)} to change by ${wanted}`;
    const kind = withFees ? "with" : "without";
    const about = [`It changed by ${tons(change)}, ${kind} the fees that the account paid.`];
    return result(isAsExpected(change, expected), what, about, text);
  },

  toFailWith(received: unknown, code: number | string): Result {
    const { transactions, text } = receivedTrace("toFailWith", received);
    if (typeof code !== "number" && typeof code !== "string")
      throw new TypeError("toFailWith takes an exit code, or its name");
    const failed = transactions.filter(({ success }) => !success);
    const refused = isSendError(received) && !received.trace ? [{ ...received, actionCode: null }] : [];
    const codes = [...failed, ...refused].map(({ exitCode, exitName, actionCode }) => ({
      exitCode,
      exitName,
      actionCode,
    }));
    const pass = codes.some(({ exitCode, exitName, actionCode }) =>
      typeof code === "string" ? exitName === code : (actionCode || exitCode) === code,
    );
    const seen = codes.map(
      ({ exitCode, exitName, actionCode }) =>
        `  ${actionCode || exitCode || "no code"}${exitName ? `, ${exitName}` : ""}`,
    );
    const heading = codes.length > 0 ? "It failed with:" : "Nothing failed.";
    const unrun = transactions.flatMap((each) =>
      unrunText(each).map((told) => `  ${shownValue(each.to)} ${told}`),
    );
    return result(pass, `a failure with ${shownValue(code)}`, [heading, ...seen, ...unrun], text);
  },

  toDeploy(received: unknown, account: Addressed): Result {
    const { transactions, text } = receivedTrace("toDeploy", received);
    const address = requiredAddress("the account", account);
    const pass = transactions.some(({ to, deploy }) => deploy && to === address);
    const own = transactions.filter(({ to }) => to === address).at(-1);
    const about = own ? `The account is ${own.endStatus} after it.` : "It has no transaction of the account.";
    return result(pass, `that ${shownValue(account)} is deployed`, pass ? [] : [about], text);
  },
};

type MemberTest = {
  readonly name: keyof DevnetTransaction;
  readonly expected: unknown;
  holds(transaction: DevnetTransaction): boolean;
};

const memberNames: ReadonlySet<string> = new Set<keyof DevnetTransaction>([
  ...(["hash", "lt", "now", "from", "to", "value", "body", "bodyHash", "op", "message", "fields"] as const),
  ...([
    "bounced",
    "success",
    "skippedReason",
    "aborted",
    "exitCode",
    "exitName",
    "actionCode",
    "deploy",
  ] as const),
  ...(["oldStatus", "endStatus", "outMessages", "fees", "balanceChange"] as const),
]);

function isMember(name: string): name is keyof DevnetTransaction {
  return memberNames.has(name);
}

function memberTest(name: string, given: unknown): MemberTest {
  if (!isMember(name))
    throw new TypeError(`transactions have no member ${name}; they have ${[...memberNames].join(", ")}`);
  refuseUndefined({ [name]: given });
  if (name === "body" && isHashed(given)) {
    const hash = Buffer.from(given.hash()).toString("hex");
    return { name, expected: given, holds: ({ bodyHash }) => bodyHash === hash };
  }
  const isPlace = name === "from" || name === "to";
  if (isPlace && given !== null && typeof given !== "function" && addressIn(given) === undefined)
    requiredAddress(name, given);
  return { name, expected: given, holds: (transaction) => isAsExpected(transaction[name], given) };
}

/** A member that a test meant to give would be left out in silence. */
function refuseUndefined(members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    if (value === undefined) throw new TypeError(`${name} is undefined: give a value, or leave it out`);
}

function membersOf({ type, success, text, details }: DevnetAction): Record<string, unknown> {
  return { type, success, text, ...details };
}

function tons(amount: bigint): string {
  return `${amountText(amount, 9)} TON (${amount})`;
}

function result(pass: boolean, what: string, about: readonly string[], trace: string): Result {
  const expected = `Expected ${pass ? "not " : ""}${what.trim()}.`;
  return { pass, message: () => [expected, ...about, "", trace].join("\n") };
}

// Vitest's matchers extend these too.
declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as jest and vitest declare it.
    interface Matchers<R, T = {}> extends DevnetMatchers<R> {}
  }
}
// biome-ignore lint/suspicious/noTsIgnore: whether it is unused depends on the project.
/** @ts-ignore Only programs with jest's own types have it. */
declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends DevnetMatchers<R> {}
}
