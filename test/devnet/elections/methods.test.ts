import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Config } from "../../../server/config/settings.js";
import { ton } from "../../helpers/chain/devnet.js";
import { isLong } from "../../helpers/effort.js";
import { reach, rotate } from "../../helpers/elections/election-phases.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";

type Elections = {
  preset: string;
  on: boolean;
  participants: number;
  stake: string | null;
  phase: string;
  elect_at: number | null;
  elect_close: number | null;
  next_due: number | null;
  set: {
    since: number;
    until: number;
    election_id: number | null;
    total_weight: string;
    validators: { public_key: string; weight: string; has_key: boolean }[];
  };
  validators: Record<"address" | "public_key" | "balance" | "stake" | "frozen" | "credit", string>[];
  verifiable: boolean;
};
type Complaint = { complaint_hash: string; election_id: number; block: { seqno: number } };

const elector = `-1:${"3".repeat(64)}`;

let elected: DevnetService;
let withoutElections: DevnetService;
/** Snapshots of `elected` before its first election, and of its first elected set. */
let fresh: string;
let start: string;
const snapshot = async () => (await elected.run<{ id: string }>("devnet.snapshot")).id;
beforeAll(async () => {
  [elected, withoutElections] = await Promise.all([
    startDevnetService({ devnetElections: "short" }),
    startDevnetService({ devnetElections: "off" }),
  ]);
  fresh = await snapshot();
  await rotate(elected);
  start = await snapshot();
});
afterAll(() => Promise.all([elected?.close(), withoutElections?.close()]));

/** For tests on the first elected set: the service goes back to it after each. */
function electedService(): DevnetService {
  onTestFinished(async () => {
    await elected.run("devnet.revert", { id: start });
    await elected.run("devnet.setElections", { on: true, participants: 3, stake: "0" });
  });
  return elected;
}

async function open(settings: Partial<Config> = {}): Promise<DevnetService> {
  const service = await startDevnetService({ devnetElections: "short", ...settings });
  onTestFinished(() => service.close());
  return service;
}

/** Error code and text of a call that is refused. */
async function refusal(service: DevnetService, method: string, params: object = {}) {
  const { error } = (await service.rpc(method, params)) as { error?: { code: number; message: string } };
  return error && [error.code, error.message];
}

const electionsOf = (service: DevnetService) => service.run<Elections>("devnet.elections");
const secondsAt = async (service: DevnetService) => (await service.run<{ now: number }>("devnet.info")).now;

describe("devnet.elections", () => {
  it("shows a devnet without elections", async () => {
    const { set, ...rest } = await electionsOf(withoutElections);
    expect(rest).toEqual({
      ...{ preset: "off", on: false, participants: 0, stake: null, phase: "idle" },
      ...{ elect_at: null, elect_close: null, next_due: null, validators: [], verifiable: true },
    });
    expect(set).toMatchObject({ until: 0x7fffffff, election_id: null, total_weight: "1" });
    expect(set.validators).toEqual([{ public_key: expect.any(String), weight: "1", has_key: true }]);
    for (const [method, params] of [
      ["skipPhase", {}],
      ["setElections", { on: true }],
      ["complain", { validator: 0, fine: "1" }],
    ] as const)
      expect(await refusal(withoutElections, `devnet.${method}`, params)).toEqual([
        -32000,
        "this devnet holds no elections: begin one with --devnet-elections",
      ]);
  });

  it("shows the current set, the validators, and the next phase", async () => {
    const service = elected;
    await service.run("devnet.revert", { id: fresh });
    const first = await electionsOf(service);
    expect(first).toMatchObject({
      ...{ preset: "short", on: true, participants: 3, stake: null, phase: "idle", verifiable: true },
      ...{ elect_at: null, elect_close: null, next_due: first.set.since + 600 },
      set: { until: first.set.since + 1200, election_id: null, total_weight: "3" },
    });
    expect(await refusal(service, "devnet.complain", { validator: 0, fine: "1" })).toEqual([
      -32000,
      "the set in force was not elected, so it has no stakes",
    ]);
    for (const { balance, stake, frozen, credit } of first.validators)
      expect([balance, stake, frozen, credit]).toEqual([`${1_000_000n * ton}`, "0", "0", "0"]);
    await reach(service, "open");
    const open_ = await electionsOf(service);
    expect(open_).toMatchObject({
      phase: "open",
      elect_at: first.set.until,
      next_due: first.set.until - 180,
    });
    for (const { balance, stake } of open_.validators) {
      expect(BigInt(balance)).toBeLessThan(500_000n * ton);
      expect(stake).toBe(`${500_000n * ton}`);
    }
    await reach(service, "installed", "idle");
    const second = await electionsOf(service);
    expect(second.set).toMatchObject({ since: first.set.until, election_id: first.set.until });
    const keys = second.set.validators.map(({ public_key }) => public_key);
    expect(keys.sort()).toEqual(second.validators.map(({ public_key }) => public_key).sort());
    expect(second.set.validators.every(({ has_key }) => has_key)).toBe(true);
    for (const { frozen } of second.validators) expect(frozen).toBe(`${500_000n * ton}`);
    start = await snapshot();
  });

  it.each([
    ["data", "te6cckEBAQEAAgAAAEysuc0="],
    // Data whose only reference is no dictionary.
    ["data", "te6cckEBAgEAKgABSUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEBAABfFe0v"],
    ["code", "te6cckEBAQEAAgAAAEysuc0="],
  ])("plans nothing while the elector has other %s, and blocks continue", async (what, boc) => {
    const service = electedService();
    const before = await electionsOf(service);
    const params = { address: elector, [what]: boc };
    await service.run(what === "data" ? "devnet.setData" : "devnet.setCode", params);
    await service.run("devnet.advanceTime", { seconds: 2000 });
    const seqno = await service.mine(3);
    expect(await service.mine()).toBe(seqno + 1);
    const { phase, set, validators } = await electionsOf(service);
    expect(set.validators).toEqual(before.set.validators);
    if (what === "data") expect([phase, validators]).toEqual(["idle", []]);
  });
});

