import { AnswerNames } from "../../../shared/text/answer-names.js";
import { english } from "../../../shared/text/english/english.js";
import { describeRefusal, type Refusal } from "../../../shared/text/refusal.js";
import { type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { type FailedRun, failedRunIn, rejectionIn } from "../../../shared/ton/lite/liteserver-texts.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { externalReceiver, type Message } from "../../../shared/ton/tlb/message.js";
import { bytesEqual, bytesToBase64 } from "../../../shared/values/bytes.js";
import {
  contractsAt,
  type ExitMeaning,
  explainExitCode,
  notAccepted,
} from "../../../shared/values/exit-codes/explain.js";
import { hasSucceeded, isOutOfGas } from "../../../shared/values/exit-codes/kinds.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { gasParam } from "../../chain/run/fees.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import { orderFacts } from "../../contracts/wallet-request.js";
import { ServiceError } from "../../errors.js";
import type { Fallback } from "../../observe/fallback.js";
import { type AbiMeaning, abiKeysOf, abiMeaning, chosenMeaning } from "../../present/v3/abi.js";
import type { BookSettings } from "../../present/v3/answer-extras.js";
import { knownNames } from "../../present/v3/texts.js";
import { explainLiteError } from "./lite-errors.js";

const maxLogLength = 4096;

export type RejectionDeps = {
  reader: Pick<ChainReader, "last" | "account" | "config">;
  blockTime?: BlockTime | undefined;
  fallback: Fallback;
  /** ABIs, whose names of exit codes come before those that all contracts of a kind share. */
  artifacts: Pick<ArtifactStore, "abisOf">;
  /** Names of the network's accounts and of its coin. */
  book?: BookSettings | undefined;
};

/** The error of a rejected message: the liteserver's text, the reason parsed from it as data, and both in words. */
export async function explainRejection(
  error: unknown,
  message: Message,
  deps: RejectionDeps,
  call: LiteCall,
): Promise<unknown> {
  if (!(error instanceof LiteError)) return error;
  const { message: text } = explainLiteError(error);
  const reason = rejectionIn(error.message);
  if (!reason) return explainLiteError(error);
  const data = {
    reason,
    ...((reason === "not-accepted" || reason === "no-account") && (await runData(text, message, deps, call))),
  };
  const account = externalReceiver(message)?.toRawUpper();
  const words = await inWords({ ...data, account, why: problemIn(text) }, deps);
  return new ServiceError("message-rejected", text, { data, words, cause: error });
}

/** What is wrong with a message that cannot be parsed. */
function problemIn(text: string): string | undefined {
  return /failed to parse external message: (.*)/.exec(text)?.[1];
}

/** The error of a message that is none, or none from outside. */
export function malformed(text: string): ServiceError {
  const data = { reason: "malformed" };
  const words = describeRefusal({ ...data, why: problemIn(text) ?? text }, new AnswerNames({}), english);
  return new ServiceError("message-rejected", text, { data, words });
}

async function inWords(refusal: Refusal, { book }: Pick<RejectionDeps, "book">) {
  return describeRefusal(refusal, await knownNames(book?.texts), english);
}

/** Data of a failed run, or the reason why nothing ran. Acceptance is decided in the compute phase. */
async function runData(
  text: string,
  message: Message,
  { reader, blockTime, fallback, artifacts }: RejectionDeps,
  call: LiteCall,
): Promise<Partial<Refusal> & { phase?: string; vm_log?: string }> {
  const missing = (error: unknown): undefined => {
    if (!call.signal?.aborted) fallback("rejection-details", error);
  };
  const account = await receiver(message, reader, call).catch(missing);
  const run = failedRunIn(text);
  if (!run) return account ? whyNotRun(account, message) : {};
  return dataOfRun(run, account, message, { reader, blockTime, missing, artifacts });
}

type RunDeps = Pick<RejectionDeps, "blockTime" | "artifacts"> & {
  reader: Pick<ChainReader, "config">;
  /** Receives the reason why a part of the data cannot be read. */
  missing: (error: unknown) => undefined;
};

async function dataOfRun(
  { exitCode: code, lacksLibrary, log }: FailedRun,
  account: AccountSnapshot | undefined,
  message: Message,
  { reader, blockTime, missing, artifacts }: RunDeps,
) {
  const meaning = hasSucceeded(code)
    ? notAccepted
    : chosenMeaning(
        ownMeaning(account, code, artifacts),
        explainExitCode({ code, contract: contractOf(account) }),
      );
  return {
    exit_code: code,
    ...presentMeaning(meaning),
    phase: "compute",
    ...(account && isOutOfGas(code) && (await gasCredit(account, reader).catch(missing))),
    ...(lacksLibrary &&
      account?.code?.type === "library" && { library: bytesToBase64(libraryHash(account.code)) }),
    ...(log && { vm_log: log.slice(-maxLogLength) }),
    ...(account && (await walletOrder(account, message, blockTime).catch(missing))),
  };
}

/** Why an account did not accept an emulated message from outside, as data and in words. */
export async function explainNotAccepted(
  run: FailedRun | undefined,
  account: AccountSnapshot,
  message: Message,
  deps: RunDeps & Pick<RejectionDeps, "book">,
) {
  const why = run ? await dataOfRun(run, account, message, deps) : whyNotRun(account, message);
  const data = { reason: "not-accepted", ...why };
  return { data, words: await inWords({ ...data, account: account.address.toRawUpper() }, deps) };
}

async function gasCredit(
  { address, block }: AccountSnapshot,
  reader: RunDeps["reader"],
): Promise<Partial<Refusal>> {
  const { params } = await reader.config(block);
  const limits = configParam(params, gasParam(address.workchain));
  return limits ? { gas_credit: Number(limits.gasCredit) } : {};
}

function presentMeaning(meaning: ExitMeaning | AbiMeaning | undefined): Partial<Refusal> {
  if (meaning === undefined) return {};
  const source = "source" in meaning && { exit_source: meaning.source };
  return { exit_name: meaning.name, exit_meaning: meaning.text, ...source };
}

function ownMeaning(
  account: AccountSnapshot | undefined,
  exitCode: number,
  artifacts: RejectionDeps["artifacts"],
): AbiMeaning | undefined {
  return account && abiMeaning(artifacts.abisOf(abiKeysOf(account)), exitCode);
}

/** The account that rejected the message. */
async function receiver(
  message: Message,
  reader: RejectionDeps["reader"],
  call: LiteCall,
): Promise<AccountSnapshot | undefined> {
  const address = externalReceiver(message);
  return address && reader.account(reader.last, address, call);
}

function contractOf(account: AccountSnapshot | undefined): readonly string[] {
  if (!account) return [];
  const { address, code } = account;
  return contractsAt(address.toRaw(), code && interfacesOf(bytesToBase64(code.hash()), null));
}

/** Unix time of the next block, if this process makes blocks. */
type BlockTime = () => Promise<number>;

/** What tells why a wallet refused an order: wallets stamp orders with the clock of their computer. */
async function walletOrder(
  account: AccountSnapshot,
  { body }: Message,
  blockTime: BlockTime | undefined,
): Promise<Partial<Refusal>> {
  return orderFacts(account, body, blockTime ? await blockTime() : account.syncUtime);
}

type Reason = [name: string, text: string];

const notEnoughCoins: Reason = [
  "not-enough-coins",
  "The account has not enough coins to pay for the message.",
];

/**
 * The reason why no code ran for an external message, in the data of its refusal. The reference only states that it was
 * not accepted.
 */
function whyNotRun(receiver: AccountSnapshot, message: Message): Partial<Refusal> {
  const state = receiver.account ? receiver.account.storage.state.kind : "nonexist";
  const [name, text] = reasonOf(state, receiver, message);
  return { account_state: state, exit_name: name, exit_meaning: text };
}

function reasonOf(state: string, { code, address, frozenHash }: AccountSnapshot, { init }: Message): Reason {
  if (state === "nonexist")
    return ["no-account", "The account does not exist: it needs coins before a message can deploy it."];
  if (code) return notEnoughCoins;
  if (!init)
    return [
      "no-code",
      state === "frozen"
        ? "The account is frozen: the message needs the StateInit that it had."
        : "The account has no code: the message needs its StateInit.",
    ];
  return isStateOf(init, { address, frozenHash })
    ? notEnoughCoins
    : ["wrong-state-init", "The StateInit of the message is not the account's."];
}

/** Whether a StateInit is that of the account. */
export function isStateOf(
  init: NonNullable<Message["init"]>,
  { address, frozenHash }: Pick<AccountSnapshot, "address" | "frozenHash">,
): boolean {
  return bytesEqual(init.cell.hash(), frozenHash ?? address.hash);
}
