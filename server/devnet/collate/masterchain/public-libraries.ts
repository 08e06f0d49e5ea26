import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesKey, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import { unit } from "../../../../shared/ton/tlb/primitives.js";
import type { ShardAccount } from "../../../../shared/ton/tlb/shard-account.js";
import type { Libraries } from "../../../../shared/ton/tlb/shard-state.js";
import { bytesEqual } from "../../../../shared/values/bytes.js";
import type { TouchedAccount } from "../block/touched-accounts.js";

const noPublishers = Dictionary.empty(bytesKey(32), unit);

/** Adds and removes the libraries that accounts have published and withdrawn in a masterchain block. */
export function updateLibraries(libraries: Libraries, accounts: readonly TouchedAccount[]): Libraries {
  let updated = libraries;
  for (const { id, before, now } of accounts) {
    const had = publicLibraries(before);
    const has = publicLibraries(now);
    for (const [hash] of had) if (!has.has(hash)) updated = withdraw(updated, Buffer.from(hash, "hex"), id);
    for (const [hash, root] of has) if (!had.has(hash)) updated = publish(updated, root, id);
  }
  return updated;
}

/** Public libraries of an account, by hash in hex. A library under another key than its hash is ignored. */
export function publicLibraries({ account }: ShardAccount): Map<string, Cell> {
  const found = new Map<string, Cell>();
  const state = account.value?.storage.state;
  if (state?.kind !== "active" || !state.init.library.root) return found;
  for (const [hash, library] of state.init.library.entries())
    if (library.public && bytesEqual(hash, library.root.hash()))
      found.set(library.root.hashHex(), library.root);
  return found;
}

/** Adds a library, or another publisher of a known one. */
export function publish(libraries: Libraries, lib: Cell, publisher: Uint8Array): Libraries {
  const publishers = libraries.get(lib.hash())?.publishers ?? noPublishers;
  return libraries.set(lib.hash(), { lib, publishers: publishers.set(publisher, true) });
}

function withdraw(libraries: Libraries, hash: Uint8Array, publisher: Uint8Array): Libraries {
  const known = libraries.get(hash);
  if (!known) return libraries;
  const publishers = known.publishers.delete(publisher);
  return publishers.root ? libraries.set(hash, { ...known, publishers }) : libraries.delete(hash);
}
