import { describe, expect, it } from "vitest";
import { type BeatingSession, Silences } from "../../../server/store/wire/silences.js";

const limitMs = 10_000;

/** A session, after so many beats. */
const session = (pid: number, beat: number, started = "1"): BeatingSession => ({
  pid,
  started,
  beat: String(beat),
  process: "0123456789ab",
});

/** Takes looks at times in seconds; returns the numbers of sessions that are silent at the last one. */
function silentAfter(looks: readonly (readonly [second: number, sessions: readonly BeatingSession[]])[]) {
  const silences = new Silences(limitMs);
  let silent: readonly BeatingSession[] = [];
  for (const [second, sessions] of looks) silent = silences.look(second * 1000, sessions);
  return silent.map(({ pid }) => pid);
}

/** One look a second, from the first second to the last one. */
const everySecond = (from: number, to: number, sessions: (second: number) => readonly BeatingSession[]) =>
  Array.from({ length: to - from + 1 }, (_, i) => [from + i, sessions(from + i)] as const);

describe("the silence of a session", () => {
  it("is too long after the limit, for each session alone", () => {
    const one = (second: number) => [session(1, 5), session(2, second)];
    expect(silentAfter(everySecond(0, 9, one))).toEqual([]);
    expect(silentAfter(everySecond(0, 10, one))).toEqual([1]);
  });

  it("ends with a beat, with the session, and with another session of its number", () => {
    const beats = (second: number) => [session(1, second < 9 ? 0 : 1)];
    expect(silentAfter(everySecond(0, 18, beats))).toEqual([]);
    expect(silentAfter(everySecond(0, 19, beats))).toEqual([1]);
    const goes = (second: number) => (second === 9 ? [] : [session(1, 0)]);
    expect(silentAfter(everySecond(0, 19, goes))).toEqual([]);
    const replaced = (second: number) => [session(1, 0, second < 9 ? "1" : "2")];
    expect(silentAfter(everySecond(0, 18, replaced))).toEqual([]);
  });

  it("does not grow by an outage of the database, after which a beat can come", () => {
    const before = everySecond(0, 3, () => [session(1, 3)]);
    // The database answers again after an hour. The beat that waited comes after the look that waited.
    const first = [3600, [session(1, 3)]] as const;
    expect(silentAfter([...before, first])).toEqual([]);
    expect(
      silentAfter([...before, first, ...everySecond(3601, 3612, (second) => [session(1, second)])]),
    ).toEqual([]);
    // A process that ended its life meanwhile has the rest of the limit.
    const silent = (to: number) =>
      silentAfter([...before, first, ...everySecond(3601, to, () => [session(1, 3)])]);
    expect(silent(3604)).toEqual([]);
    expect(silent(3605)).toEqual([1]);
  });

  it("does not depend on steps of the clock", () => {
    const hour = 3600;
    const forward = everySecond(1, 9, (second) => [session(1, second)]);
    // The clock is set on between a beat and a look.
    expect(silentAfter([...forward, [9 + hour, [session(1, 9)]], [10 + hour, [session(1, 10)]]])).toEqual([]);
    const back = [
      ...everySecond(hour, hour + 5, () => [session(1, 0)]),
      ...everySecond(0, 5, () => [session(1, 0)]),
    ];
    // The look at which the clock went back does not count.
    expect(silentAfter(back.slice(0, -1))).toEqual([]);
    expect(silentAfter(back)).toEqual([1]);
  });

  it("is not found by fewer than four looks after the first", () => {
    const rare = (count: number) =>
      Array.from({ length: count }, (_, i) => [i * 60, [session(1, 0)]] as const);
    expect(silentAfter(rare(4))).toEqual([]);
    expect(silentAfter(rare(5))).toEqual([1]);
  });
});
