import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { contractsAt, explainExitCode } from "../../../shared/values/exit-codes.js";
import { type LiteCall, LiteError } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { interfacesOf } from "../../contracts/recognise/interfaces.js";
import { ServiceError } from "../../errors.js";
import { explainLiteError } from "./lite-errors.js";

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

/** The error of a rejected message: the liteserver's text, and as data the reason parsed from it. */
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
  const contract = exitCode === undefined ? [] : await contractAt(destination, reader, call);
  const data = { reason, ...(exitCode !== undefined && runData(exitCode, contract, error.message)) };
  return new ServiceError("message-rejected", text, { data, cause: error });
}

/** Data of a failed run. Acceptance is decided in the compute phase. */
function runData(exitCode: number, contract: readonly string[], text: string) {
  const succeeded = exitCode === 0 || exitCode === 1;
  const { name, text: meaning } = succeeded
    ? notAccepted
    : (explainExitCode({ code: exitCode, contract }) ?? {});
  const [, log] = text.split("VM Log (truncated):\n...");
  return {
    exit_code: exitCode,
    ...(name !== undefined && { exit_name: name, exit_meaning: meaning }),
    phase: "compute",
    ...(log && { vm_log: log.slice(-maxLogLength) }),
  };
}

function exitCodeIn(text: string): number | undefined {
  const match = /exitcode=(-?\d+)/.exec(text);
  return match ? Number(match[1]) : undefined;
}

/** Interfaces of the contract that rejected the message. They only improve the explanation, so errors are ignored. */
async function contractAt(
  destination: Address | undefined,
  reader: Pick<ChainReader, "last" | "account">,
  call: LiteCall,
): Promise<readonly string[]> {
  if (!destination) return [];
  try {
    const { code } = await reader.account(reader.last, destination, call);
    return contractsAt(destination.toRaw(), code && interfacesOf(bytesToBase64(code.hash()), null));
  } catch {
    return [];
  }
}
