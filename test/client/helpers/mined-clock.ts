import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { FakeClock } from "./fake-clock.js";

/** A clock that makes a block at every wait. */
export function minedClock(service: Pick<DevnetService, "mine">): FakeClock {
  const clock = new FakeClock();
  const { setTimeout } = clock;
  clock.setTimeout = (run, ms) => {
    const timer = setTimeout(run, ms);
    if (ms > 0) service.mine().then(() => clock.advance(ms));
    return timer;
  };
  return clock;
}
