import type { DebugRunRecord } from "../../../shared/schema/v3/debug.js";
import type { TraceFailure } from "../../../shared/schema/v3/message-status.js";
import type { AnswerNames } from "../../../shared/text/answer-names.js";
import { english } from "../../../shared/text/english/english.js";
import { runs } from "../../../shared/text/english/runs.js";
import { isUnperformed } from "../../../shared/text/failed-step.js";
import { describeRefusal } from "../../../shared/text/refusal.js";
import { describeRunFailure, type RunAction, type RunFacts } from "../../../shared/text/run-failure.js";
import { opcodeOf } from "../../../shared/ton/bodies/payload.js";
import type { SourcePlace } from "../../../shared/ton/debug/maps/marks.js";
import type { RunFrames } from "../../../shared/ton/debug/run-frames.js";
import { accountIn, initIn, type PlainRun } from "../../../shared/ton/present/v3/debug-run.js";
import { presentLocated } from "../../../shared/ton/present/v3/debug-values.js";
import { presentPrints } from "../../../shared/ton/present/v3/read-run.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import type { DebugRun, RefusedRun, TransactionRun } from "../../../shared/ton/run/debug-run.js";
import type { BlockId } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { readLoggedValue, splitValues } from "../../../shared/ton/tvm/logged-values.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import { sliceDemand } from "../../../shared/ton/tvm/slice-demand.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { contractsAt, explainExitCode } from "../../../shared/values/exit-codes/explain.js";
import { firstOwnCode, hasSucceeded, isOutOfGas } from "../../../shared/values/exit-codes/kinds.js";
import type { Abis, ChosenAbi } from "../../artifacts/store.js";
import { orderFacts } from "../../contracts/wallet-request.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { codeOf, directions } from "../../store/codes.js";
import type { JudgedTransaction, MessageSide } from "../../store/queries/messages/message-status.js";
import { abiMeaning, abiOpcodeOf, abiOperationsBut, chosenMeaning } from "./abi.js";
import { hasFailed, presentFailures } from "./failure.js";
import { presentContent } from "./message.js";
import { bodyByAbis, external, internal } from "./record-abis.js";
import { actionsInWords } from "./run-actions.js";

export type RunWordsSource = {
  artifacts: Abis;
  names: AnswerNames;
  /** Interfaces of the contract, by the methods in its code. */
  interfaces: readonly string[];
  /** ABIs of the code that has thrown, if it is not the contract's own. */
  thrownIn: readonly ChosenAbi[];
  rowOf(transaction: CellOf<Transaction>, block: BlockId): JudgedTransaction;
  /** Its functions and places in the sources. */
  frames: RunFrames;
  /** The same run with stacks, if `needsStacks`. */
  stacks?: MachineLog | undefined;
};

const language = { ...english, runs };
const cellUnderflow = 9;
const lacksLibrary = "failed to load library cell";

/** Whether the values that a failed instruction met tell more. */
export function needsStacks({ outcome }: PlainRun): boolean {
  return (
    outcome.phase === "compute" && outcome.thrown_by === "machine" && outcome.exit_code === cellUnderflow
  );
}

export type RunInWords = Omit<DebugRunRecord, "gas"> & Pick<PlainRun, "gas">;

/** A run with the reasons of its actions, and with what failed and what can be done about it in words. */
export function inWords(plain: PlainRun, run: DebugRun, source: RunWordsSource): RunInWords {
  const codeHash = plain.code?.hash;
  const actions =
    run.kind === "transaction" ? actionsInWords(plain.actions, run, { ...source, codeHash }) : [];
  const named = { ...plain, message: messageByAbi(plain, run, source.artifacts), actions };
  const failure = failureOf(named, run, source);
  const machine = machineFacts(plain, run, source.stacks);
  const { instruction = null, wanted = null, left = null, library = null } = machine;
  const failedAt = failure && stepOf(named, failure);
  const { place } = (failedAt === undefined ? undefined : source.frames.located(failedAt)) ?? {};
  const facts: RunFacts = {
    ...machine,
    actions: failure?.phase === "action" ? runActions(actions) : [],
    ...(isOutOfGas(plain.outcome.exit_code ?? 0) && { dearest: dearestOf(run.log, source.frames) }),
    place: lineText(place),
  };
  const words = failure ? describe(failure, facts, run, source) : undefined;
  return {
    ...named,
    outcome: {
      ...plain.outcome,
      ...(failure && { exit_name: failure.exit_name, exit_meaning: failure.exit_meaning }),
      ...(failure?.exit_source && { exit_source: failure.exit_source }),
      sentence: words?.sentence ?? null,
      hint: words?.hint ?? null,
      ...{ instruction, wanted, left, library },
      ...(failedAt !== undefined && presentLocated(source.frames.located(failedAt))),
    },
    prints: presentPrints(run.log, source.frames),
  };
}

