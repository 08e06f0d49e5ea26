import type { DebugRunRecord } from "../../../schema/v3/debug.js";
import { bytesToBase64, bytesToHex } from "../../../values/bytes.js";
import { explainExitCode } from "../../../values/exit-codes/explain.js";
import { failedPhaseOf } from "../../../values/failed-phase.js";
import { opcodeOf } from "../../bodies/payload.js";
import type { Cell } from "../../cells/cell.js";
import { CellSet } from "../../cells/cell-set.js";
import { libraryHash } from "../../run/code-libraries.js";
import {
  computePhaseOf,
  type DebugRun,
  isFixed,
  type RunTransaction,
  type TransactionRun,
} from "../../run/debug-run.js";
import { messagesFor } from "../../run/ordered-messages.js";
import type { Account } from "../../tlb/account.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { CellOf } from "../../tlb/cell-of.js";
import { decode } from "../../tlb/codec.js";
import { configParam } from "../../tlb/config/config-param.js";
import type { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";
import { decodeOutList, type OutAction } from "../../tlb/out-action.js";
import { ifReadable } from "../../tlb/readable.js";
import { ShardAccount } from "../../tlb/shard-account.js";
import { Transaction } from "../../tlb/transaction.js";
import type { MachineLog } from "../../tvm/machine-log.js";
import { opcodeText } from "./message.js";
import { v3Description } from "./phases.js";
import type { ActionWords, OutcomeWords } from "./run-word-members.js";
import { blockRef } from "./transaction.js";

type PlainMessage = Omit<NonNullable<DebugRunRecord["message"]>, "abi" | "decoded">;

/** A run without words, and without what its instructions tell of its gas. */
export type PlainRun = Omit<DebugRunRecord, "outcome" | "message" | "actions" | "prints" | "gas"> & {
  gas: Omit<NonNullable<DebugRunRecord["gas"]>, "by_instruction"> | null;
  message: PlainMessage | null;
  outcome: Omit<DebugRunRecord["outcome"], OutcomeWords>;
  actions: Omit<DebugRunRecord["actions"][number], ActionWords>[];
};

const maxCells = 64;

/** The run of a transaction. `executorVersion`: the newest global version whose rules the executor knows. */
export function presentTransactionRun(run: TransactionRun, executorVersion: number): PlainRun {
  const { block, own, log } = run;
  const { cell, transaction } = own.found;
  const [before, after] = [accountIn(own.before), accountIn(own.result?.shardAccount)];
  return {
    ...presentParts(run, executorVersion),
    kind: block ? "transaction" : "message",
    transaction: bytesToBase64(cell.hash()),
    lt: transaction.lt.toString(),
    block: block ? blockRef(block.inputs.block) : null,
    outcome: outcomeOf(transaction, log),
    code: codeOf(transaction, before),
    message: messageOf(transaction),
    gas: gasOf(transaction),
    fees: feesOf(transaction),
    method: null,
    actions: actionsOf(own, log),
    storage: storageOf(initIn(before)?.data, initIn(after)?.data),
    balance: {
      before: (before?.storage.balance.coins ?? 0n).toString(),
      after: (after?.storage.balance.coins ?? 0n).toString(),
    },
  };
}

/** The members that runs of all kinds have. */
export function presentParts(run: DebugRun, executorVersion: number) {
  const { id, address, environment, log } = run;
  return {
    run: id,
    account: address.toRawUpper(),
    now: environment.now,
    proof: presentProof(run, executorVersion),
    steps: log.total,
    first_step: log.first,
    truncated: log.isCut,
  };
}

function provenBlock(id: BlockIdExt) {
  return { ...blockRef(id), root_hash: bytesToBase64(id.rootHash) };
}

function presentProof(run: DebugRun, executorVersion: number): DebugRunRecord["proof"] {
  const versions = {
    executor_version: executorVersion,
    network_version: configParam(run.config.params, 8)?.version ?? 0,
  };
  if (run.kind !== "transaction" || !run.block) {
    const master = provenBlock(run.master);
    return {
      level: "none",
      inputs: { block: null, before: master, master, earlier: 0, from_birth: 0 },
      differences: [],
      ...versions,
    };
  }
  const { inputs, level, transactions, fromBirth } = run.block;
  return {
    level,
    inputs: {
      block: provenBlock(inputs.block),
      before: provenBlock(inputs.before),
      master: provenBlock(inputs.master),
      earlier: transactions.length - 1,
      from_birth: fromBirth,
    },
    differences: differencesOf(run.own),
    ...versions,
  };
}

/** Members of a transaction that are compared, in short. */
function comparedMembers(transaction: Transaction): Record<string, string> {
  const compute = computePhaseOf(transaction);
  const phase = actionPhaseOf(transaction);
  const sent = [...transaction.messages.value.outMsgs.values()].map(({ cell }) => cell.hashHex());
  return {
    end_status: transaction.endStatus,
    state_hash: bytesToHex(transaction.stateUpdate.value.newHash),
    total_fees: transaction.totalFees.coins.toString(),
    out_messages: sent.join(","),
    exit_code: String(compute?.exitCode ?? ""),
    gas_used: String(compute?.gasUsed ?? ""),
    gas_fees: String(compute?.gasFees ?? ""),
    steps: String(compute?.vmSteps ?? ""),
    action_result_code: String(phase?.resultCode ?? ""),
    action_list_hash: phase ? bytesToHex(phase.actionListHash) : "",
    forward_fees: String(phase?.totalFwdFees ?? ""),
    description: transaction.description.cell.hashHex(),
  };
}

function differencesOf({ level, found, result }: RunTransaction): DebugRunRecord["proof"]["differences"] {
  if (level === "exact") return [];
  const chain = comparedMembers(found.transaction);
  const run = result ? comparedMembers(decode(Transaction, result.transaction)) : {};
  return Object.entries(chain)
    .filter(([field, value]) => value !== run[field])
    .map(([field, value]) => ({ field, chain: value || null, run: run[field] || null }));
}

function outcomeOf(transaction: Transaction, log: MachineLog): PlainRun["outcome"] {
  const description = v3Description(transaction.description.value);
  const { compute_ph: skipped } = description;
  const compute = computePhaseOf(transaction);
  const phase = failedPhaseOf({ description, in_msg: messageOf(transaction) }) ?? null;
  const code = phase === "action" ? actionPhaseOf(transaction)?.resultCode : compute?.exitCode;
  const meaning = code === undefined ? undefined : explainExitCode({ code, phase: phase ?? "compute" });
  const last = compute && phase === "compute" ? lastError(log) : undefined;
  return {
    success: phase === null,
    phase,
    skipped_reason: skipped?.skipped ? skipped.reason : null,
    exit_code: code ?? null,
    exit_name: meaning?.name ?? null,
    exit_meaning: meaning?.text ?? null,
    thrown_by: last?.thrownBy ?? null,
    step: last?.step ?? null,
  };
}

/** What ended a run that failed: the instruction that has thrown, or that the machine could not execute. */
export function lastError(
  log: MachineLog,
): { thrownBy: "instruction" | "machine"; step: number } | undefined {
  if (log.end === log.first) return undefined;
  const n = log.end - 1;
  const { text, error } = log.at(n);
  if (text !== undefined || !error) return { thrownBy: "instruction", step: n };
  return { thrownBy: "machine", step: Math.max(log.first, n - 1) };
}

function codeOf(transaction: Transaction, before: Account): DebugRunRecord["code"] {
  return computePhaseOf(transaction) ? presentCode(executedInit(transaction, before)?.code) : null;
}

/** The code and data that a transaction ran: the account's, or those that its message brought. */
export function executedInit(transaction: Transaction, before: Account) {
  const brought = transaction.messages.value.inMsg?.value.init?.value;
  return computePhaseOf(transaction)?.msgStateUsed ? brought : (initIn(before) ?? brought);
}

export function presentCode(code: Cell | undefined): DebugRunRecord["code"] {
  return code
    ? {
        hash: bytesToBase64(code.hash()),
        library: code.type === "library" ? bytesToBase64(libraryHash(code)) : null,
      }
    : null;
}

function messageOf({ messages }: Transaction): PlainMessage | null {
  const { inMsg } = messages.value;
  return inMsg ? presentMessage(inMsg) : null;
}

export function presentMessage(inMsg: CellOf<Message>): PlainMessage {
  const { info, body } = inMsg.value;
  const isInternal = info.kind === "internal";
  const opcode = opcodeOf(body);
  return {
    hash: bytesToBase64(inMsg.cell.hash()),
    source: isInternal ? (accountOf(info.src)?.toRawUpper() ?? null) : null,
    value: isInternal ? info.value.coins.toString() : null,
    opcode: opcode === undefined ? null : opcodeText(opcode),
    bounced: isInternal && info.bounced,
  };
}

function gasOf(transaction: Transaction): PlainRun["gas"] {
  const compute = computePhaseOf(transaction);
  if (!compute) return null;
  return {
    used: compute.gasUsed.toString(),
    limit: compute.gasLimit.toString(),
    credit: (compute.gasCredit ?? 0).toString(),
    fixed: isFixed(compute),
  };
}

const implicit = "implicit ";

/** The name of an instruction and its arguments, by the machine's own text. */
export function splitText(text: string): { op: string; args: string } {
  const end = text.indexOf(" ", text.startsWith(implicit) ? implicit.length : 0);
  return end < 0 ? { op: text, args: "" } : { op: text.slice(0, end), args: text.slice(end + 1) };
}

function feesOf(transaction: Transaction): DebugRunRecord["fees"] {
  const description = transaction.description.value;
  const storagePhase = "storagePh" in description ? description.storagePh : undefined;
  const due = description.kind === "ord" ? (description.creditPh?.dueFeesCollected ?? 0n) : 0n;
  const storage = (storagePhase?.storageFeesCollected ?? 0n) + due;
  const gas = computePhaseOf(transaction)?.gasFees ?? 0n;
  const phase = actionPhaseOf(transaction);
  const action = phase?.totalActionFees ?? 0n;
  const total = transaction.totalFees.coins;
  const other = total - storage - gas - action;
  return {
    storage: storage.toString(),
    gas: gas.toString(),
    forward: (phase?.totalFwdFees ?? 0n).toString(),
    action: action.toString(),
    other: (other > 0n ? other : 0n).toString(),
    total: total.toString(),
  };
}

function actionPhaseOf({ description }: Transaction) {
  const { value } = description;
  return "action" in value ? value.action?.value : undefined;
}

export const actionKinds = {
  sendMsg: "send",
  setCode: "set_code",
  reserveCurrency: "reserve",
  changeLibrary: "change_library",
} as const;

function actionsOf({ found, result }: RunTransaction, log: MachineLog): PlainRun["actions"] {
  const list = result?.actions;
  const phase = actionPhaseOf(found.transaction);
  const actions = list && phase ? (ifReadable(() => decodeOutList(list)) ?? []) : [];
  const failedAt = phase && !phase.success ? (phase.resultArg ?? 0) : undefined;
  const { outMsgs } = found.transaction.messages.value;
  const messages = failedAt === undefined ? messagesFor(actions, outMsgs.values()) : [];
  // Actions that a later commit has dropped are not in the list.
  const steps =
    log.queued.length === actions.length || log.first > 0 ? log.queued.slice(-actions.length) : [];
  const missing = actions.length - steps.length;
  return actions.map((action, index) => {
    const message = messages[index];
    return {
      kind: actionKinds[action.kind],
      mode: "mode" in action ? action.mode : null,
      step: steps.length === 0 ? null : (steps[index - missing] ?? null),
      outcome: outcomeOfAction(index, failedAt, action.kind === "sendMsg" && !message),
      sent: message ? bytesToBase64(message.cell.hash()) : null,
      ...amountsOf(action),
    };
  });
}

function outcomeOfAction(index: number, failedAt: number | undefined, isSkipped: boolean) {
  if (failedAt === undefined) return isSkipped ? "skipped" : "applied";
  if (index === failedAt) return "failed";
  return index < failedAt ? "undone" : "not_reached";
}

export function amountsOf(action: OutAction): { destination: string | null; value: string | null } {
  if (action.kind === "reserveCurrency")
    return { destination: null, value: action.currency.coins.toString() };
  const info = action.kind === "sendMsg" ? ifReadable(() => action.outMsg.value.info) : undefined;
  if (info?.kind !== "internal") return { destination: null, value: null };
  return {
    destination: accountOf(info.dest)?.toRawUpper() ?? null,
    value: info.value.coins.toString(),
  };
}

export function accountIn(shardAccount: Cell | undefined): Account {
  return shardAccount && decode(ShardAccount, shardAccount).account.value;
}

export function initIn(account: Account) {
  const state = account?.storage.state;
  return state?.kind === "active" ? state.init : undefined;
}

export function storageOf(before: Cell | undefined, after: Cell | undefined): DebugRunRecord["storage"] {
  return {
    before: before ? bytesToBase64(before.hash()) : null,
    after: after ? bytesToBase64(after.hash()) : null,
    removed: onlyIn(before, after),
    added: onlyIn(after, before),
  };
}

/** The first cells of a tree that are not in another one, from the root down. */
function onlyIn(tree: Cell | undefined, other: Cell | undefined): DebugRunRecord["storage"]["added"] {
  if (!tree) return [];
  const known = new CellSet();
  const stack = other ? [other] : [];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop())
    if (known.add(cell)) stack.push(...cell.refs);
  const found: Cell[] = [];
  let level = [tree];
  while (level.length > 0 && found.length < maxCells) {
    const fresh = level.filter((cell) => known.add(cell));
    found.push(...fresh);
    level = fresh.flatMap(({ refs }) => refs);
  }
  return found.slice(0, maxCells).map((cell) => ({
    hash: bytesToBase64(cell.hash()),
    bits: cell.bits,
    data: dataHex(cell),
    refs: cell.refs.map((ref) => bytesToBase64(ref.hash())),
  }));
}

function dataHex(cell: Cell): string {
  const slice = cell.exotic ? cell.parseExotic() : cell.parse();
  const whole = bytesToHex(slice.loadBytes(cell.bits >> 3));
  const rest = cell.bits & 7;
  return rest === 0 ? whole : whole + (slice.loadUint(rest) << (8 - rest)).toString(16).padStart(2, "0");
}
