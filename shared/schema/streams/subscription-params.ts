import { z } from "zod";
import { ifJson } from "../../values/json.js";
import { Fault, input, list, type Read, rule, unreadable } from "../input.js";
import { longest, matching } from "../patterns.js";
import {
  actionTypesOf,
  addresses,
  cursorText,
  hash,
  int32,
  lt,
  someOpcodes,
  text,
  utime,
} from "../v3/params.js";

/** Kinds of records for subscriptions. */
const subscriptionKinds = [
  "blocks",
  "transactions",
  "actions",
  "traces",
  "accounts",
  "jettons",
  "trace",
  "message",
] as const;
export type SubscriptionKind = (typeof subscriptionKinds)[number];

/** From emulated to registered by the masterchain. */
export const finalities = ["pending", "confirmed", "finalized"] as const;
export type Finality = (typeof finalities)[number];

/** Parts of events that are sent only on request; `messages` is requested by default. */
export const subscriptionParts = ["address_book", "metadata", "messages", "raw", "text", "abi"] as const;
type SubscriptionPart = (typeof subscriptionParts)[number];

/** The longest list of opcodes or of action types. */
const maxWords = 500;
/** Rules of such a list. `list` names its schema, `name` the parameter. */
const wordsOf = (list: string, name: string) => ({
  name: `${list}To${maxWords}`,
  atMost: { count: maxWords, text: `${name} is too long: at most ${maxWords}` },
});
/** The largest window. */
const maxWindow = 10_000;

function oneOf<const Word extends string>(words: readonly Word[]) {
  const read: Read<Word> = (given) =>
    words.find((word) => word === given) ??
    new Fault("range", (name) => `${name} should be one of: ${words.join(", ")}`);
  return { read, schema: { type: "string", enum: words } };
}

export function word<const Word extends string>(words: readonly Word[]) {
  const { read, schema } = oneOf(words);
  return input<Word, Word>(schema, read);
}

function wordList<const Word extends string>(words: readonly Word[]) {
  return list<Word, string>(matching(words.join("|")), oneOf(words).read);
}

/** Start of a subscription: behind a cursor, or with the first masterchain block at or after a place. */
export type SubscriptionFrom = { cursor: string } | { mc_seqno: number } | { lt: bigint } | { utime: number };

const places = { mc_seqno: int32, lt, utime };
type PlaceGiven =
  | { readonly mc_seqno: number }
  | { readonly lt: z.input<typeof lt> }
  | { readonly utime: number };

const readFrom: Read<SubscriptionFrom> = (given) => {
  const place = typeof given === "string" && given.startsWith("{") ? ifJson(given) : given;
  if (typeof place === "string") return place === "" ? unreadable : { cursor: place };
  if (typeof place !== "object" || place === null || Array.isArray(place)) return unreadable;
  const name = onlyName(place);
  if (name === undefined || !Object.hasOwn(places, name)) return unreadable;
  const read = places[name as keyof typeof places].safeParse((place as Record<string, unknown>)[name]);
  return read.success && read.data >= 0 ? ({ [name]: read.data } as SubscriptionFrom) : unreadable;
};

/** The name of an object's only member. */
function onlyName(object: object): string | undefined {
  let only: string | undefined;
  for (const name in object) {
    if (only !== undefined) return undefined;
    only = name;
  }
  return only;
}

/** A place as JSON text, for callers who send one type of value only. */
const placeText = '\\{"(?:mc_seqno|utime)":(?:0|[1-9]\\d{0,8})\\}|\\{"lt":"\\d{1,18}"\\}';

const place = (name: string, value: object) => ({
  type: "object",
  description: "The first masterchain block at or after a place.",
  properties: { [name]: value },
  required: [name],
  additionalProperties: false,
});

export const from = input<string | PlaceGiven, SubscriptionFrom>(
  {
    "x-name": "SubscriptionStart",
    anyOf: [
      matching(`[A-Za-z0-9_-]{1,${longest.cursor}}|${placeText}`, longest.cursor),
      place("mc_seqno", {
        type: "integer",
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description: "Seqno of a masterchain block.",
      }),
      place("lt", { ...matching("\\d{1,19}"), description: "Logical time." }),
      place("utime", { type: "integer", minimum: 0, maximum: 2 ** 32 - 1, description: "Unix time." }),
    ],
  },
  readFrom,
);

function numberTo(maximum: number) {
  return input<number, number>({ type: "integer", minimum: 1, maximum }, (given) => {
    const read = int32.safeParse(given);
    if (!read.success) return unreadable;
    const isWithin = read.data >= 1 && read.data <= maximum;
    return isWithin ? read.data : new Fault("range", (name) => `${name} must be from 1 to ${maximum}`);
  });
}

const windowSize = numberTo(maxWindow);

/** How long a message may stay unknown, in seconds. */
export const defaultWaitSec = 600;
const maxWaitSec = 86_400;

const waitSeconds = numberTo(maxWaitSec);

const seqno = input<number, number>({ type: "integer", minimum: 0, maximum: 2 ** 31 - 1 }, (given) => {
  const read = int32.safeParse(given);
  return read.success && read.data >= 0 ? read.data : unreadable;
});

