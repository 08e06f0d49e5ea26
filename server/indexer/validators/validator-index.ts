import { bytesEqual } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import { methodId } from "../../chain/executor/method-id.js";
import { type Elections, readElections } from "../../contracts/elector.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { codeOf, transactionKinds } from "../../store/codes.js";
import type { CombinedRows } from "../../store/copy/combined-rows.js";
import type { RowSet } from "../../store/copy/row-set.js";
import { tables } from "../../store/tables.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { ifReadable } from "../../tlb/readable.js";
import type { ChainUnits, MasterchainUnit } from "../chain-units.js";
import type { FinalAccountState } from "../decode/account.js";
import { contractMethods } from "../decode/contract-methods.js";
import type { DecodedTransaction } from "../decode/decode-block.js";
import { ifStillThere } from "../failures.js";
import { type CycleConfig, cycleParams, readCycleConfig } from "./cycle-config.js";
import { complaintRows, cycleRows, electionRows } from "./snapshot-rows.js";
import { electorOps, headOf, readValidatorEvent } from "./validator-events.js";

type Units = Pick<ChainUnits, "account" | "config">;
type Target = { rows: RowSet; validators: CombinedRows };
type Looked = Pick<MasterchainUnit, "id" | "seqno">;

/** What is read from an elector's data. Complaints of `all` elections, or of those with these ids. */
type Look = { election: boolean; cycles: boolean; complaints: "all" | ReadonlySet<number> };

const everything: Look = { election: true, cycles: true, complaints: "all" };
/** The get-method by which an elector is recognised; earlier ones show less of an election. */
const electorMethod = methodId("participant_list_extended");
const tickTock = codeOf(transactionKinds, "tick_tock");

/**
 * Reads elections, validator sets and complaints from the elector's data as blocks change them, and events of stakes from
 * transactions. Masterchain blocks must be taken in ascending order.
 */
export class ValidatorIndex {
  readonly #units: Units;
  /** `undefined` until a block has shown it. */
  #config: { value: CycleConfig | undefined } | undefined;
  #elector: { codeHash: Uint8Array; isKnown: boolean } | undefined;
  #dataHash: Uint8Array | undefined;
  /** Whether cycles are those of an elector that holds elections. */
  #isElecting = false;
  #isFirst: boolean;

  /** `isFirst`: nothing of the range is stored yet, so that the first block is read as a whole. */
  constructor(units: Units, { isFirst }: { isFirst: boolean }) {
    this.#units = units;
    this.#isFirst = isFirst;
  }

  /** The account of the elector as of the last block. */
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
    this.#isFirst = false;
  }

  async #learnConfig({ id, config }: MasterchainUnit): Promise<void> {
    if (config) this.#config = { value: readCycleConfig(config) };
    // Without an answer the next key block tells.
    this.#config ??= { value: await configAt(this.#units, id) };
  }

  /** The state of the elector as far as the block shows it. Learns whether its code is that of an elector. */
  async #electorIn(
    unit: MasterchainUnit,
    account: Uint8Array,
    { elector }: CycleConfig,
  ): Promise<FinalAccountState | undefined> {
    const shown = unit.accounts.findLast(({ state }) => bytesEqual(state.account, account));
    const isSame = shown?.code && this.#elector && bytesEqual(shown.code.hash, this.#elector.codeHash);
    if (this.#elector && (!shown || isSame)) return shown;
    const state = shown?.code?.cell ? shown : await ifStillThere(this.#units.account(unit.id, elector));
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
    const look: Look = this.#isFirst
      ? everything
      : {
          election: isChanged && own.some(changesElection),
          cycles: isKeyBlock,
          complaints: isKeyBlock ? "all" : new Set(isChanged ? own.flatMap(electionOfComplaint) : []),
        };
    if (!look.election && !look.cycles && look.complaints !== "all" && look.complaints.size === 0) return;
    const data = await readData(this.#units, unit, config, state?.data?.cell);
    if (!data) return;
    const begins = !this.#isElecting && isElecting(data);
    this.#isElecting ||= begins;
    // The configuration of a chain without elections names a set that nobody has elected.
    if (this.#isElecting) addSnapshot(data, config, unit.seqno, begins ? everything : look, validators);
  }
}

type Seen = {
  config: CycleConfig;
  account: Uint8Array;
  state: FinalAccountState | undefined;
  transactions: readonly DecodedTransaction[];
};

/** Adds what the elector's data and the configuration say as of a block. */
export async function addSnapshotAt(
  units: Units,
  block: BlockIdExt,
  validators: CombinedRows,
): Promise<void> {
  const config = await configAt(units, block);
  if (!config) return;
  const state = await ifStillThere(units.account(block, config.elector));
  if (!state || !isElector(state)) return;
  const unit = { id: block, seqno: block.seqno };
  const data = await readData(units, unit, config, state.data?.cell);
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

async function configAt(units: Units, block: BlockIdExt): Promise<CycleConfig | undefined> {
  const config = await ifStillThere(units.config(block, cycleParams));
  return config && readCycleConfig(config);
}

/** Whether its code has the get-methods of an elector. */
function isElector({ code }: FinalAccountState): boolean {
  return code?.cell !== undefined && contractMethods(code.cell).includes(electorMethod);
}

/** Whether it has ever begun an election. */
function isElecting({ election, pastElections, hasElected }: Elections): boolean {
  return election !== undefined || pastElections.size > 0 || hasElected;
}

/** The elector's data as of a block; `undefined` if they have another layout, or if the state is not to be had. */
async function readData(
  units: Units,
  { id }: Looked,
  { elector }: CycleConfig,
  shown: Cell | undefined,
): Promise<Elections | undefined> {
  const data = shown ?? (await ifStillThere(units.account(id, elector)))?.data?.cell;
  if (!data) return undefined;
  return ifReadable(() => readElections(data));
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

/** The election that a complaint or a vote is about, behind the head and, of a vote, the signature, a tag and a place. */
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
