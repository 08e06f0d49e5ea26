import type { ActionMembers, StoredType } from "../../../shared/actions/all.js";
import { BlockKind } from "./block-kind.js";
import type { AddressText } from "./trace.js";

type RowOptions<Members> = {
  readonly name?: string;
  readonly isLeaf?: boolean;
  readonly accounts?: (members: Members) => readonly (AddressText | undefined)[];
};

/** A kind whose block data are exactly the members of its action. */
export function rowKind<T extends StoredType>(
  type: T,
  { name = type, ...options }: RowOptions<ActionMembers<T>> = {},
): BlockKind<T, ActionMembers<T>> {
  return new BlockKind<T, ActionMembers<T>>(name, { type, row: (members) => members, ...options });
}
