import type { z } from "zod";
import {
  filtersOf,
  type SubscriptionKind,
  type subscribeParams,
  type updateParams,
} from "../../shared/schema/subscription-params.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { actionChoice } from "./action-choice.js";
import type { Filter, RecordList, RecordType } from "./filter.js";

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
};

/** What a client has asked for, from which the filter of its subscription is made. */
export type RecordChoice = Pick<
  Params,
  "kind" | "finality" | "include" | "workchain" | "supported_action_types" | "action_types"
> & {
  readonly accounts: ReadonlySet<string> | undefined;
  readonly jettons: ReadonlySet<string> | undefined;
  readonly opcodes: ReadonlySet<number> | undefined;
  readonly traces: ReadonlySet<string> | undefined;
};

/** `actionsVersion` is that of the connection, for clients that name no types. */
export function choiceOf(params: Params, actionsVersion: string | undefined): RecordChoice {
  const { kind, finality, include, workchain, action_types, trace } = params;
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
    traces: trace && new Set([bytesToBase64(trace)]),
  };
}

/** An empty list counts as none. */
function listOf<Given, Item>(
  given: readonly Given[] | undefined,
  read: (item: Given) => Item,
): ReadonlySet<Item> | undefined {
  return given?.length ? new Set(given.map(read)) : undefined;
}

export function filterOf(choice: RecordChoice): Filter {
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
    withMessages: include.includes("messages"),
  };
}

/** Whether everything of a kind was asked for. */
export function isFirehose({ kind, accounts, jettons, opcodes, traces }: RecordChoice): boolean {
  return kind !== "blocks" && !accounts && !jettons && !opcodes && !traces;
}

/** Accounts and traces that count against the caller's limit. */
export function accountsIn({ accounts, jettons, traces }: RecordChoice): number {
  return (accounts?.size ?? 0) + (jettons?.size ?? 0) + (traces?.size ?? 0);
}

/** The choice with entries added to, then removed from its lists. A list that becomes empty matches nothing. */
export function changed(choice: RecordChoice, add: Change = {}, remove: Change = {}): RecordChoice {
  const upper = (addresses: Change["accounts"]) => addresses?.map((address) => address.toRawUpper());
  const types = edited(
    choice.action_types && new Set(choice.action_types),
    add.action_types,
    remove.action_types,
  );
  return {
    ...choice,
    accounts: edited(choice.accounts, upper(add.accounts), upper(remove.accounts)),
    jettons: edited(choice.jettons, upper(add.jetton_masters), upper(remove.jetton_masters)),
    opcodes: edited(choice.opcodes, add.opcodes, remove.opcodes),
    action_types: types && [...types],
  };
}

function edited<Item>(
  before: ReadonlySet<Item> | undefined,
  add: readonly Item[] = [],
  remove: readonly Item[] = [],
): ReadonlySet<Item> | undefined {
  if (add.length === 0 && (!before || remove.length === 0)) return before;
  const after = new Set([...(before ?? []), ...add]);
  for (const item of remove) after.delete(item);
  return after;
}

/** The name of a list in a change that the kind does not have. */
export function foreignList({ kind }: RecordChoice, ...changes: (Change | undefined)[]): string | undefined {
  const names = changes.flatMap((change) =>
    Object.entries(change ?? {}).flatMap(([name, list]) => (list === undefined ? [] : [name])),
  );
  return names.find((name) => !filtersOf[kind].includes(name));
}
