import type { AbiBody } from "../../../shared/schema/v3/abi.js";
import type { DebugRunRecord } from "../../../shared/schema/v3/debug.js";
import type { AnswerNames } from "../../../shared/text/answer-names.js";
import { english } from "../../../shared/text/english/english.js";
import { runs } from "../../../shared/text/english/runs.js";
import { modeText, reasonText } from "../../../shared/text/run-failure.js";
import { opcodeOf } from "../../../shared/ton/bodies/payload.js";
import type { PlainRun } from "../../../shared/ton/present/v3/debug-run.js";
import { type ActionReason, readActionReasons } from "../../../shared/ton/run/action-log.js";
import type { TransactionRun } from "../../../shared/ton/run/debug-run.js";
import { decodeOutList, type OutAction } from "../../../shared/ton/tlb/out-action.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { asClause, explainExitCode } from "../../../shared/values/exit-codes/explain.js";
import type { Abis } from "../../artifacts/store.js";
import { opcodeHex } from "../../store/declare/wire-forms.js";
import { bodyByAbis, event, internal } from "./record-abis.js";

type Action = DebugRunRecord["actions"][number];
type Plain = PlainRun["actions"][number];

const language = { ...english, runs };
/** Messages that are read by ABIs. */
const maxBodies = 64;

/** The actions of a run with what the emulator's log and ABIs tell of them. */
export function actionsInWords(
  actions: readonly Plain[],
  { own }: TransactionRun,
  { artifacts, codeHash, names }: { artifacts: Abis; codeHash: string | undefined; names: AnswerNames },
): Action[] {
  const { transaction, address } = own.found;
  const list = own.result?.actions;
  const ordered = (list && ifReadable(() => decodeOutList(list))) ?? [];
  const { value } = transaction.description;
  const phase = "action" in value ? value.action?.value : undefined;
  const reasons = reasonsOf(actions, readActionReasons(own.result?.emulatorLog ?? ""), phase?.resultCode);
  const sender = { codeHash, account: address.toRawUpper() };
  return actions.map((action, index) => {
    const reason = reasons[index];
    const message = bodyOf(ordered[index]);
    const opcode = message && opcodeOf(message.body);
    return {
      ...action,
      code: reason?.code ?? null,
      reason: reason ? presentReason(reason, names) : null,
      mode_text: action.mode === null ? null : (modeText(action.kind, action.mode, language) ?? null),
      opcode: opcode === undefined ? null : opcodeHex.present(opcode | 0),
      abi: message && index < maxBodies ? abiOf(message, sender, artifacts) : null,
    };
  });
}

/** The modes of messages of which there is none with other bits, nor with both of the last ones. */
const knownModes = 0xf3;
const carrying = 0xc0;

/** The reasons of actions that failed or were left out. Those that leave no line have the code alone. */
function reasonsOf(
  actions: readonly Plain[],
  logged: readonly ActionReason[],
  code: number | undefined,
): (ActionReason | undefined)[] {
  const isSilent = ({ kind, mode }: Plain) =>
    kind === "send" && mode !== null && ((mode & ~knownModes) !== 0 || (mode & carrying) === carrying);
  const telling = actions.flatMap((action, index) =>
    (action.outcome === "failed" || action.outcome === "skipped") && !isSilent(action) ? [index] : [],
  );
  const failed = actions.findIndex(({ outcome }) => outcome === "failed");
  const isWhole = telling.length === logged.length;
  return actions.map((action, index) => {
    if (action.outcome !== "failed" && action.outcome !== "skipped") return undefined;
    if (isSilent(action)) return { code: 34, kind: "mode" };
    if (isWhole) return logged[telling.indexOf(index)];
    if (index !== failed || code === undefined) return undefined;
    const last = logged.at(-1);
    return last?.code === code ? last : { code, kind: "other" };
  });
}

function presentReason(reason: ActionReason, names: AnswerNames): Action["reason"] {
  const { code, available, needed } = reason;
  const meaning = explainExitCode({ code, phase: "action" });
  return {
    text: reasonText(reason, names, language) ?? (meaning ? asClause(meaning) : `code ${code}`),
    available: available?.toString() ?? null,
    needed: needed?.toString() ?? null,
  };
}

function bodyOf(action: OutAction | undefined) {
  return action?.kind === "sendMsg" ? ifReadable(() => action.outMsg.value) : undefined;
}

type Sent = NonNullable<ReturnType<typeof bodyOf>>;

/** By the sender's ABI; a message to a contract also by its opcode alone. */
function abiOf(
  { info, body }: Sent,
  sender: { codeHash: string | undefined; account: string },
  artifacts: Abis,
): AbiBody | null {
  if (artifacts.isEmpty) return null;
  const isInternal = info.kind === "internal";
  const contracts = [[artifacts.abisOf(sender), (isInternal ? internal : event).sender]] as const;
  return bodyByAbis(body, { contracts, guess: isInternal ? internal.guess : [] }, artifacts);
}
