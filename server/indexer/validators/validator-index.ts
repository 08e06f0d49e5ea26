import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { type Elections, readElections } from "../../contracts/elector.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { codeOf, transactionKinds } from "../../store/codes.js";
import type { CombinedRows } from "../../store/copy/combined-rows.js";
import type { RowSet } from "../../store/copy/row-set.js";
import { tables } from "../../store/tables/all-tables.js";
import type { FinalAccountState } from "../decode/account.js";
import { contractMethods } from "../decode/contract-methods.js";
import type { DecodedTransaction } from "../decode/decode-block.js";
import type { ChainUnits, MasterchainUnit } from "../units/chain-units.js";
import { ifStillThere } from "../work/failures.js";
import { BlockRetries } from "./block-retries.js";
import { type CycleConfig, cycleParams, readCycleConfig } from "./cycle-config.js";
import { complaintRows, cycleRows, electionRows } from "./snapshot-rows.js";
import { electorOps, headOf, readValidatorEvent } from "./validator-events.js";

type Units = Pick<ChainUnits, "account" | "config">;
type Target = { rows: RowSet; validators: CombinedRows };

/** Parts of an elector's data to read. Complaints of `all` elections, or of those with these ids. */
type Look = { election: boolean; cycles: boolean; complaints: "all" | ReadonlySet<number> };

/** A read was missed because the chain did not have the state, made up for at a later block, or given up. */
export type LookOutcome = (typeof lookOutcomes)[number];
const lookOutcomes = ["missed", "made_up", "given_up"] as const;

type ValidatorIndexOptions = {
  /** Whether the range is still empty, so that the first block is read completely. */
  isFirst: boolean;
  /** Called when a read is missed, made up for or given up. */
  onLook?: ((outcome: LookOutcome) => void) | undefined;
};

const everything: Look = { election: true, cycles: true, complaints: "all" };
const nothing: Look = { election: false, cycles: false, complaints: new Set() };
/** A get-method that identifies an elector; earlier electors show less of an election. */
const electorMethod = methodId("participant_list_extended");
const tickTock = codeOf(transactionKinds, "tick_tock");

/**
 * Reads elections, validator sets and complaints from the elector's data when blocks change them, and stake events from
 * transactions. Masterchain blocks must be taken in ascending order.
 */
export class ValidatorIndex {
  readonly #units: Units;
  readonly #onLook: (outcome: LookOutcome) => void;
  /** `undefined` until a block has shown it. */
  #config: { value: CycleConfig | undefined } | undefined;
  #elector: { codeHash: Uint8Array; isKnown: boolean } | undefined;
  #dataHash: Uint8Array | undefined;
  /** Whether the elector holds elections, so that its cycles are valid. */
  #isElecting = false;
  /** Parts to read although the block does not change them: everything at first, then those missed before. */
  #owed: Look;
  /** Retries of reading the configuration and the elector's code, and of reading its data. */
  readonly #introductions = new BlockRetries();
  readonly #looks = new BlockRetries();

  constructor(units: Units, { isFirst, onLook = () => {} }: ValidatorIndexOptions) {
    this.#units = units;
    this.#owed = isFirst ? everything : nothing;
    this.#onLook = onLook;
  }

  /** The elector's account as of the last block. */
  get elector(): Uint8Array | undefined {
    const elector = this.#config?.value?.elector;
    return elector && addressToBytes(elector);
  }

