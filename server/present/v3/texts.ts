import type { Call } from "../../../shared/methods/define.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import type { MessageStatus, TraceFailure } from "../../../shared/schema/v3/message-status.js";
import { AnswerNames, type Extras } from "../../../shared/text/answer-names.js";
import { describeAction, describeStatus } from "../../../shared/text/describe.js";
import { english } from "../../../shared/text/english/english.js";
import { knownAccounts } from "../../../shared/text/known-accounts.js";
import { accountOf, failuresOf } from "../../../shared/text/message-status.js";
import type { Described } from "../../../shared/text/preview.js";
import { bytesOfBase64, bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Queries } from "../../store/database.js";
import { rawAddress } from "../../store/declare/wire-forms.js";
import type { JudgedTransaction, MessageSide } from "../../store/queries/messages/message-status.js";
import { reads } from "../../store/reads/index-reads.js";
import { presentInSlices } from "../present-in-slices.js";
import { addressesOfAction } from "./action.js";
import { type BookSettings, withAddressBook, withExtras } from "./answer-extras.js";
import { readContracts } from "./failed-contracts.js";
import { hasFailed, presentFailures } from "./failure.js";

/** Members that texts add to an action. */
export type ActionTexts = Described & { failure: TraceFailure | null };
/** Aborted transactions of actions, with the messages that they received and returned. */
type AbortedSource = (hashes: ReadonlySet<string>) => Promise<Aborted> | Aborted;
type Aborted = { transactions: readonly JudgedTransaction[]; messages: MessageSide[] };

/** Limit on the transactions of failed actions that are read; actions beyond it have no reason. */
const maxHashes = 20_000;

type TextSource = {
  book: BookSettings;
  /** Texts by ABIs make its result provisional. */
  call?: Pick<Call, "provisional">;
  /** Extras that were read of the accounts already. */
  stored?: Extras;
};

/** The texts of actions of the index, in their order. */
export function readTexts(
  queries: Queries,
  actions: readonly Action[],
  source: TextSource,
): Promise<ActionTexts[]> {
  return describeActions(queries, actions, {
    ...source,
    aborted: (hashes) => readAborted(queries, actions, hashes),
  });
}

/** The texts of actions of a trace that is not stored, given its transactions. */
export function describeExpected(
  queries: Queries,
  actions: readonly Action[],
  rows: { transactions: readonly JudgedTransaction[]; messages: readonly MessageSide[] },
  { book, extras }: { book: BookSettings; extras?: Extras | undefined },
): Promise<ActionTexts[]> {
  const aborted = (hashes: ReadonlySet<string>): Aborted => ({
    transactions: rows.transactions.filter((t) => t.aborted === true && hashes.has(bytesToBase64(t.hash))),
    messages: [...rows.messages],
  });
  return describeActions(queries, actions, { book, aborted, extras });
}

/** `extras`: those that are not stored. */
type Sources = TextSource & { aborted: AbortedSource; extras?: Extras | undefined };

async function describeActions(
  queries: Queries,
  actions: readonly Action[],
  { book, call, aborted: find, extras, stored }: Sources,
): Promise<ActionTexts[]> {
  if (actions.length === 0) return [];
  const failing = actions.filter(({ success }) => success === false);
  const hashes = new Set(failing.flatMap(({ transactions }) => transactions).slice(0, maxHashes));
  const found = hashes.size > 0 ? await find(hashes) : { transactions: [], messages: [] };
  const firsts = reasonOfEach(failing, found.transactions);
  const accounts = [...firsts.values()].map(({ account }) => rawAddress.present(account));
  const names = await readNames(queries, [...actions.flatMap(addressesOfAction), ...accounts], {
    book,
    extras,
    stored,
  });
  const failed = { transactions: [...firsts.values()], messages: found.messages, total: firsts.size };
  const { artifacts } = book;
  const isByAbi = artifacts !== undefined && !artifacts.isEmpty && failed.total > 0;
  const known = isByAbi ? await readContracts(queries, failed, artifacts) : undefined;
  if (isByAbi && call) call.provisional = true;
  const contractOf = (account: string) => ({
    ...known?.(account),
    interfaces: names.interfaces(account),
  });
  const failures = presentFailures(failed, contractOf, names);
  const byAction = new Map([...firsts.keys()].map((id, at) => [id, failures[at] ?? null]));
  return presentInSlices(actions, (action) => {
    const failure = byAction.get(action) ?? null;
    return { ...describeAction(action, failure, names, english), failure };
  });
}