function describe(failure: TraceFailure, facts: RunFacts, run: DebugRun, { names }: RunWordsSource) {
  const words = describeRunFailure(failure, facts, names, language);
  const { account, exit_code: code, exit_name, exit_meaning, exit_source, operations } = failure;
  if (run.kind !== "refused" || code === null) return words;
  const isAnyContracts = facts.error !== undefined || exit_name === null;
  if (isAnyContracts && !hasSucceeded(code) && !isOutOfGas(code)) return words;
  const exit = { exit_code: code, exit_name, exit_meaning, operations, gas_credit: run.gasCredit };
  const refusal = {
    ...{ reason: "not-accepted", account, ...exit, ...(exit_source && { exit_source }) },
    ...orderFactsOf(run),
  };
  return describeRefusal(refusal, names, language);
}

/** What tells why a wallet refused the order. */
function orderFactsOf({ before, message, environment }: RefusedRun) {
  const { body, init } = CellOf.in(Message, message).value;
  return orderFacts(initIn(accountIn(before)) ?? init?.value ?? {}, body, environment.now);
}

type Named = Omit<PlainRun, "message" | "actions"> & Pick<DebugRunRecord, "message" | "actions">;

/** The received message with its fields by the contract's ABI, or by the opcode alone. */
function messageByAbi(
  { message, account, code }: PlainRun,
  run: DebugRun,
  artifacts: Abis,
): DebugRunRecord["message"] {
  const received = run.kind === "method" ? undefined : receivedMessage(run);
  if (!message || !received) return null;
  const { info, body } = received.value;
  const named = { ...message, decoded: presentContent(body, info.kind !== "internal") };
  // A bounced body is only the beginning of another one.
  if (message.bounced || artifacts.isEmpty) return { ...named, abi: null };
  const lists = info.kind === "internal" ? internal : external;
  const own = artifacts.abisOf({ codeHash: code?.hash, account });
  const asked = { contracts: [[own, lists.receiver]] as const, guess: lists.guess };
  return { ...named, abi: bodyByAbis(body, asked, artifacts) };
}

function receivedMessage(run: TransactionRun | RefusedRun): CellOf<Message> | undefined {
  return run.kind === "refused"
    ? CellOf.in(Message, run.message)
    : run.own.found.transaction.messages.value.inMsg;
}

/** The failure as answers have it, with what the run tells of it; `undefined` if nothing failed. */
function failureOf(record: Named, run: DebugRun, source: RunWordsSource) {
  const { artifacts, names, interfaces, rowOf, thrownIn } = source;
  const { outcome, account, code } = record;
  const keys = { codeHash: code?.hash, account };
  const contractOf = () => ({
    interfaces,
    library: code?.library ?? undefined,
    // An error of the machine is none of the contract's.
    ...(outcome.thrown_by !== "machine" && {
      errorOf: (exit: number) => abiMeaning(thrownIn, exit) ?? abiMeaning(artifacts.abisOf(keys), exit),
    }),
    operationOf: (opcode: number) => abiOpcodeOf(artifacts.guesses(opcode), opcode)?.message,
    operationsBut: (opcode: number) => abiOperationsBut(artifacts.abisOf(keys), opcode),
  });
  if (run.kind !== "transaction") return ranFailure(record, interfaces, contractOf);
  const { row, sides } = rowsOf(run, rowOf);
  if (!hasFailed(row, true)) return undefined;
  const [failure] = presentFailures({ transactions: [row], messages: sides, total: 1 }, contractOf, names);
  return (
    failure && { ...failure, ...ownMeaning(failure, outcome, interfaces), ...failedActionOf(record, failure) }
  );
}

/** A get-method that failed, or a message that was not accepted. */
function ranFailure(
  { outcome, account, message, gas }: Named,
  interfaces: readonly string[],
  contractOf: () => { errorOf?: (exit: number) => ReturnType<typeof abiMeaning> },
): TraceFailure | undefined {
  const { exit_code: code, success } = outcome;
  if (success || code === null) return undefined;
  const own = contractOf().errorOf?.(code);
  const contract = contractsAt(account, interfaces);
  const isNamed = !hasSucceeded(code) && outcome.thrown_by !== "machine";
  const known = isNamed ? explainExitCode({ code, contract }) : undefined;
  const meaning = chosenMeaning(own, known);
  const failure = {
    ...{ account, hash: "", lt: "0", interfaces: [...interfaces], phase: "compute" as const },
    ...{ source: message?.source ?? null, value: message?.value ?? null, opcode: message?.opcode ?? null },
    ...{ operation: null, skipped_reason: null, gas_used: gas?.used ?? null, became: null, debt: null },
    ...{ failed_action: null, skipped_actions: 0, bounce: null, refund: null },
    exit_code: code,
    exit_name: meaning?.name ?? outcome.exit_name,
    exit_meaning: meaning?.text ?? outcome.exit_meaning,
    ...(meaning && "source" in meaning && { exit_source: meaning.source }),
  };
  return { ...failure, ...ownMeaning(failure, outcome, interfaces) };
}

