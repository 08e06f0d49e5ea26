import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { place } from "../helpers/contracts/contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { someAddress } from "../helpers/index/detection.js";
import type { Answer } from "../helpers/services/service.js";
import { until } from "../helpers/until.js";
import { besideAttack, cpuSecondsOf, from, harmlessCalls, startDearService } from "./dear-attack.js";

const callers = { "no key": from("192.0.2.1"), "a key": {} };
type Attack = [means: string, attack: "burn" | "emulate", addresses: number, caller: keyof typeof callers];
const attacks: readonly Attack[] = [
  ["get-methods", "burn", 10, "no key"],
  ["get-methods", "burn", 64, "a key"],
  ["emulations", "emulate", 10, "a key"],
  ["emulations", "emulate", 64, "no key"],
];

/** A call needs milliseconds itself, and waited for ten dear runs. */
const runsOfCall = 0.25;

type DearService = Awaited<ReturnType<typeof startDearService>>;

describe("contracts that take much time for their gas", () => {
  let service: DearService;
  beforeAll(async () => {
    service = await startDearService();
  });
  afterAll(() => service.close());

  it.each(attacks)(
    "in %s (%s) of %i addresses leave a caller with %s answered between them",
    async (_, attack, attackers, caller) => {
      const { answered, cpuSeconds, refusals } = await besideAttack(service[attack], attackers, () =>
        service.askHarmless(callers[caller]),
      );
      // When each call waited for the runs before it, there were dozens of them for each.
      expect(answered).toBeLessThan(harmlessCalls);
      expect(await service.runsIn(cpuSeconds)).toBeLessThan(runsOfCall * harmlessCalls);
      for (const { status, headers } of refusals)
        expect([status, Number(headers.get("Retry-After")) > 0]).toEqual([429, true]);
    },
  );

  it("in get-methods of 64 addresses do not keep new code from being answered", async () => {
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => compile(`get fun seqno(): int { return ${n}; }`)),
    );
    for (const [n, code] of codes.entries())
      await place(service, { address: someAddress(0x80 + n).toRaw(), code });
    const { answered, cpuSeconds } = await besideAttack(service.burn, 64, async () => {
      for (const n of codes.keys())
        expect((await service.seqno(someAddress(0x80 + n), from("192.0.2.1"))).status).toBe(200);
    });
    expect(answered).toBeLessThan(codes.length);
    expect(await service.runsIn(cpuSeconds)).toBeLessThan(runsOfCall * codes.length);
  });

  it("are cut in emulations after a second of processor time", async () => {
    let answer: Answer;
    await until("runs of the attacks that have ended hold up no emulation", async () => {
      const cpuSeconds = await cpuSecondsOf(async () => {
        answer = await service.emulate(0);
      });
      // Beyond the second: the run that is cut, the request and its answer.
      return answer.status === 200 && (await service.runsIn(cpuSeconds - 1)) < 1.5;
    });
    const { is_incomplete, transactions } = answer!.json as { is_incomplete: boolean; transactions: object };
    expect([is_incomplete, Object.keys(transactions).length < 256]).toEqual([true, true]);
  });
});