/** Actions with their texts; without texts unchanged. */
export function withTexts(actions: readonly Action[], texts: readonly ActionTexts[]): Action[] {
  return actions.map((action, at) => ({ ...action, ...texts[at] }));
}

/** The transaction because of which each action failed. */
function reasonOfEach(
  actions: readonly Action[],
  aborted: readonly JudgedTransaction[],
): ReadonlyMap<Action, JudgedTransaction> {
  const byHash = new Map(aborted.map((t) => [bytesToBase64(t.hash), t]));
  const reasons = new Map<Action, JudgedTransaction>();
  for (const action of actions) {
    // Transactions of an action are in the order of their lt.
    const own = action.transactions.flatMap((hash) => byHash.get(hash) ?? []);
    const reason = own.find((t) => hasFailed(t, false)) ?? own.find((t) => isCalled(action, t));
    if (reason) reasons.set(action, reason);
  }
  return reasons;
}

/** Whether a transaction is that of a call's receiver: in TON Center's actions a call fails too if its code was not run. */
function isCalled(action: Action, { account }: JudgedTransaction): boolean {
  return action.type === "call_contract" && action.details.destination === rawAddress.present(account);
}

async function readAborted(
  queries: Queries,
  actions: readonly Action[],
  hashes: ReadonlySet<string>,
): Promise<Aborted> {
  const transactions = await reads.abortedAmong(queries, [...hashes].map(bytesOfBase64));
  const wanted = [...new Set(reasonOfEach(actions, transactions).values())];
  return { transactions: wanted, messages: wanted.length > 0 ? await reads.sidesOf(queries, wanted) : [] };
}

/** Names for texts, whatever extras the caller wants in the answer. */
async function readNames(
  queries: Queries,
  addresses: readonly string[],
  { book, extras, stored }: Pick<Sources, "book" | "extras"> & { stored?: Extras | undefined },
): Promise<AnswerNames> {
  const { coin = "TON", known } = book.texts ?? {};
  const source = { queries, call: { options: {} }, book, isLast: false };
  const unread = addresses.filter((address) => !Object.hasOwn(stored?.address_book ?? {}, address));
  const [read, accounts] = await Promise.all([withExtras({}, unread, source), known?.()]);
  const metadata = { ...extras?.metadata, ...stored?.metadata, ...read.metadata };
  const inBook = { ...stored?.address_book, ...read.address_book };
  const more = await withAddressBook({}, ownersIn(metadata, inBook), source);
  return new AnswerNames(
    { address_book: { ...extras?.address_book, ...more.address_book, ...inBook }, metadata },
    { known: accounts ?? knownAccounts(), coin },
  );
}

/** The owners of jetton wallets, whose names are part of those of the wallets. */
function ownersIn(metadata: NonNullable<Extras["metadata"]>, known: object): string[] {
  return Object.values(metadata).flatMap(({ token_info }) =>
    token_info.flatMap(({ type, extra }) => {
      const owner = type === "jetton_wallets" ? extra?.["owner"] : undefined;
      return typeof owner === "string" && !Object.hasOwn(known, owner) ? [owner] : [];
    }),
  );
}

/** The names that need no index: those of the network. `others`: those of other accounts. */
export async function knownNames(
  texts: BookSettings["texts"],
  others: Readonly<Record<string, string>> = {},
): Promise<AnswerNames> {
  const rows = Object.entries(others).map(
    ([account, name]) => [account, { user_friendly: account, domain: null, interfaces: null, name }] as const,
  );
  return new AnswerNames(
    { address_book: Object.fromEntries(rows) },
    { known: (await texts?.known()) ?? knownAccounts(), coin: texts?.coin ?? "TON" },
  );
}

/** A status with its text. Without an index accounts have no names. */
export async function withStatusText(
  status: MessageStatus,
  book: BookSettings,
  read: (<T>(work: (queries: Queries) => Promise<T>) => Promise<T>) | undefined,
): Promise<MessageStatus> {
  const [failure] = failuresOf(status)?.failures ?? [];
  const addresses = [accountOf(status), failure?.account, failure?.source].filter(
    (address) => typeof address === "string",
  );
  const names = read
    ? await read((queries) => readNames(queries, addresses, { book }))
    : await knownNames(book.texts);
  return { ...status, ...describeStatus(status, names, english) };
}
