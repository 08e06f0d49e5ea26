import type { UnitName } from "../../store/queries/blocks/units.js";
import type { PendingEvents } from "../pending-events.js";
import { endOf } from "./event-key.js";
import { type Filter, nothing } from "./filter.js";
import { type Entries, Interests } from "./interests.js";
import type { Subscription } from "./subscription.js";

/** A filter that replaces one with the same lists; some lists gained or lost entries. */
export type FilterEdit = { readonly filter: Filter; readonly added: Entries; readonly removed: Entries };

/** The open subscriptions of a hub. */
export class Audience {
  readonly interests = new Interests();
  readonly #pendingEvents: Pick<PendingEvents, "drop"> | undefined;

  constructor(pendingEvents: Pick<PendingEvents, "drop"> | undefined) {
    this.#pendingEvents = pendingEvents;
  }

  get all(): ReadonlySet<Subscription> {
    return this.interests.all;
  }

  add(subscription: Subscription): void {
    this.interests.add(subscription);
  }

  /** Replaces what a subscription receives, from now on. */
  change(subscription: Subscription, filter: Filter): void {
    this.interests.remove(subscription);
    subscription.filter = filter;
    this.interests.add(subscription);
  }

  /** As `change`, but costs only the difference. */
  edit(subscription: Subscription, { filter, added, removed }: FilterEdit): void {
    this.interests.edit(subscription, filter, added, removed);
  }

  remove(subscription: Subscription): void {
    if (!subscription.isOpen) return;
    subscription.isOpen = false;
    this.interests.remove(subscription);
    this.#pendingEvents?.drop(subscription);
    // The sent log may hold the subscription for a while; release its filter and unsent events now.
    subscription.filter = nothing;
    subscription.rest = undefined;
  }

  /** Ends a subscription that can receive nothing more. */
  finish(subscription: Subscription): void {
    if (!subscription.isOpen) return;
    subscription.sink.tell({ type: "end" });
    this.remove(subscription);
  }

  /** Ends the subscriptions to a single trace once it is complete. */
  finishTrace(subscription: Subscription, unit: UnitName): void {
    if (!subscription.filter.requires?.has("traces")) return;
    subscription.after = endOf(unit);
    this.finish(subscription);
  }
}
