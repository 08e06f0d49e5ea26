import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { contractsAt, type ExitMeaning, explainExitCode } from "../../../shared/values/exit-codes.js";
import { type LiteCall, LiteError } from "../../chain/lite-api.js";
import type { AccountSnapshot } from "../../chain/read/account.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { interfacesOf } from "../../contracts/recognise/interfaces.js";
import { ServiceError } from "../../errors.js";
import type { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";
import { explainLiteError } from "./lite-errors.js";
import { whyNotRun } from "./not-run.js";

/** Liteservers give the reason of a rejected message only as text. */
const reasons = [
  ["duplicate message", "duplicate"],
  ["too many external messages to address", "too-many-pending"],
  ["failed to parse external message", "malformed"],
  ["Failed to unpack account state", "no-account"],
  ["External message was not accepted", "not-accepted"],
] as const;

const maxLogLength = 4096;
const notAccepted = { name: "not-accepted", text: "The contract did not accept the message." };

type Reading = { reader: Pick<ChainReader, "last" | "account">; call: LiteCall };

/** The error of a rejected message: the liteserver's text, and as data the reason parsed from it. */
export async function explainRejection(error: unknown, message: Message, reading: Reading): Promise<unknown> {
  if (!(error instanceof LiteError)) return error;
  const { message: text } = explainLiteError(error);
  const reason = reasons.find(([words]) => error.message.includes(words))?.[1];
  if (!reason) return explainLiteError(error);
  const data = {
    reason,
    ...(/^no(t-accepted|-account)$/.test(reason) && (await runData(text, message, reading))),
  };
  return new ServiceError("message-rejected", text, { data, cause: error });
}

/** Data of a run that failed, or why there was none. Acceptance is decided in the compute phase. */
async function runData(text: string, message: Message, reading: Reading): Promise<object> {
  const account = await receiver(message, reading);
  const [, exitCode, steps] = /exitcode=(-?\d+)(?:, steps=(\d+))?/.exec(text) ?? [];
  if (exitCode === undefined || steps === "0") return account ? whyNotRun(account, message) : {};
  const code = Number(exitCode);
  const succeeded = code === 0 || code === 1;
  const meaning = succeeded ? notAccepted : explainExitCode({ code, contract: contractOf(account) });
  const [, log] = text.split("VM Log (truncated):\n...");
  return {
    exit_code: code,
    ...presentMeaning(meaning),
    phase: "compute",
    ...(log && { vm_log: log.slice(-maxLogLength) }),
  };
}

function presentMeaning(meaning: ExitMeaning | undefined): object {
  return meaning === undefined ? {} : { exit_name: meaning.name, exit_meaning: meaning.text };
}

/** The account that rejected the message. It only improves the explanation, so errors are ignored. */
async function receiver({ info }: Message, { reader, call }: Reading): Promise<AccountSnapshot | undefined> {
  const address = info.kind === "externalIn" ? accountOf(info.dest) : undefined;
  return address && reader.account(reader.last, address, call).catch(() => undefined);
}

function contractOf(account: AccountSnapshot | undefined): readonly string[] {
  if (!account) return [];
  const { address, code } = account;
  return contractsAt(address.toRaw(), code && interfacesOf(bytesToBase64(code.hash()), null));
}