/** Lists that `subscription.update` can change. */
const lists = {
  accounts: addresses
    .optional()
    .describe(
      "Transactions on these accounts; actions and traces with one of them; states of them; jetton wallets of these owners or addresses.",
    ),
  opcodes: someOpcodes(wordsOf("OpcodeList", "opcodes"))
    .optional()
    .describe("Opcodes of received messages. Transactions only."),
  action_types: actionTypesOf("action_types", wordsOf("ActionTypeList", "action_types"))
    .optional()
    .describe("Only these types of actions. Actions and traces only."),
  jetton_masters: addresses
    .optional()
    .describe("Jettons. Jetton wallets, and actions with this asset, only."),
};

/** The filters of each kind. */
export const filtersOf: Readonly<Record<SubscriptionKind, readonly string[]>> = {
  blocks: ["workchain"],
  transactions: ["accounts", "opcodes", "workchain"],
  actions: ["accounts", "jetton_masters", "action_types", "supported_action_types"],
  traces: ["accounts", "action_types", "supported_action_types"],
  accounts: ["accounts"],
  jettons: ["accounts", "jetton_masters"],
  trace: ["trace", "action_types", "supported_action_types"],
  message: ["message", "wait"],
};
const allFilters: ReadonlySet<string> = new Set(Object.values(filtersOf).flat());

type Given = {
  kind: SubscriptionKind;
  trace?: Uint8Array | undefined;
  message?: Uint8Array | undefined;
  include?: readonly SubscriptionPart[];
  [name: string]: unknown;
};

/** Refuses filters that the kind does not have: without them more would be sent than the client expects. */
export const filtersOfKind = rule((params: Given) => {
  const [unknown] = Object.keys(params).filter(
    (name) => params[name] !== undefined && allFilters.has(name) && !filtersOf[params.kind]?.includes(name),
  );
  if (unknown !== undefined) return `${unknown} cannot be used with kind ${params.kind}`;
  if (params.include?.includes("raw") && params.kind !== "transactions")
    return `include of raw cannot be used with kind ${params.kind}`;
  if (params.kind === "trace" && !params.trace) return "trace is required for kind trace";
  if (params.kind === "message" && !params.message) return "message is required for kind message";
  return undefined;
});

/** Parameters that select the sent parts of a kind. */
export const selection = {
  ...lists,
  supported_action_types: actionTypesOf(
    "supported_action_types",
    wordsOf("ActionTypeList", "supported_action_types"),
  )
    .optional()
    .describe("Types and versions of actions that the client knows. Actions and traces only."),
  workchain: int32.optional().describe("Blocks and transactions of this workchain only."),
  finality: word(finalities).prefault("finalized").describe("The least finality that is sent."),
  include: wordList(subscriptionParts)
    .prefault(["messages"])
    .describe(
      "Parts of events: address book, metadata of tokens, messages of transactions, the bag of cells of final transactions, texts of actions and of the status of a message, and what ABIs say of messages and exit codes.",
    ),
};

/** Parameters of `subscribe`, and of the event source. */
export const subscribeParams = z
  .object({
    kind: word(subscriptionKinds).describe(
      "Kind of the records; `trace` is one trace, `message` the status of one message, by its hash.",
    ),
    ...selection,
    trace: hash
      .optional()
      .describe(
        "Normalized hash of the external message, or id of the trace. The subscription ends once the trace is complete.",
      ),
    message: hash
      .optional()
      .describe(
        "Hash of a message, as sent or normalized. Its current status is sent first, then every change, regardless of `finality` and `from`. The subscription ends with a final status.",
      ),
    wait: waitSeconds
      .optional()
      .describe(
        `Seconds after which the subscription to a message ends that is still unknown. Default: ${defaultWaitSec}.`,
      ),
    from: from
      .optional()
      .describe(
        "A cursor, or the first masterchain block at or after a seqno, a logical time or a unix time. Default: the newest block.",
      ),
    to: seqno.optional().describe("The masterchain block after which the subscription ends. Default: never."),
    window: windowSize
      .optional()
      .describe("Events that may be sent before the client acknowledges them. Default: no limit."),
  })
  .check(filtersOfKind);

const filterFields = z.object(subscribeParams.shape).omit({ kind: true });
type FilterGiven = z.input<typeof filterFields>;

/** Read by the handler, as parameters of `subscribe`: a refusal names the field that it is about. */
const filter = input<FilterGiven, Readonly<Record<string, unknown>>>(
  {
    type: "object",
    // Made for the documents only: it takes too long for the start.
    get properties() {
      return z.toJSONSchema(filterFields, { io: "input", unrepresentable: "any" }).properties;
    },
  },
  (given) =>
    typeof given === "object" && given !== null && !Array.isArray(given)
      ? (given as Record<string, unknown>)
      : unreadable,
);

/** Parameters of `ton_subscribe`: those of `subscribe`, divided in two. */
export const tonSubscribeParams = z.object({
  kind: subscribeParams.shape.kind,
  filter: filter.optional().describe("The other parameters of `subscribe`."),
});

const subscriptionId = text.describe("Id of the subscription, unique within the connection.");

/** Parameters of `unsubscribe`. */
export const unsubscribeParams = z.object({ subscription: subscriptionId });

/** Parameters of `subscription.ack`. */
export const ackParams = z.object({
  subscription: subscriptionId,
  cursor: cursorText.describe("The cursor of the last event that the client has taken."),
});

const changedLists = z
  .object(lists)
  .meta({ id: "SubscriptionLists", description: "Entries of the lists of a subscription." });

export const change = (what: string) => changedLists.optional().describe(what);

/** Parameters of `subscription.update`. */
export const updateParams = z.object({
  subscription: subscriptionId,
  add: change("Entries to add to the lists of the subscription."),
  remove: change("Entries to remove. Unknown ones are ignored."),
});
