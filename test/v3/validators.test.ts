import { describe, expect, it } from "vitest";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { checked, type V3Path, type V3Result } from "../helpers/http/v3-results.js";
import { databaseKinds } from "../helpers/store/databases.js";
import {
  adnlOf,
  complaintRow,
  cycleRow,
  electionRow,
  eventRow,
  holderOf,
  memberRow,
  participantRow,
  pubkeyOf,
} from "../helpers/store/made-validators.js";
import { bytesOf, hashOf, storeRows } from "../helpers/store/rows.js";

const key = (number: number) => bytesToHex(pubkeyOf(number)).toUpperCase();
const adnl = (number: number) => bytesToHex(adnlOf(number)).toUpperCase();
const raw = (number: number) => holderOf(number).toRawUpper();
const complaintHash = (election: number, number: number, at: number) =>
  hashOf(`complaint ${election} ${number} ${at}`);

/** Elections 1000, 2000 and 3000; cycles 500, which was not elected, 1000 and 2000. */
const rows = {
  validatorEvents: [
    eventRow("stake_accepted", {
      ...{ tx_lt: 10n, utime: 100, stake_holder: bytesOf(holderOf(1)), query_id: 3n, amount: 900n },
      ...{ validator_pubkey: pubkeyOf(1), adnl_addr: adnlOf(1), election_id: 1000 },
    }),
    eventRow("stake_rejected", {
      ...{ tx_lt: 20n, utime: 100, stake_holder: bytesOf(holderOf(2)), amount: 1n, reason: 5 },
      ...{ validator_pubkey: pubkeyOf(2), adnl_addr: adnlOf(2), election_id: 1000 },
    }),
    eventRow("recover_requested", { tx_lt: 30n, utime: 300, stake_holder: bytesOf(holderOf(1)) }),
    eventRow("stake_recovered", { tx_lt: 40n, utime: 300, stake_holder: bytesOf(holderOf(1)) }),
    eventRow("recover_failed", { tx_lt: 50n, utime: 310, stake_holder: bytesOf(holderOf(2)) }),
  ],
  validatorElections: [
    electionRow({ election_id: 1000 }),
    electionRow({ election_id: 2000, failed: true }),
    electionRow({ election_id: 3000, finished: false }),
  ],
  validatorElectionParticipants: [
    ...[1, 2, 3].map((number) => participantRow(number, { election_id: 1000 })),
    ...[1, 2].map((number) => participantRow(number, { election_id: 2000 })),
    // Another stake holder with the same key, and one that is not elected.
    participantRow(2, { election_id: 1000, stake_holder: bytesOf(holderOf(7)), max_factor: 65_536 }),
  ],
  validatorCycles: [
    cycleRow({ utime_since: 500 }),
    cycleRow({ utime_since: 1000, election_id: 1000, total_stake: 600n }),
    cycleRow({ utime_since: 2000, election_id: 2000, total_stake: 300n }),
  ],
  validatorCycleMembers: [
    memberRow(8, { utime_since: 500, index: 0 }),
    memberRow(3, { utime_since: 1000, index: 0, stake: 300n }),
    memberRow(2, { utime_since: 1000, index: 1, stake: 200n, weight: 150n }),
    memberRow(1, { utime_since: 1000, index: 2, stake: 100n, weight: 50n }),
    memberRow(1, { utime_since: 2000, index: 0, stake: 100n }),
    memberRow(2, { utime_since: 2000, index: 1 }),
  ],
  validatorComplaints: [
    // Passed by the set of 1000: of 300 there are 200 needed.
    complaintRow(2, {
      ...{ election_id: 1000, created_at: 1010, voters: [0, 1], vset_id: hashOf("set 1000") },
      weight_remaining: -50n,
    }),
    complaintRow(1, { election_id: 1000, created_at: 1020 }),
    // Votes of a set that is not known.
    complaintRow(1, {
      ...{ election_id: 2000, created_at: 2010, voters: [4], vset_id: hashOf("another set") },
      weight_remaining: 101n,
    }),
    // A complaint about an unknown cycle.
    complaintRow(1, { election_id: 9000, created_at: 2020 }),
  ],
};

