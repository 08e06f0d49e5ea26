import type { Hub } from "../../stream/hub.js";
import { RequestError } from "../../stream/subscriptions/request.js";
import type { Replay } from "../../stream/subscriptions/subscription.js";
import type { Place } from "./connections.js";

/** The past that a subscription gets first. Throws `RequestError` if the caller has read too many blocks of the past. */
export async function replayOf(
  hub: Pick<Hub, "lastSeconds">,
  place: Pick<Place, "takeHistory">,
): Promise<Replay> {
  const replay = await hub.lastSeconds();
  if (place.takeHistory(replay.to - replay.from)) return replay;
  throw new RequestError("replay_existing is asked for too often");
}
