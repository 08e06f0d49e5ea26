import type { z } from "zod";
import {
  filtersOf,
  type SubscriptionKind,
  type subscribeParams,
  type updateParams,
} from "../../../shared/schema/streams/subscription-params.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { actionChoice } from "./action-choice.js";
import type { Filter, RecordList, RecordType } from "./filter.js";
import type { Entries } from "./interests.js";

type Params = z.output<typeof subscribeParams>;
type Change = NonNullable<z.output<typeof updateParams>["add"]>;

const typeOf: Readonly<Record<SubscriptionKind, RecordType>> = {
  blocks: "block",
  transactions: "transaction",
  actions: "action",
  traces: "trace_record",
  accounts: "account",
  jettons: "jetton",
  trace: "trace_record",
  message: "message",
};

/** The request of a client, from which its subscription's filter is made. */
export type RecordChoice = Pick<
  Params,
  "kind" | "finality" | "include" | "workchain" | "supported_action_types" | "action_types"
> & {
  readonly accounts: Set<string> | undefined;
  readonly jettons: Set<string> | undefined;
  readonly opcodes: Set<number> | undefined;
  readonly traces: ReadonlySet<string> | undefined;
};

/** `actionsVersion` comes from the connection, for clients that name no types. */
export function choiceOf(
  params: Omit<Params, "from" | "to" | "window" | "wait">,
  actionsVersion: string | undefined,
): RecordChoice {
  const { kind, finality, include, workchain, action_types, trace, message } = params;
  return {
    kind,
    finality,
    include,
    workchain,
    action_types,
    supported_action_types: params.supported_action_types ?? (actionsVersion ? [actionsVersion] : undefined),
    accounts: listOf(params.accounts, (address) => address.toRawUpper()),
    jettons: listOf(params.jetton_masters, (address) => address.toRawUpper()),
    opcodes: listOf(params.opcodes, (opcode) => opcode),
    traces: namesOf(trace ?? message),
  };
}

function namesOf(hash: Uint8Array | undefined): ReadonlySet<string> | undefined {
  return hash && new Set([bytesToBase64(hash)]);
}

/** An empty list counts as none. */
function listOf<Given, Item>(
  given: readonly Given[] | undefined,
  read: (item: Given) => Item,
): Set<Item> | undefined {
  return given?.length ? new Set(given.map(read)) : undefined;
}

/** The filter of an owner's subscription to records: those that match every list it has. */
export function filterOf(choice: RecordChoice, owner?: string): Filter {
  const { kind, finality, include, accounts, jettons, opcodes, traces, workchain } = choice;
  const lists: Readonly<Record<RecordList, unknown>> = { accounts, jettons, opcodes, traces };
  const names = (Object.keys(lists) as RecordList[]).filter((name) => lists[name] !== undefined);
  const named = choice.action_types ?? [];
  return {
    types: new Set([typeOf[kind]]),
    requires: new Set(names),
    addresses: accounts ?? new Set(),
    traces: traces ?? new Set(),
    opcodes: opcodes ?? new Set(),
    jettons: jettons ?? new Set(),
    workchain,
    minFinality: finality,
    actions: actionChoice(choice.supported_action_types ?? [], named, { namedCount: true }),
    withAddressBook: include.includes("address_book"),
    withMetadata: include.includes("metadata"),
    withTexts: include.includes("text"),
    withAbi: include.includes("abi"),
    owner,
    withMessages: include.includes("messages"),
    withRaw: include.includes("raw"),
  };
}

/** Whether the subscription covers all records of a kind. */
export function isFirehose({ kind, accounts, jettons, opcodes, traces }: RecordChoice): boolean {
  return kind !== "blocks" && !accounts && !jettons && !opcodes && !traces;
}

/** Accounts and traces that count against the caller's limit. */
export function accountsIn({ accounts, jettons, traces }: RecordChoice): number {
  return (accounts?.size ?? 0) + (jettons?.size ?? 0) + (traces?.size ?? 0);
}

/** Entries to add to and remove from a list. */
type Difference<Item> = { readonly added: ReadonlySet<Item>; readonly removed: readonly Item[] };

