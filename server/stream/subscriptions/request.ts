import { hash } from "../../../shared/schema/v3/params.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { actionChoice } from "./action-choice.js";
import { type EventType, eventTypes, type Filter, type Finality, finalities } from "./filter.js";

/** A refused request; the message is shown to the client. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

/** The fields of a client's subscription; absent and null fields are `undefined`. */
type SubscriptionFields = {
  types: readonly string[] | undefined;
  addresses: readonly string[] | undefined;
  traces: readonly string[] | undefined;
  bodyHash: string | undefined;
  minFinality: Finality | undefined;
  actionTypes: readonly string[] | undefined;
  supported: readonly string[] | undefined;
  withAddressBook: boolean | undefined;
  withMetadata: boolean | undefined;
  withTexts: boolean | undefined;
  withAbi: boolean | undefined;
  /** Whether what is kept of the past comes first. */
  replays: boolean | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

/** Limit on a list of action types; far above the number of types. */
const maxWords = 500;
const maxWordLength = 100;

/** Parses a request. `what` begins the text of a refusal. */
export function readObject(text: string, what: string): Fields {
  return within(what, () => {
    const value: unknown = parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new RequestError("an object is expected");
    return value as Fields;
  });
}

/** The request's id, repeated in the answer. */
export function readId(fields: Fields, what: string): string | undefined {
  return within(what, () => readText(fields, "id"));
}

/** The operation of a request; empty if it names none. Throws `RequestError`, which begins with `what`. */
export function readOperation(fields: Fields, what: string): string {
  return within(what, () => readText(fields, "operation") ?? "");
}

/** The fields of a request that subscribes. Throws `RequestError` for the first one of a wrong type. */
export function readSubscription(fields: Fields, what: string): SubscriptionFields {
  return within(what, () => ({
    types: readTexts(fields, "types"),
    ...readNamesOf(fields),
    bodyHash: readText(fields, "msg_body_hash"),
    minFinality: readFinality(fields),
    actionTypes: readWords(fields, "action_types"),
    supported: readWords(fields, "supported_action_types"),
    withAddressBook: readFlag(fields, "include_address_book"),
    withMetadata: readFlag(fields, "include_metadata"),
    withTexts: readFlag(fields, "include_text"),
    withAbi: readFlag(fields, "include_abi"),
    replays: readFlag(fields, "replay_existing"),
  }));
}

/** The addresses and traces of a request. */
export function readNames(fields: Fields, what: string): Pick<SubscriptionFields, "addresses" | "traces"> {
  return within(what, () => readNamesOf(fields));
}

function readNamesOf(fields: Fields): Pick<SubscriptionFields, "addresses" | "traces"> {
  return {
    addresses: readTexts(fields, "addresses"),
    traces: readTexts(fields, "trace_external_hash_norms"),
  };
}

/** The client's settings so far; later requests may omit members. */
export type Choices = {
  minFinality: Finality;
  actionTypes: readonly string[];
  supported: readonly string[];
  withAddressBook: boolean;
  withMetadata: boolean;
  withTexts: boolean;
  withAbi: boolean;
};

/** `actionsVersion` comes from the header, for clients that name no types. */
export function defaultChoices(actionsVersion: string | undefined): Choices {
  return {
    minFinality: "finalized",
    actionTypes: [],
    supported: actionsVersion ? [actionsVersion] : [],
    withAddressBook: false,
    withMetadata: false,
    withTexts: false,
    withAbi: false,
  };
}

/** The choices of a request, completed with the earlier ones. */
export function chosen(fields: SubscriptionFields, before: Choices): Choices {
  return {
    minFinality: fields.minFinality ?? before.minFinality,
    actionTypes: fields.actionTypes ?? before.actionTypes,
    supported: fields.supported ?? before.supported,
    withAddressBook: fields.withAddressBook ?? before.withAddressBook,
    withMetadata: fields.withMetadata ?? before.withMetadata,
    withTexts: fields.withTexts ?? before.withTexts,
    withAbi: fields.withAbi ?? before.withAbi,
  };
}

/** Refusals of subscriptions without types or addresses; they differ between transports. */
type Texts = { noTypes: string; noAddresses: string };

/** Throws `RequestError` with the first error, checked in TON Center's order. */
export function filterOf(
  fields: SubscriptionFields,
  choices: Choices,
  { owner, ...texts }: Texts & Pick<Filter, "owner">,
): Filter {
  const types = readTypes(fields.types ?? [], texts);
  const addresses = readAddresses(fields.addresses ?? []);
  const traces = readTraces(fields.traces ?? []);
  if (traces.size > 0 && !types.has("trace"))
    throw new RequestError('trace_external_hash_norms requires type "trace"');
  if (types.has("trace") && traces.size === 0)
    throw new RequestError("trace_external_hash_norms are required for trace subscription");
  if ([...types].some((type) => type !== "trace") && addresses.size === 0)
    throw new RequestError(texts.noAddresses);
  const bodyHash = fields.bodyHash === undefined ? undefined : readBodyHash(fields.bodyHash, types);
  const { minFinality, withAddressBook, withMetadata, withTexts, withAbi } = choices;
  const actions = actionChoice(choices.supported, choices.actionTypes);
  const names = { types, addresses, traces, bodyHash, owner };
  return { ...names, minFinality, actions, withAddressBook, withMetadata, withTexts, withAbi };
}

function readTypes(names: readonly string[], { noTypes }: Texts): Set<EventType> {
  if (names.length === 0) throw new RequestError(noTypes);
  const types = new Set<EventType>();
  for (const name of names) {
    // Sent to every client.
    if (name === "trace_invalidated") continue;
    const type = eventTypes.find((each) => each === name);
    if (!type) throw new RequestError(`invalid event type: ${shortened(name)}`);
    types.add(type);
  }
  return types;
}

/** With transactions there are addresses. */
function readBodyHash(text: string, types: ReadonlySet<EventType>): string {
  const read = hash.safeParse(text);
  if (!read.success) throw new RequestError("msg_body_hash is not a hash");
  if (!types.has("transactions")) throw new RequestError('msg_body_hash requires type "transactions"');
  return bytesToBase64(read.data);
}

const notStandard = /^(?:null|addr_none|(?:ext|var)\$.*)$/s;

/** Raw addresses in capitals, without duplicates. */
export function readAddresses(texts: readonly string[]): Set<string> {
  return new Set(
    texts.map((text) => {
      const trimmed = text.trim();
      if (notStandard.test(trimmed)) throw new RequestError("address is not standard");
      const read = Address.read(trimmed);
      if (!read) throw new RequestError(`cannot parse address: ${shortened(text)}`);
      return read.address.toRawUpper();
    }),
  );
}

/** Base64 hashes, without duplicates. */
export function readTraces(texts: readonly string[]): Set<string> {
  return new Set(
    texts.map((text) => {
      const read = hash.safeParse(text);
      if (!read.success) throw new RequestError("trace_external_hash_norms contains empty value");
      return bytesToBase64(read.data);
    }),
  );
}

function within<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RequestError) throw new RequestError(`${what}: ${error.message}`);
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RequestError((error as Error).message);
  }
}

function readText(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw new RequestError(`${name} must be a string`);
}

function readFlag(fields: Fields, name: string): boolean | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  throw new RequestError(`${name} must be a boolean`);
}

function readTexts(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
    throw new RequestError(`${name} must be a list of strings`);
  return value;
}

function readWords(fields: Fields, name: string): readonly string[] | undefined {
  const words = readTexts(fields, name);
  if (words && (words.length > maxWords || words.some(({ length }) => length > maxWordLength)))
    throw new RequestError(`${name} is too long`);
  return words;
}

function readFinality(fields: Fields): Finality | undefined {
  const name = readText(fields, "min_finality");
  if (name === undefined) return undefined;
  const finality = finalities.find((each) => each === name);
  if (!finality) throw new RequestError(`unknown finality state: ${shortened(name)}`);
  return finality;
}

/** The beginning of a client's text, enough to recognise it. */
function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
