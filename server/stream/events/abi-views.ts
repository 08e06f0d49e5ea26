import type { BookSettings } from "../../present/v3/answer-extras.js";
import type { AbiSource } from "../../present/v3/record-abis.js";
import type { Interests } from "../subscriptions/interests.js";

/** The view of subscribers who have added no artifacts. */
export const commonView = "";

/**
 * Subscribers' views of artifacts, by the owner of the files. Events are read once for each of these views, however
 * many subscriptions have it.
 */
export type AbiViews = ReadonlyMap<string, BookSettings["artifacts"]>;

/** The views of those subscriptions that want what ABIs say. */
export function abiViews(
  { abiOwners }: Pick<Interests, "abiOwners">,
  { artifacts, seenBy }: Pick<BookSettings, "artifacts" | "seenBy">,
): AbiViews {
  const views = new Map<string, BookSettings["artifacts"]>();
  for (const owner of abiOwners) {
    const seen = seenBy?.(owner) ?? artifacts;
    views.set(seen === artifacts ? commonView : owner, seen);
  }
  return views;
}

/** Reads records for each view: what ABIs say of each of them, by view. */
export async function readByViews<Named>(
  views: AbiViews,
  count: number,
  read: (book: AbiSource["book"], view: string) => Promise<readonly Named[]>,
): Promise<ReadonlyMap<string, Named>[]> {
  const all = Array.from({ length: count }, () => new Map<string, Named>());
  for (const [view, artifacts] of views) {
    const named = await read({ ...(artifacts && { artifacts }) }, view);
    for (const [at, each] of named.entries()) all[at]?.set(view, each);
  }
  return all;
}
