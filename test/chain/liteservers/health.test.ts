import { describe, expect, test } from "vitest";
import { Health } from "../../../server/chain/liteservers/health.js";
import { ManualTimers } from "../../helpers/manual-timers.js";

const hour = 3_600_000;

describe("the health of a server", () => {
  test("backs off longer after each failure, up to a minute, until the server answers", () => {
    const health = new Health(new ManualTimers(), () => 1);
    const pauses = Array.from({ length: 8 }, () => {
      health.failed();
      return health.pauseMs;
    });
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(health.isSuspended).toBe(true);
    health.answered();
    expect([health.isSuspended, health.pauseMs]).toEqual([false, 1000]);
  });

  test("bans for an hour, then for twice as long each time, for a day at most", () => {
    const timers = new ManualTimers();
    const health = new Health(timers, () => 1);
    const bans = Array.from({ length: 6 }, () => health.ban() / hour);
    expect(bans).toEqual([1, 2, 4, 8, 16, 24]);
    expect([health.isBanned, health.bannedUntil]).toEqual([true, timers.now() + 24 * hour]);
    timers.pass(24 * hour);
    expect(health.isBanned).toBe(false);
    health.banForever();
    timers.pass(1e12);
    expect(health.isBanned).toBe(true);
  });
});