describe.each(databaseKinds)("on %s", (_, open) => {
  const suite = indexOfSuite(open, (database) => storeRows(database, rows));

  const ask = async <Path extends V3Path>(path: Path, query = ""): Promise<V3Result<Path>> =>
    checked(path, await suite.app.result(`${path}?${query}`));
  const refusal = async (path: string) => {
    const [status, body] = await suite.app.get<{ error: string }>(path);
    return [status, body.error];
  };
  const call = async (method: string, params: object) =>
    (await suite.app.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method, params })).json;

  /** Inputs that all four lists refuse. */
  async function expectCommonRefusals(name: string): Promise<void> {
    const path = `validators/${name}`;
    const either = "provide either stake_holder_address or adnl_address, not both";
    const tail = "must be a 32-byte value in hex, base64 or base64url format";
    expect(await refusal(`${path}?stake_holder_address=${raw(1)}&adnl_address=${adnl(1)}`)).toEqual([
      422,
      either,
    ]);
    expect(await refusal(`${path}?adnl_address=abc`)).toEqual([422, `adnl_address ${tail}`]);
    expect(await refusal(`${path}?validator_pubkey=abc`)).toEqual([422, `validator_pubkey ${tail}`]);
    expect(await refusal(`${path}?start_utime=2&end_utime=1`)).toEqual([
      422,
      "start_utime must be less than or equal to end_utime",
    ]);
    expect(await call(`v3.validators.${name}`, { start_utime: 2, end_utime: 1 })).toMatchObject({
      error: { code: -32602, message: "start_utime must be less than or equal to end_utime" },
    });
  }

  it.each(["events", "elections", "cycles", "complaints"] as const)(
    "the address that is asked for is in the address book of %s, also if nothing is found",
    async (name) => {
      const { address_book, ...found } = await ask(`validators/${name}`, `stake_holder_address=${raw(77)}`);
      expect(found).toEqual({ [name]: [] });
      expect(Object.keys(address_book)).toEqual([raw(77)]);
    },
  );

  describe("v3.validators.events", () => {
    const lts = async (query: string) =>
      (await ask("validators/events", query)).events.map(({ tx_lt }) => Number(tx_lt));

    it("lists events, newest first, with their details", async () => {
      const { events, address_book } = await ask("validators/events", "limit=4&offset=1");
      expect(events.map(({ type }) => type)).toEqual([
        "stake_recovered",
        "recover_requested",
        "stake_rejected",
        "stake_accepted",
      ]);
      expect(events.slice(2)).toEqual([
        {
          ...{ tx_hash: bytesToBase64(hashOf("stake 20")), tx_lt: "20", utime: 100, type: "stake_rejected" },
          ...{ stake_holder_address: raw(2), validator_pubkey: key(2), adnl_addr: adnl(2) },
          ...{ election_id: 1000, query_id: "0", amount: "1", reason: 5 },
        },
        {
          ...{ tx_hash: bytesToBase64(hashOf("stake 10")), tx_lt: "10", utime: 100, type: "stake_accepted" },
          ...{ stake_holder_address: raw(1), validator_pubkey: key(1), adnl_addr: adnl(1) },
          ...{ election_id: 1000, query_id: "3", amount: "900" },
        },
      ]);
      expect(Object.keys(address_book)).toEqual([raw(1), raw(2)].sort());
    });

    it("filters by stake holder, key, ADNL address, type and time, and echoes the times", async () => {
      expect(await lts(`stake_holder_address=${raw(1)}`)).toEqual([40, 30, 10]);
      expect(await lts(`validator_pubkey=${key(2)}`)).toEqual([20]);
      expect(await lts(`adnl_address=${encodeURIComponent(bytesToBase64(adnlOf(1)))}`)).toEqual([10]);
      expect(await lts(`adnl_address=${adnl(1)}&validator_pubkey=${key(2)}`)).toEqual([]);
      expect(await lts("type=stake_recovered")).toEqual([40]);
      expect(await lts("type=stake")).toEqual([]);
      expect(await lts("start_utime=300&end_utime=300")).toEqual([40, 30]);
      expect(await ask("validators/events", "start_utime=400&end_utime=500")).toEqual({
        ...{ start_utime: 400, end_utime: 500, events: [], address_book: {} },
      });
    });

    it("pages in both directions", async () => {
      expect(await lts("sort=asc")).toEqual([10, 20, 30, 40, 50]);
      expect(await lts("sort=asc&limit=2&offset=1")).toEqual([20, 30]);
      expect(await lts("limit=2&offset=4")).toEqual([10]);
    });

    it("refuses malformed filters", () => expectCommonRefusals("events"));
  });

  describe("v3.validators.elections", () => {
    const ids = async (query: string) =>
      (await ask("validators/elections", query)).elections.map(({ election_id }) => election_id);

    it("lists elections, newest first", async () => {
      const { elections, address_book } = await ask("validators/elections");
      expect(elections).toEqual([
        {
          ...{ election_id: 3000, elect_close: 2990, min_stake: "100", total_stake: "1000" },
          ...{ total_participants: 0, failed: false, finished: false },
        },
        expect.objectContaining({ election_id: 2000, total_participants: 2, failed: true, finished: true }),
        expect.objectContaining({ election_id: 1000, total_participants: 4 }),
      ]);
      expect(address_book).toEqual({});
    });

    it("has the participants if they are asked for, the largest stake first", async () => {
      const query = "election_id=1000&return_participants=true";
      const [election] = (await ask("validators/elections", query)).elections;
      const common = { max_factor: 196_608 };
      const second = { validator_pubkey: key(2), validator_index: 1, stake: "200", adnl_addr: adnl(2) };
      const others = [
        { ...second, ...common, stake_holder_address: raw(2) },
        { ...second, max_factor: 65_536, stake_holder_address: raw(7) },
      ];
      expect(election!.participants).toEqual([
        {
          ...{ validator_pubkey: key(3), validator_index: 0, stake: "300", ...common },
          ...{ stake_holder_address: raw(3), adnl_addr: adnl(3) },
        },
        ...others,
        {
          ...{ validator_pubkey: key(1), validator_index: 2, stake: "100", ...common },
          ...{ stake_holder_address: raw(1), adnl_addr: adnl(1) },
        },
      ]);
      const [without] = (await ask("validators/elections", "election_id=3000&return_participants=true"))
        .elections;
      expect(without).not.toHaveProperty("participants");
    });

    it("filters by a participant, and then answers only that participant", async () => {
      expect(await ids(`stake_holder_address=${raw(1)}`)).toEqual([2000, 1000]);
      expect(await ids(`validator_pubkey=${key(3)}`)).toEqual([1000]);
      expect(await ids(`adnl_address=${adnl(3)}`)).toEqual([1000]);
      expect(await ids(`stake_holder_address=${raw(7)}&validator_pubkey=${key(1)}`)).toEqual([]);
      const query = `stake_holder_address=${raw(7)}&return_participants=1`;
      const { elections, address_book } = await ask("validators/elections", query);
      expect(elections).toMatchObject([
        { total_participants: 4, participants: [{ stake_holder_address: raw(7) }] },
      ]);
      expect(Object.keys(address_book)).toEqual([raw(7)]);
    });

    it("filters by id, by time of the id and by state, and pages", async () => {
      expect(await ids("election_id=2000")).toEqual([2000]);
      expect(await ids("start_utime=2000&end_utime=3000")).toEqual([3000, 2000]);
      expect(await ids("finished=false")).toEqual([3000]);
      expect(await ids("finished=true&sort=asc")).toEqual([1000, 2000]);
      expect(await ids("limit=1&offset=1")).toEqual([2000]);
    });

    it("answers JSON-RPC alike, and refuses malformed filters and long pages with participants", async () => {
      const result = await ask("validators/elections", "election_id=1000");
      expect(await call("v3.validators.elections", { election_id: 1000 })).toMatchObject({ result });
      await expectCommonRefusals("elections");
      expect(await refusal("validators/elections?limit=101&return_participants=true")).toEqual([
        422,
        "limit must not exceed 100 when return_participants is true",
      ]);
    });
  });

  describe("v3.validators.cycles", () => {
    const starts = async (query: string) =>
      (await ask("validators/cycles", query)).cycles.map(({ cycle_start }) => cycle_start);

    it("lists validator sets with their configuration, newest first", async () => {
      const { cycles } = await ask("validators/cycles");
      const config = {
        ...{ total: 3, main: 2, total_weight: "300", validators_elected_for: 100 },
        ...{ elections_start_before: 50, elections_end_before: 20, stake_held_for: 30 },
        ...{ max_validators: 40, max_main_validators: 10, min_validators: 1, max_stake_factor: 196_608 },
        ...{ min_stake_limit: "100", max_stake_limit: "10000", min_total_stake: "200" },
      };
      expect(cycles).toEqual([
        // The stake of one member is unknown.
        { election_id: 2000, cycle_start: 2000, cycle_end: 2100, total_stake: "300", ...config },
        {
          ...{ election_id: 1000, cycle_start: 1000, cycle_end: 1100, total_stake: "600", ...config },
          ...{ min_stake: "100", max_stake: "300" },
        },
        { cycle_start: 500, cycle_end: 600, ...config },
      ]);
    });

    it("has the validators if they are asked for, with complaints about them", async () => {
      const query = "cycle_start=1000&return_validators=true";
      const { cycles, address_book } = await ask("validators/cycles", query);
      const complaints = (await ask("validators/complaints", "cycle_start=1000")).complaints;
      expect(cycles[0]!.validators).toEqual([
        {
          ...{ validator_index: 0, validator_pubkey: key(3), adnl_addr: adnl(3), weight: "100" },
          ...{ stake_holder_address: raw(3), stake: "300", max_factor: 196_608, complaints: [] },
        },
        {
          ...{ validator_index: 1, validator_pubkey: key(2), adnl_addr: adnl(2), weight: "150" },
          ...{ stake_holder_address: raw(2), stake: "200", max_factor: 196_608 },
          complaints: complaints.slice(1),
        },
        {
          ...{ validator_index: 2, validator_pubkey: key(1), adnl_addr: adnl(1), weight: "50" },
          ...{ stake_holder_address: raw(1), stake: "100", max_factor: 196_608 },
          complaints: complaints.slice(0, 1),
        },
      ]);
      expect(Object.keys(address_book)).toEqual([1, 2, 3, 9].map(raw).sort());
      const first = await ask("validators/cycles", "cycle_start=500&return_validators=true");
      expect(first.cycles[0]!.validators).toEqual([
        {
          ...{ validator_index: 0, validator_pubkey: key(8), adnl_addr: adnl(8), weight: "100" },
          complaints: [],
        },
      ]);
    });

    it("answers only the requested validator", async () => {
      const members = async (query: string) => {
        const { cycles, address_book } = await ask("validators/cycles", `return_validators=true&${query}`);
        const shown = cycles.map(({ cycle_start, validators }) => [
          cycle_start,
          validators!.map(({ validator_index, stake_holder_address }) => [
            validator_index,
            stake_holder_address,
          ]),
        ]);
        return [shown, Object.keys(address_book)];
      };
      const second = [[[1000, [[1, raw(2)]]]], [2, 9].map(raw).sort()];
      expect(await members(`cycle_start=1000&adnl_address=${adnl(2)}`)).toEqual(second);
      expect(await members(`cycle_start=1000&validator_pubkey=${key(2)}`)).toEqual(second);
      expect(await members(`stake_holder_address=${raw(1)}`)).toEqual([
        [
          [2000, [[0, raw(1)]]],
          [1000, [[2, raw(1)]]],
        ],
        [1, 9].map(raw).sort(),
      ]);
      // If several stake holders share a key, the requested one is shown.
      expect(await members(`stake_holder_address=${raw(7)}`)).toEqual([
        [[1000, [[1, raw(7)]]]],
        [2, 7, 9].map(raw).sort(),
      ]);
    });

    it("filters by validator, election, begin and time, and pages", async () => {
      expect(await starts(`validator_pubkey=${key(3)}`)).toEqual([1000]);
      expect(await starts(`adnl_address=${adnl(8)}`)).toEqual([500]);
      expect(await starts(`stake_holder_address=${raw(1)}`)).toEqual([2000, 1000]);
      expect(await starts(`stake_holder_address=${raw(7)}&validator_pubkey=${key(1)}`)).toEqual([]);
      expect(await starts("election_id=2000")).toEqual([2000]);
      expect(await starts("cycle_start=501")).toEqual([]);
      expect(await starts("start_utime=500&end_utime=1000")).toEqual([1000, 500]);
      expect(await starts("sort=asc&limit=1&offset=1")).toEqual([1000]);
    });

    it("answers JSON-RPC alike, and refuses malformed filters and long pages with validators", async () => {
      const result = await ask("validators/cycles", "return_validators=true");
      expect(await call("v3.validators.cycles", { return_validators: true })).toMatchObject({ result });
      await expectCommonRefusals("cycles");
      expect(await refusal("validators/cycles?limit=101&return_validators=true")).toEqual([
        422,
        "limit must not exceed 100 when return_validators is true",
      ]);
    });
  });

  describe("v3.validators.complaints", () => {
    const about = async (query: string) =>
      (await ask("validators/complaints", query)).complaints.map(
        ({ created_at, validator_pubkey }) => `${created_at} ${validator_pubkey.slice(0, 8)}`,
      );
    const short = (at: number, number: number) => `${at} ${key(number).slice(0, 8)}`;

    it("lists complaints of known cycles with their voters, and the missing weight", async () => {
      const { complaints } = await ask("validators/complaints");
      const common = {
        ...{ description_boc: "AQID", severity: 3, reward_address: raw(9), paid: "7" },
        ...{ suggested_fine: "8", suggested_fine_part: 2 ** 31 },
      };
      const first = { validator_pubkey: key(1), adnl_addr: adnl(1), stake_holder_address: raw(1) };
      expect(complaints).toEqual([
        {
          ...{ cycle_start: 2000, election_id: 2000, created_at: 2010, ...first, ...common },
          complaint_hash: bytesToBase64(complaintHash(2000, 1, 2010)),
          ...{ voted_validators: [{ validator_index: 4 }], vset_id: bytesToBase64(hashOf("another set")) },
          ...{ weight_remaining: "101", approved_percent: 33, is_passed: false },
        },
        {
          ...{ cycle_start: 1000, election_id: 1000, created_at: 1020, ...first, ...common },
          complaint_hash: bytesToBase64(complaintHash(1000, 1, 1020)),
          ...{ voted_validators: [], vset_id: bytesToBase64(new Uint8Array(32)) },
          ...{ weight_remaining: "200", approved_percent: 0, is_passed: false },
        },
        {
          ...{ cycle_start: 1000, election_id: 1000, created_at: 1010, ...common },
          ...{ validator_pubkey: key(2), adnl_addr: adnl(2), stake_holder_address: raw(2) },
          complaint_hash: bytesToBase64(complaintHash(1000, 2, 1010)),
          voted_validators: [
            { validator_index: 0, validator_pubkey: key(3), adnl_addr: adnl(3), weight: "100" },
            { validator_index: 1, validator_pubkey: key(2), adnl_addr: adnl(2), weight: "150" },
          ],
          vset_id: bytesToBase64(hashOf("set 1000")),
          ...{ weight_remaining: "-50", approved_percent: 83.333, is_passed: true },
        },
      ]);
    });

    it("filters by validator, election, cycle and time, and pages", async () => {
      expect(await about(`validator_pubkey=${key(2)}`)).toEqual([short(1010, 2)]);
      expect(await about(`adnl_address=${adnl(1)}`)).toEqual([short(2010, 1), short(1020, 1)]);
      expect(await about(`stake_holder_address=${raw(2)}`)).toEqual([short(1010, 2)]);
      expect(await about("election_id=2000")).toEqual([short(2010, 1)]);
      expect(await about("election_id=9000")).toEqual([]);
      expect(await about("cycle_start=1000")).toEqual([short(1020, 1), short(1010, 2)]);
      expect(await about("start_utime=1010&end_utime=1020")).toEqual([short(1020, 1), short(1010, 2)]);
      expect(await about("sort=asc&limit=1&offset=1")).toEqual([short(1020, 1)]);
    });

    it("answers JSON-RPC alike, and refuses malformed filters", async () => {
      const result = await ask("validators/complaints", "cycle_start=1000");
      expect(await call("v3.validators.complaints", { cycle_start: 1000 })).toMatchObject({ result });
      await expectCommonRefusals("complaints");
    });
  });
});
