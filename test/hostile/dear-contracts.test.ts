import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cell } from "../../server/cells/cell.js";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import type { Address } from "../../shared/values/address.js";
import { withResolvers } from "../../shared/values/with-resolvers.js";
import { bocText, place } from "../helpers/contracts.js";
import { dearContract } from "../helpers/dear-contracts.js";
import { someAddress } from "../helpers/detection.js";
import { type DevnetService, startDevnetService } from "../helpers/devnet-service.js";
import { tracePath } from "../helpers/emulated.js";
import type { AskOptions } from "../helpers/service.js";
import { compile } from "../helpers/tolk.js";
import { until } from "../helpers/until.js";

const attackers = 24;
const harmlessCalls = 40;
const dear = Array.from({ length: 4 }, (_, n) => someAddress(0x20 + n));
const harmless = Array.from({ length: harmlessCalls }, (_, n) => someAddress(0x40 + n));
/** The request of a caller without a key, through the proxy that the service trusts. */
const from = (address: string) => ({ key: null, headers: { "X-Forwarded-For": address } });

describe("contracts that take much time for their gas", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await startDevnetService({
      index: true,
      trustProxy: { hops: 1 },
      anonymousRps: "unlimited",
    });
    const wallet = await compile("get fun seqno(): int { return 7; }");
    for (const [n, address] of dear.entries())
      await place(service, {
        address: address.toRaw(),
        code: await dearContract(n),
        balance: "1000000000000",
      });
    for (const address of harmless) await place(service, { address: address.toRaw(), code: wallet });
  });
  afterAll(() => service.close());

  /** Calls that are all different, and not cached therefore. */
  let calls = 0;
  const burn = (attacker: number) =>
    service.post(
      "/api/v2/runGetMethod",
      { address: dear[attacker % dear.length]!.toRaw(), method: "burn", stack: [["num", `${++calls}`]] },
      from(`10.${attacker}.0.1`),
    );
  const emulate = (attacker: number) =>
    service.post(
      tracePath,
      {
        boc: bocText(externalMessage(dear[attacker % dear.length]!, Cell.empty)),
        supported_action_types: [`v${++calls}`],
      },
      from(`10.${attacker}.0.1`),
    );
  const seqno = (address: Address, caller: AskOptions) =>
    service.post("/api/v2/runGetMethod", { address: address.toRaw(), method: "seqno", stack: [] }, caller);

  /**
   * Attackers each ask again as soon as they are answered, or another one is if they were refused. Returns how many calls
   * they have had answered meanwhile.
   */
  async function besideAttack<T>(
    attack: (attacker: number) => Promise<{ status: number }>,
    work: () => Promise<T>,
  ) {
    let [ended, hasEnded] = [0, false];
    const statuses = new Set<number>();
    let [next, tellNext] = nextEnd();
    const asking = Array.from({ length: attackers }, async (_, attacker) => {
      while (!hasEnded) {
        const { status } = await attack(attacker);
        statuses.add(status);
        if (status !== 200) {
          await next;
          continue;
        }
        ended++;
        tellNext();
        [next, tellNext] = nextEnd();
      }
    });
    try {
      await until("the attack goes on", async () => ended > 0);
      const before = ended;
      const result = await work();
      return { result, meanwhile: ended - before, statuses };
    } finally {
      hasEnded = true;
      tellNext();
      await Promise.all(asking);
    }
  }

  async function askHarmless(caller: AskOptions) {
    for (const address of harmless) {
      const { status, json } = await seqno(address, caller);
      expect([status, (json as { result: { exit_code: number } }).result.exit_code]).toEqual([200, 0]);
    }
  }

  describe.each([
    ["get-methods", burn],
    ["emulations", emulate],
  ] as const)("in %s of many addresses", (_, attack) => {
    it.each([
      ["a key", {}],
      ["no key", from("192.0.2.1")],
    ])("leave a caller with %s answered between them", async (_, caller) => {
      const { meanwhile, statuses } = await besideAttack(attack, () => askHarmless(caller));
      // When each call waited for the runs before it, there were dozens of them for each.
      expect(meanwhile).toBeLessThan(10 * harmlessCalls);
      for (const status of statuses) expect([200, 429]).toContain(status);
    });
  });

  it("leave runs of other code answered that nobody has run before", async () => {
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => compile(`get fun seqno(): int { return ${1000 + n}; }`)),
    );
    for (const [n, code] of codes.entries())
      await place(service, { address: someAddress(0x80 + n).toRaw(), code });
    const { meanwhile } = await besideAttack(burn, async () => {
      for (const n of codes.keys())
        expect((await seqno(someAddress(0x80 + n), from("192.0.2.1"))).status).toBe(200);
    });
    expect(meanwhile).toBeLessThan(10 * codes.length);
  });

  it("are cut in emulations after a second of processor time", async () => {
    const before = process.cpuUsage();
    const { status, json } = await emulate(0);
    const { user, system } = process.cpuUsage(before);
    expect([status, (json as { is_incomplete: boolean }).is_incomplete]).toEqual([200, true]);
    const { transactions } = json as { transactions: object };
    expect(Object.keys(transactions).length).toBeLessThan(256);
    expect((user + system) / 1e6).toBeLessThan(2.5);
  });
});

/** A promise, and what resolves it. */
function nextEnd(): [Promise<void>, () => void] {
  const { promise, resolve } = withResolvers<void>();
  return [promise, () => resolve()];
}

describe("a call that took long", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await startDevnetService({ trustProxy: { hops: 1 }, anonymousRps: 1 });
    await place(service, { address: dear[0]!.toRaw(), code: await dearContract(0) });
  });
  afterAll(() => service.close());

  it("costs more points, which the windows that follow pay", async () => {
    const ask = (method: string, address: string) =>
      service.post("/api/v2/runGetMethod", { address: dear[0]!.toRaw(), method, stack: [] }, from(address));
    const cheap = await ask("seqno", "192.0.2.1");
    expect([cheap.status, cheap.headers.get("RateLimit")]).toEqual([200, '"anonymous";r=0;t=1']);
    expect((await ask("burn", "192.0.2.2")).status).toBe(200);
    const refused = await ask("seqno", "192.0.2.2");
    expect(refused.status).toBe(429);
    // 100 ms of processor time are four points, of which there is one in a second.
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThanOrEqual(3);
    expect(refused.headers.get("RateLimit")).toBe(`"anonymous";r=0;t=${seconds}`);
  });
});
