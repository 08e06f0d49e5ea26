import { expect } from "vitest";
import type { SigningKey } from "../../../server/chain/ed25519.js";
import { configAddress, electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { ton } from "../chain/devnet.js";
import type { Runs } from "../contracts/side-by-side.js";
import { pseudoRandom } from "../pseudo-random.js";
import { complaintBody, recoverBody, setAnswerBody, stakeBody, voteBody } from "./election-bodies.js";
import { electionConfig, firstSet, stakeHolder, testKey } from "./elections.js";
import { accountedFor, readElector, sumOf } from "./elector-data.js";

const times = {
  validatorsElectedFor: 1200,
  electionsStartBefore: 600,
  electionsEndBefore: 180,
  stakeHeldFor: 300,
};
const holders = 12;
const feeSource = new Address(masterchain, new Uint8Array(32));
const opOf = (body: Cell) => body.parse().loadUint(32);

/** An elector and a configuration contract that answer each other, and random people around them. */
export class ElectionWorld {
  readonly #elector: Runs;
  readonly #config: Runs;
  readonly #numbers: Generator<number, never>;
  readonly #keys = new Map<string, SigningKey>();
  /** Coins without an owner: prices of complaints, unrequested confirmations, values of answers. */
  unowned: bigint;
  /** How often something happened that the run is meant to contain. */
  readonly seen = new Map<string, number>();

  /** Each contract may be several, side by side. */
  constructor(makeElector: (config: ConfigDictionary) => Runs, makeConfig: typeof makeElector, seed: number) {
    this.#numbers = pseudoRandom(seed);
    for (let number = 0; number < holders; number++) {
      const key = testKey(number);
      this.#keys.set(bytesToHex(key.publicKey), key);
    }
    const config = electionConfig({
      times,
      counts: { maxValidators: 7, minValidators: 2 },
      limits: { minStake: 100n * ton, minTotalStake: 500n * ton, maxStakeFactor: 2 << 16 },
      current: firstSet([{ key: testKey(0).publicKey, weight: 1n }]),
    });
    this.#elector = makeElector(config);
    this.#config = makeConfig(config);
    this.unowned = this.#elector.balance;
  }

  #random(limit: number): number {
    return Math.floor(this.#numbers.next().value * limit);
  }

  get #state() {
    return readElector(this.#elector.data);
  }

  /** Balance of the elector beyond its debts. */
  get unbooked(): bigint {
    return this.#elector.balance - accountedFor(this.#state);
  }

  /** Totals equal the sums of their parts. */
  expectTotals(): void {
    const { election, pastElections } = this.#state;
    if (election) expect(election.totalStake).toBe(sumOf(election.stakes));
    for (const { totalStake, frozen } of pastElections.values()) expect(totalStake).toBe(sumOf(frozen));
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  #set() {
    const set = configParam(decode(ConfigDictionary, this.#elector.config), 34)!;
    return [...set.list.values()].map(({ publicKey }) => this.#keys.get(bytesToHex(publicKey.pubkey))!);
  }

  get #until(): number {
    return configParam(decode(ConfigDictionary, this.#elector.config), 34)!.utimeUntil;
  }

  #tick(at: number): void {
    for (const { to, body, value } of this.#elector.tick(at).sent) {
      expect(to).toBe(configAddress.toRaw());
      this.unowned -= value;
      this.#deliverSet(body, value, at);
    }
  }

  /** Gives a set to the configuration contract, or refuses it in its name. */
  #deliverSet(body: Cell, value: bigint, at: number): void {
    const queryId = Number(body.parse().skip(32).loadBigUint(64));
    const refuses = this.#random(6) === 0;
    const answer = refuses
      ? { body: setAnswerBody(false, queryId), value }
      : this.#config.receive({ from: electorAddress, value, body, at }).sent[0]!;
    this.#count(refuses ? "refused" : "installed");
    this.#elector.receive({ from: configAddress, value: answer.value, body: answer.body, at });
    this.unowned += answer.value;
    this.#reconfigure();
  }

  #tock(at: number): void {
    this.#config.tock(at);
    this.#reconfigure();
  }

  #reconfigure(): void {
    const [config] = this.#config.data.refs;
    this.#elector.config = config!;
    this.#config.config = config!;
  }

  #stake(at: number): void {
    const number = this.#random(holders);
    const { election } = this.#state;
    const source = stakeHolder(this.#random(8) === 0 ? this.#random(holders) : number);
    const queryId = BigInt(this.#random(3));
    const value = BigInt(this.#random(2000)) * ton + BigInt(this.#random(1e9)) + 1n;
    const stakeAt = election?.electAt ?? at;
    const key = testKey(number);
    const maxFactor = 65_536 + this.#random(65_536 * 2);
    const body = stakeBody({ key, source, stakeAt, maxFactor, queryId });
    const { sent } = this.#elector.receive({ from: source, value, body, at });
    const isAccepted = sent.every((message) => opOf(message.body) !== 0xee6f454c);
    if (isAccepted && queryId === 0n) this.unowned += ton;
    this.#count(isAccepted ? "accepted" : "rejected");
  }

  #recover(at: number): void {
    const from = stakeHolder(this.#random(holders));
    const { sent } = this.#elector.receive({ from, value: ton, body: recoverBody(3n), at });
    this.#count(opOf(sent[0]!.body) === 0xf96f7324 ? "recovered" : "nothing to recover");
  }

  #give(at: number): void {
    const from = this.#random(2) === 0 ? feeSource : stakeHolder(20);
    this.#elector.receive({ from, value: BigInt(this.#random(1e9)) * 7n, at });
  }

  #complain(at: number): void {
    const { activeId } = this.#state;
    const accused = testKey(this.#random(holders));
    const fine = BigInt(this.#random(200)) * ton;
    const finePart = this.#random(2) * this.#random(2 ** 31);
    const body = complaintBody({ accused, electionId: activeId, fine, finePart });
    const value = 50n * ton;
    const { sent } = this.#elector.receive({ from: stakeHolder(15), value, body, at });
    if (opOf(sent[0]!.body) !== 0xf2676350) return;
    this.unowned += value - sent[0]!.value;
    this.#count("complaints");
    const voters = this.#set();
    // Any two of them: votes for all would take most of the time.
    const { complaints } = this.#state.pastElections.get(activeId)!;
    for (const complaint of [0, 1].map(() => complaints[this.#random(complaints.length)]!))
      for (const [voter, key] of voters.entries())
        if (this.#random(4) > 0) this.#vote({ key, voter, electionId: activeId, complaint }, at);
  }

  #vote(vote: Parameters<typeof voteBody>[0], at: number): void {
    const { sent } = this.#elector.receive({ from: stakeHolder(16), value: ton, body: voteBody(vote), at });
    if (opOf(sent[0]!.body) === 0xd6745242) this.#count("fines");
  }

  /** One of the things that people do at any time. */
  #happen(at: number): void {
    [this.#recover, this.#give, this.#complain][this.#random(3)]!.call(this, at);
  }

  /** One election after another; `check` runs after each step. */
  hold(elections: number, check: () => void): void {
    let now = this.#until - times.validatorsElectedFor;
    this.#tick(now);
    for (let round = 0; round < elections; round++) {
      // Without a new set an election follows immediately.
      const announced = Math.max(now, this.#until - times.electionsStartBefore);
      const phases: [number, (at: number) => void][] = [
        [announced, (at) => this.#stake(at)],
        [announced + 420, (at) => this.#happen(at)],
        [announced + 600, (at) => this.#happen(at)],
        [announced + 1000, (at) => this.#happen(at)],
      ];
      // Several ticks, because each takes one step only.
      for (const [start, act] of phases) {
        this.#tock(start);
        for (now = start; now < start + 6; now++) {
          this.#tick(now);
          act(now);
          check();
        }
      }
    }
  }
}
