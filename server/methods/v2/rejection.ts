import type { Address } from "../../../shared/values/address.js";
import { type LiteCall, LiteError } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { exitMeaning } from "../../contracts/exit-codes.js";
import { recognizeWallet } from "../../contracts/recognise/wallet.js";
import { ServiceError } from "../../errors.js";
import { explainLiteError } from "./lite-errors.js";

/** Liteservers say why they do not take a message in words alone. */
const reasons = [
  ["duplicate message", "duplicate"],
  ["too many external messages to address", "too-many-pending"],
  ["failed to parse external message", "malformed"],
  ["Failed to unpack account state", "no-account"],
  ["External message was not accepted", "not-accepted"],
] as const;

const shownLog = 4096;

/** Why a message was not taken in: the liteserver's words, and as data what can be made of them. */
export async function explainRejection(
  error: unknown,
  destination: Address | undefined,
  { reader, call }: { reader: Pick<ChainReader, "last" | "account">; call: LiteCall },
): Promise<unknown> {
  if (!(error instanceof LiteError)) return error;
  const { message: text } = explainLiteError(error);
  const reason = reasons.find(([words]) => error.message.includes(words))?.[1];
  if (!reason) return explainLiteError(error);
  const exitCode = exitCodeIn(error.message);
  const wallet = exitCode === undefined ? undefined : await walletAt(destination, reader, call);
  const data = { reason, ...(exitCode !== undefined && runData(exitCode, wallet, error.message)) };
  return new ServiceError("message-rejected", text, { data, cause: error });
}

/** Only the compute phase decides whether a message is accepted. */
function runData(exitCode: number, wallet: string | undefined, text: string) {
  const succeeded = exitCode === 0 || exitCode === 1;
  const meaning = succeeded ? "The contract did not accept the message." : exitMeaning(exitCode, wallet);
  const [, log] = text.split("VM Log (truncated):\n...");
  return {
    exit_code: exitCode,
    ...(meaning !== undefined && { exit_meaning: meaning }),
    phase: "compute",
    ...(log && { vm_log: log.slice(-shownLog) }),
  };
}

function exitCodeIn(text: string): number | undefined {
  const match = /exitcode=(-?\d+)/.exec(text);
  return match ? Number(match[1]) : undefined;
}

/** Which wallet refused. It only makes the explanation better, so not knowing is no failure. */
async function walletAt(
  destination: Address | undefined,
  reader: Pick<ChainReader, "last" | "account">,
  call: LiteCall,
): Promise<string | undefined> {
  try {
    const { code, data } = destination ? await reader.account(reader.last, destination, call) : {};
    return code && data && recognizeWallet(code, data)?.type;
  } catch {
    return undefined;
  }
}