  async add(unit: MasterchainUnit, target: Target): Promise<void> {
    await this.#learnConfig(unit);
    const config = this.#config?.value;
    if (!config) return;
    const account = addressToBytes(config.elector);
    const state = await this.#electorIn(unit, account, config);
    if (!this.#elector?.isKnown) return;
    const transactions = unit.blocks.flatMap((block) => block.transactions);
    for (const transaction of transactions) {
      const event = readValidatorEvent(transaction, account);
      if (event) target.rows.of(tables.validatorEvents).add(event);
    }
    await this.#look(unit, { config, account, state, transactions }, target);
  }

  async #learnConfig({ id, seqno, config }: MasterchainUnit): Promise<void> {
    if (config) {
      this.#config = { value: readCycleConfig(config) };
      this.#introductions.reset();
    }
    // If no attempt succeeds, the next key block has it.
    if (this.#config || !this.#introductions.isDue(seqno)) return;
    this.#config = await configAt(this.#units, id);
    this.#count(this.#introductions, seqno, this.#config !== undefined);
  }

  /** The elector's state, as far as the block shows it. Also learns whether its code is an elector's. */
  async #electorIn(
    unit: MasterchainUnit,
    account: Uint8Array,
    { elector }: CycleConfig,
  ): Promise<FinalAccountState | undefined> {
    const shown = unit.accounts.findLast(({ state }) => bytesEqual(state.account, account));
    const isSame = shown?.code && this.#elector && bytesEqual(shown.code.hash, this.#elector.codeHash);
    if (this.#elector && (!shown || isSame)) return shown;
    const mayAsk = this.#introductions.isDue(unit.seqno);
    const asked = () => (mayAsk ? ifStillThere(this.#units.account(unit.id, elector)) : undefined);
    const state = shown?.code?.cell ? shown : await asked();
    if (mayAsk || state) this.#count(this.#introductions, unit.seqno, state !== undefined);
    if (!state) return shown;
    this.#elector = {
      codeHash: state.code?.hash ?? new Uint8Array(32),
      isKnown: isElector(state),
    };
    return state;
  }

  async #look(
    unit: MasterchainUnit,
    { config, account, state, transactions }: Seen,
    { validators }: Target,
  ): Promise<void> {
    const own = transactions.filter(({ row }) => bytesEqual(row.account, account));
    const isChanged = state?.data !== undefined && !isEqual(state.data.hash, this.#dataHash);
    if (state?.data) this.#dataHash = state.data.hash;
    const isKeyBlock = unit.config !== undefined;
    const asked: Look = {
      election: isChanged && own.some(changesElection),
      cycles: isKeyBlock,
      complaints: isKeyBlock ? "all" : new Set(isChanged ? own.flatMap(electionOfComplaint) : []),
    };
    const isDue = !isNothing(this.#owed) && this.#looks.isDue(unit.seqno);
    if (isNothing(asked) && !isDue) return;
    const look = union(asked, this.#owed);
    const cell = state?.data?.cell ?? (await dataAt(this.#units, unit, config));
    if (!cell) return this.#miss(look, unit.seqno);
    this.#made(unit.seqno);
    const data = ifReadable(() => readElections(cell));
    if (!data) return;
    const begins = !this.#isElecting && isElecting(data);
    this.#isElecting ||= begins;
    // On a chain without elections, the configuration names a set that was never elected.
    if (this.#isElecting) addSnapshot(data, config, unit.seqno, begins ? everything : look, validators);
  }

  /** The next block with a change makes up for the miss; otherwise it is retried some blocks later. */
  #miss(look: Look, seqno: number): void {
    this.#count(this.#looks, seqno, false);
    this.#owed = this.#looks.isOver ? nothing : look;
    if (this.#looks.isOver) this.#looks.reset();
  }

  #made(seqno: number): void {
    this.#count(this.#looks, seqno, true);
    this.#owed = nothing;
  }

  #count(attempts: BlockRetries, seqno: number, hasSucceeded: boolean): void {
    if (hasSucceeded) {
      if (attempts.hasFailed) this.#onLook("made_up");
      attempts.reset();
    } else {
      attempts.failed(seqno);
      this.#onLook(attempts.isOver ? "given_up" : "missed");
    }
  }
}

type Seen = {
  config: CycleConfig;
  account: Uint8Array;
  state: FinalAccountState | undefined;
  transactions: readonly DecodedTransaction[];
};

/** Adds the data of the elector and the configuration as of a block. */
export async function addSnapshotAt(
  units: Units,
  block: BlockIdExt,
  validators: CombinedRows,
): Promise<void> {
  const config = (await configAt(units, block))?.value;
  if (!config) return;
  const state = await ifStillThere(units.account(block, config.elector));
  const cell = state?.data?.cell;
  if (!cell || !isElector(state)) return;
  const data = ifReadable(() => readElections(cell));
  if (data && isElecting(data)) addSnapshot(data, config, block.seqno, everything, validators);
}

function addSnapshot(
  data: Elections,
  config: CycleConfig,
  seqno: number,
  look: Look,
  validators: CombinedRows,
): void {
  if (look.election) {
    const { elections, participants } = electionRows(data, seqno);
    for (const row of elections) validators.add(tables.validatorElections, row);
    for (const row of participants) validators.add(tables.validatorElectionParticipants, row);
  }
  if (look.cycles) {
    const { cycles, members } = cycleRows(data, config, seqno);
    for (const row of cycles) validators.add(tables.validatorCycles, row);
    for (const row of members) validators.add(tables.validatorCycleMembers, row);
  }
  for (const election of data.pastElections.values())
    if (look.complaints === "all" || look.complaints.has(election.id))
      for (const row of complaintRows(election, seqno)) validators.add(tables.validatorComplaints, row);
}

/** `undefined` if the state is unavailable. */
async function configAt(
  units: Units,
  block: BlockIdExt,
): Promise<{ value: CycleConfig | undefined } | undefined> {
  const config = await ifStillThere(units.config(block, cycleParams));
  return config && { value: readCycleConfig(config) };
}

/** The elector's data as of a block; `undefined` if the state is unavailable. */
async function dataAt(
  units: Units,
  { id }: MasterchainUnit,
  { elector }: CycleConfig,
): Promise<Cell | undefined> {
  return (await ifStillThere(units.account(id, elector)))?.data?.cell;
}

function union(a: Look, b: Look): Look {
  const complaints =
    a.complaints === "all" || b.complaints === "all" ? "all" : new Set([...a.complaints, ...b.complaints]);
  return { election: a.election || b.election, cycles: a.cycles || b.cycles, complaints };
}

function isNothing({ election, cycles, complaints }: Look): boolean {
  return !election && !cycles && complaints !== "all" && complaints.size === 0;
}

/** Whether its code has the get-methods of an elector. */
function isElector({ code }: FinalAccountState): boolean {
  return code?.cell !== undefined && contractMethods(code.cell).includes(electorMethod);
}

/** Whether the elector has ever begun an election. */
function isElecting({ election, pastElections, hasElected }: Elections): boolean {
  return election !== undefined || pastElections.size > 0 || hasElected;
}

function changesElection({ row, inBody }: DecodedTransaction): boolean {
  if (row.descr === tickTock) return true;
  const opcode = inBody && headOf(inBody)?.opcode;
  return opcode !== undefined && electionOps.has(opcode);
}

const electionOps: ReadonlySet<number> = new Set([
  electorOps.newStake,
  electorOps.setAccepted,
  electorOps.setRefused,
]);

/** The election of a complaint or vote, read after the head and, for a vote, the signature, a tag and an index. */
function electionOfComplaint({ inBody }: DecodedTransaction): number[] {
  const opcode = inBody && headOf(inBody)?.opcode;
  const place = opcode === undefined ? undefined : complaintPlaces.get(opcode);
  if (!inBody || place === undefined || inBody.bits < place + 32) return [];
  return [inBody.parse().skip(place).loadUint(32)];
}

const complaintPlaces: ReadonlyMap<number, number> = new Map([
  [electorOps.complain, 32 + 64],
  [electorOps.vote, 32 + 64 + 512 + 32 + 16],
]);

function isEqual(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && bytesEqual(a, b);
}
