import { compareKeys } from "../subscriptions/event-key.js";
import type { Interests } from "../subscriptions/interests.js";
import type { StreamEvent } from "./events.js";
import { readUnitEvents } from "./unit-events.js";
import { readUnitRecords } from "./unit-records.js";
import type { UnitSource } from "./unit-source.js";

/** The events of a masterchain block that match any subscription, in order. */
export async function readEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const events = await readUnitEvents(source, interests);
  const records = await readUnitRecords(source, interests);
  return [...events, ...records].sort((a, b) => compareKeys(a.key!, b.key!));
}