/** A change of a choice. */
export class ChoiceEdit {
  readonly #choice: RecordChoice;
  readonly #accounts: Difference<string>;
  readonly #jettons: Difference<string>;
  readonly #opcodes: Difference<number>;
  readonly #actionTypes: RecordChoice["action_types"];

  /** Additions apply before removals. */
  constructor(choice: RecordChoice, add: Change = {}, remove: Change = {}) {
    const upper = (addresses: Change["accounts"]) => addresses?.map((address) => address.toRawUpper());
    this.#choice = choice;
    this.#accounts = difference(choice.accounts, upper(add.accounts), upper(remove.accounts));
    this.#jettons = difference(choice.jettons, upper(add.jetton_masters), upper(remove.jetton_masters));
    this.#opcodes = difference(choice.opcodes, add.opcodes, remove.opcodes);
    const types = choice.action_types && new Set(choice.action_types);
    const changed = applied(types, difference(types, add.action_types, remove.action_types));
    this.#actionTypes = changed && [...changed];
  }

  /** Accounts and traces that count against the caller's limit after the change. */
  get accounts(): number {
    const more = [this.#accounts, this.#jettons].map(({ added, removed }) => added.size - removed.length);
    return accountsIn(this.#choice) + itemAt(more, 0) + itemAt(more, 1);
  }

  /** Whether the change only alters the entries of existing lists. */
  get keepsLists(): boolean {
    const { accounts, jettons, opcodes } = this.#choice;
    const isNew = (list: unknown, { added }: Difference<unknown>) => list === undefined && added.size > 0;
    return !(
      isNew(accounts, this.#accounts) ||
      isNew(jettons, this.#jettons) ||
      isNew(opcodes, this.#opcodes)
    );
  }

  /** Entries that the lists gain. */
  get added(): Entries {
    return {
      ...noEntries,
      addresses: this.#accounts.added,
      jettons: this.#jettons.added,
      opcodes: this.#opcodes.added,
    };
  }

  /** Entries that the lists lose. */
  get removed(): Entries {
    const { removed: addresses } = this.#accounts;
    return { ...noEntries, addresses, jettons: this.#jettons.removed, opcodes: this.#opcodes.removed };
  }

  /**
   * The changed choice. If it keeps its lists, they are modified in place, since they may be long. A list that becomes
   * empty matches nothing.
   */
  apply(): RecordChoice {
    const before = this.#choice;
    const isInPlace = this.keepsLists;
    const listOf = <Item>(list: Set<Item> | undefined, edit: Difference<Item>) =>
      applied(isInPlace ? list : list && new Set(list), edit);
    return {
      ...before,
      accounts: listOf(before.accounts, this.#accounts),
      jettons: listOf(before.jettons, this.#jettons),
      opcodes: listOf(before.opcodes, this.#opcodes),
      action_types: this.#actionTypes,
    };
  }
}

const noEntries: Entries = { addresses: [], traces: [] };

function difference<Item>(
  before: ReadonlySet<Item> | undefined,
  add: readonly Item[] = [],
  remove: readonly Item[] = [],
): Difference<Item> {
  const added = new Set(add.filter((item) => !before?.has(item)));
  const removed = new Set<Item>();
  for (const item of remove) if (!added.delete(item) && before?.has(item)) removed.add(item);
  return { added, removed: [...removed] };
}

function applied<Item>(
  before: Set<Item> | undefined,
  { added, removed }: Difference<Item>,
): Set<Item> | undefined {
  if (!before && added.size === 0) return undefined;
  const list = before ?? new Set();
  for (const item of added) list.add(item);
  for (const item of removed) list.delete(item);
  return list;
}

/** The first list in a change that the kind does not have. */
export function foreignList({ kind }: RecordChoice, ...changes: (Change | undefined)[]): string | undefined {
  const names = changes.flatMap((change) =>
    Object.entries(change ?? {}).flatMap(([name, list]) => (list === undefined ? [] : [name])),
  );
  return names.find((name) => !filtersOf[kind].includes(name));
}