/** What a contract throws itself is not the machine's error of the same code. */
function ownMeaning(
  { exit_code: code, exit_source, phase }: Pick<TraceFailure, "exit_code" | "exit_source" | "phase">,
  { thrown_by }: PlainRun["outcome"],
  contract: readonly string[],
): Partial<TraceFailure> {
  if (phase !== "compute" || thrown_by !== "instruction" || exit_source || code === null) return {};
  if (code < 2 || code >= firstOwnCode) return {};
  const isMachines = explainExitCode({ code, contract })?.name === explainExitCode({ code })?.name;
  return isMachines ? { exit_name: null, exit_meaning: null } : {};
}

function rowsOf({ own, block, address, master }: TransactionRun, rowOf: RunWordsSource["rowOf"]) {
  const { cell, transaction } = own.found;
  const at = block?.inputs.block ?? { ...master, workchain: address.workchain };
  const row = rowOf(CellOf.in(Transaction, cell), at);
  return { row, sides: sidesOf(transaction, row.hash) };
}

/** The messages of a transaction as the index would have them. */
export function sidesOf({ messages }: Transaction, txHash: Uint8Array): MessageSide[] {
  const { inMsg, outMsgs } = messages.value;
  return [
    ...(inMsg ? [sideOf(inMsg, txHash, "in")] : []),
    ...Array.from(outMsgs.values(), (message) => sideOf(message, txHash, "out")),
  ];
}

function sideOf({ cell, value }: CellOf<Message>, txHash: Uint8Array, direction: "in" | "out"): MessageSide {
  const { info, body } = value;
  const isInternal = info.kind === "internal";
  const bytesOf = (address: Parameters<typeof accountOf>[0]) => {
    const account = accountOf(address);
    return account && addressToBytes(account);
  };
  return {
    tx_hash: txHash,
    msg_hash: cell.hash(),
    msg_hash_norm: undefined,
    direction: codeOf(directions, direction),
    source: info.kind === "externalIn" ? undefined : bytesOf(info.src),
    destination: info.kind === "externalOut" ? undefined : bytesOf(info.dest),
    value: isInternal ? info.value.coins : undefined,
    opcode: opcodeOf(body),
    bounced: isInternal ? info.bounced : undefined,
  };
}

function failedActionOf({ actions }: Named, { phase }: TraceFailure): Partial<TraceFailure> {
  if (phase !== "action") return {};
  const number = actions.findIndex(isUnperformed);
  const action = actions[number];
  if (!action) return {};
  const { destination: account, value, reason } = action;
  return { failed_action: { number, account, value, available: reason?.available ?? null } };
}

function runActions(actions: DebugRunRecord["actions"]): RunAction[] {
  return actions.flatMap((action, number) =>
    isUnperformed(action) && action.reason
      ? [
          {
            ...{ number, kind: action.kind, reason: action.reason.text },
            ...{ receiver: action.destination ?? undefined, value: action.value ?? undefined },
          },
        ]
      : [],
  );
}

/** What the machine's log tells of the instruction that failed. */
function machineFacts({ outcome }: PlainRun, { log }: DebugRun, stacks: MachineLog | undefined): RunFacts {
  const { phase, step, thrown_by } = outcome;
  if (phase !== "compute" || step === null) return {};
  const instruction = log.at(step).text;
  if (thrown_by !== "machine") return { instruction };
  const error = log.at(log.end - 1).error?.text ?? "";
  const before = stacks && step >= stacks.first && step < stacks.end ? stacks.stackBefore(step) : undefined;
  const stack = before === undefined ? [] : splitValues(before);
  if (error.startsWith(lacksLibrary)) return { instruction, error, library: libraryIn(stack.at(-1)) };
  const demand = instruction === undefined ? undefined : sliceDemand(instruction, stack);
  return { instruction, error, ...demand };
}

function libraryIn(text: string | undefined): string | undefined {
  const value = text === undefined ? undefined : readLoggedValue(text);
  return value?.type === "cell" && value.cell.type === "library"
    ? bytesToBase64(libraryHash(value.cell))
    : undefined;
}

/** The step that failed, or that ordered the action that did. */
function stepOf({ outcome, actions }: Named, { phase }: TraceFailure): number | undefined {
  return (phase === "action" ? actions.find(isUnperformed)?.step : outcome.step) ?? undefined;
}

const lineText = (place: SourcePlace | undefined) => place && `${place.file}:${place.line}`;

/** The function whose own steps used most of the gas. */
function dearestOf(log: MachineLog, frames: RunFrames): RunFacts["dearest"] {
  const sums = new Map<string, number>();
  for (let n = log.first; n < log.end; n++) {
    const name = frames.nameOf(n);
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + (log.at(n).gas ?? 0));
  }
  const [name, gas] = [...sums].reduce((one, other) => (other[1] > one[1] ? other : one), ["", 0]);
  return gas > 0 ? { name, gas: gas.toString() } : undefined;
}
