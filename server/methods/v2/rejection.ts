import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { failedRunIn, rejectionIn } from "../../../shared/ton/lite/liteserver-texts.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { externalReceiver, type Message } from "../../../shared/ton/tlb/message.js";
import { bytesEqual, bytesToBase64 } from "../../../shared/values/bytes.js";
import { contractsAt, type ExitMeaning, explainExitCode } from "../../../shared/values/exit-codes/explain.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import { readableWallet, readWalletRequest } from "../../contracts/wallet-request.js";
import { ServiceError } from "../../errors.js";
import type { Fallback } from "../../observe/fallback.js";
import { type AbiMeaning, abiKeysOf, abiMeaning, chosenMeaning } from "../../present/v3/abi.js";
import { explainLiteError } from "./lite-errors.js";

const maxLogLength = 4096;
const notAccepted = { name: "not-accepted", text: "The contract did not accept the message." };

export type RejectionDeps = {
  reader: Pick<ChainReader, "last" | "account">;
  blockTime?: BlockTime | undefined;
  fallback: Fallback;
  /** ABIs, whose names of exit codes come before those that all contracts of a kind share. */
  artifacts: Pick<ArtifactStore, "abisOf">;
};

/** The error of a rejected message: the liteserver's text, and as data the reason parsed from it. */
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
  return new ServiceError("message-rejected", text, { data, cause: error });
}

/** Data of a failed run, or the reason why nothing ran. Acceptance is decided in the compute phase. */
async function runData(
  text: string,
  message: Message,
  { reader, blockTime, fallback, artifacts }: RejectionDeps,
  call: LiteCall,
): Promise<object> {
  const missing = (error: unknown): undefined => {
    if (!call.signal?.aborted) fallback("rejection-details", error);
  };
  const account = await receiver(message, reader, call).catch(missing);
  const run = failedRunIn(text);
  if (!run) return account ? whyNotRun(account, message) : {};
  const { exitCode: code, log } = run;
  const succeeded = code === 0 || code === 1;
  const meaning = succeeded
    ? notAccepted
    : chosenMeaning(
        ownMeaning(account, code, artifacts),
        explainExitCode({ code, contract: contractOf(account) }),
      );
  return {
    exit_code: code,
    ...presentMeaning(meaning),
    phase: "compute",
    ...(log && { vm_log: log.slice(-maxLogLength) }),
    ...(account && (await timesOfExpired(account, message.body, blockTime).catch(missing))),
  };
}

function presentMeaning(meaning: ExitMeaning | AbiMeaning | undefined): object {
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

/**
 * The times of an expired wallet order, for the data of its refusal: wallets stamp orders with the clock of their
 * computer.
 */
async function timesOfExpired(
  { code, syncUtime }: AccountSnapshot,
  order: Cell,
  blockTime: BlockTime | undefined,
): Promise<object> {
  const wallet = code && readableWallet(bytesToBase64(code.hash()));
  const expiry = wallet === undefined ? undefined : readWalletRequest(wallet, order)?.validUntil;
  if (expiry === undefined) return {};
  const now = blockTime ? await blockTime() : syncUtime;
  return now === undefined || expiry > now ? {} : { valid_until: expiry, chain_time: now };
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
function whyNotRun(receiver: AccountSnapshot, message: Message): object {
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
  return bytesEqual(init.cell.hash(), frozenHash ?? address.hash)
    ? notEnoughCoins
    : ["wrong-state-init", "The StateInit of the message is not the account's."];
}