describe("devnet.skipPhase", () => {
  it.runIf(isLong)("goes through rounds of elections, each with new validators", async () => {
    const service = await open();
    const seen = new Set<string>();
    for (let round = 0; round < 5; round++) {
      await rotate(service);
      const { set, verifiable } = await electionsOf(service);
      for (const { public_key } of set.validators) seen.add(public_key);
      expect(verifiable).toBe(true);
      expect(await secondsAt(service)).toBeLessThan(set.since + 10);
    }
    expect(seen.size).toBe(15);
    expect(
      await service.run("runGetMethod", { address: elector, method: "active_election_id", stack: [] }),
    ).toMatchObject({ exit_code: 0, stack: [["num", "0x0"]] });
  });

  it("is refused when time does not end the phase", async () => {
    const service = electedService();
    await service.run("devnet.setElections", { on: false });
    await reach(service, "open", "closed");
    expect(await refusal(service, "devnet.skipPhase")).toEqual([
      -32000,
      "time does not end this phase: an election needs stakes",
    ]);
    await service.run("devnet.setElections", { on: true });
    await service.mine(5);
    expect((await electionsOf(service)).phase).toBe("installed");
  });

  it.runIf(isLong)("goes on after a revert and a reset", async () => {
    const service = await open();
    await rotate(service);
    await reach(service, "open");
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    const before = await electionsOf(service);
    const ends = async () => {
      await reach(service, "installed", "idle");
      return electionsOf(service);
    };
    const after = await ends();
    await service.run("devnet.revert", { id });
    expect(await electionsOf(service)).toEqual(before);
    expect(await ends()).toEqual(after);
    await service.run("devnet.reset");
    expect((await electionsOf(service)).set.election_id).toBeNull();
    await rotate(service);
  });
});

describe("devnet.setElections", () => {
  it("lets some validators sit out, and sets the stake of the others", async () => {
    const service = electedService();
    const stake = 30_000n * ton;
    const frozen = async () => (await electionsOf(service)).validators.map((each) => BigInt(each.frozen));
    const before = await frozen();
    expect(await service.run("devnet.setElections", { participants: 2, stake: `${stake}` })).toMatchObject({
      ...{ on: true, participants: 2, stake: `${stake}` },
    });
    await rotate(service);
    const staked = (await frozen()).map((amount, index) => amount - before[index]!);
    expect(staked).toEqual([stake, stake, 0n]);
    expect((await electionsOf(service)).set.validators).toHaveLength(2);
    expect(await service.run("devnet.setElections", { stake: "0" })).toMatchObject({ stake: null });
  });

  it.each([
    [{ participants: 4 }, "the devnet has 3 validators of its own"],
    [{ participants: 0 }, "participants should be"],
    [{ participants: 17 }, "participants should be"],
    [{ on: "perhaps" }, "failed to parse on"],
    [{ stake: "-1" }, "failed to parse stake"],
  ])("refuses %j", async (params, text) => {
    expect(await refusal(elected, "devnet.setElections", params)).toEqual([
      -32602,
      expect.stringContaining(text),
    ]);
  });
});

