// Types of answers by their names in `shared/schema`. The package has these declarations in place of those, which need zod.
import type { Action, ActionKind, AddressBookEntry, MetadataEntry } from "../api.js";

export type { Action, MessageStatus, Preview, TokenInfo, TraceFailure } from "../api.js";

export type ActionType = Action["type"];
export type ActionDetails = {
  readonly [Type in ActionType]: Extract<ActionKind, { type: Type }>["details"];
};
export type AddressBook = Record<string, AddressBookEntry>;
export type Metadata = Record<string, MetadataEntry>;