describe("devnet.addValidatorKey", () => {
  it("answers with the public key, on any devnet", async () => {
    const seed = Buffer.alloc(32, 0x77);
    for (const form of ["hex", "base64", "base64url"] as const)
      expect(await withoutElections.run("devnet.addValidatorKey", { seed: seed.toString(form) })).toEqual({
        public_key: "C853AD0F0CD2B619AEA92CEEC4FD56A24D6499D584CE79257E45CFD8139B60A7",
      });
  });

  it.each(["", "7".repeat(63), "z".repeat(64), 7])(
    "does not repeat a seed that it refuses: %j",
    async (seed) => {
      const refused = await refusal(withoutElections, "devnet.addValidatorKey", { seed });
      expect(refused![0]).toBe(-32602);
      if (`${seed}` !== "") expect(refused![1]).not.toContain(seed);
    },
  );
});

describe("devnet.complain", () => {
  it("takes a fine from a validator once two thirds have voted", async () => {
    const service = electedService();
    const { set, validators } = await electionsOf(service);
    const fine = 1000n * ton;
    const answer = await service.run<Complaint>("devnet.complain", { validator: 1, fine: `${fine}` });
    expect(answer.election_id).toBe(set.election_id);
    const accused = validators.findIndex(({ public_key }) => public_key === set.validators[1]!.public_key);
    const after = (await electionsOf(service)).validators;
    expect(BigInt(validators[accused]!.frozen) - BigInt(after[accused]!.frozen)).toBe(fine);
    // The complainer is paid from the fine, and recovers that.
    await service.mine(2);
    const [, complaint] = await service
      .run<{ stack: [string, { elements: unknown[] }][] }>("runGetMethod", {
        address: elector,
        method: "list_complaints",
        stack: [["num", `${set.election_id}`]],
      })
      .then(({ stack }) => stack[0]!);
    const hash = Buffer.from(answer.complaint_hash, "base64").toString("hex");
    expect(JSON.stringify(complaint)).toContain(BigInt(`0x${hash}`).toString());
  });

  it("leaves a validator its stake if not enough vote", async () => {
    const service = electedService();
    const before = (await electionsOf(service)).validators.map(({ frozen }) => frozen);
    await service.run("devnet.complain", { validator: 0, fine: `${101n * ton}`, votes: 1 });
    await service.run("devnet.complain", { validator: 2, fine: `${102n * ton}`, votes: 0 });
    expect((await electionsOf(service)).validators.map(({ frozen }) => frozen)).toEqual(before);
  });

  it.runIf(isLong)("works with sixteen voters, and several complaints at once", async () => {
    const service = await open({ devnetValidators: 16 });
    await rotate(service);
    const complaints = await Promise.all(
      [1, 2, 3].map((validator) =>
        service.run<Complaint>("devnet.complain", { validator, fine: `${200n * ton}` }),
      ),
    );
    expect(new Set(complaints.map(({ complaint_hash }) => complaint_hash)).size).toBe(3);
    const { set, validators } = await electionsOf(service);
    const fined = set.validators
      .map(({ public_key }) => validators.find((one) => one.public_key === public_key)!.frozen)
      .map((frozen, _, all) => frozen < all[0]!);
    expect(fined.flatMap((is, index) => (is ? [index] : []))).toEqual([1, 2, 3]);
  });

  it("explains why the elector refuses", async () => {
    const complain = (params: object) => refusal(elected, "devnet.complain", params);
    expect(await complain({ validator: 0, fine: "1" })).toEqual([
      -32000,
      "the elector refused the complaint: the fine must be greater than the price of a complaint",
    ]);
    expect(await complain({ validator: 0, fine: `${600_000n * ton}` })).toEqual([
      -32000,
      "the elector refused the complaint: the fine is greater than the stake",
    ]);
    expect(await complain({ validator: 3, fine: "1" })).toEqual([
      -32602,
      "the set in force has no validator 3",
    ]);
  });
});
