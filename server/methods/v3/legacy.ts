import type { Call, Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { legacyMethods } from "../../../shared/methods/v3/legacy.js";
import { recognizeWallet, type Wallet } from "../../../shared/ton/contracts/wallet.js";
import { presentHash } from "../../../shared/ton/present/records.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { MethodOutcome } from "../../../shared/ton/run/run-get-method.js";
import type { Address } from "../../../shared/values/address.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { ServiceError } from "../../errors.js";
import { presentStateBoc } from "../../present/v2/state-boc.js";
import { type MethodByAbi, presentAbiRun } from "../../present/v3/abi.js";
import { walletMembers, walletOf } from "../../present/v3/account.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";
import { presentStack } from "../../present/v3/stack.js";
import type { AccountRow } from "../../store/queries/accounts/accounts.js";
import { reads } from "../../store/reads/index-reads.js";
import { type FeeDeps, feeHandlers } from "../v2/fees.js";
import { withV2Errors } from "../v2/lite-errors.js";
import { readAccount } from "../v2/read-account.js";
import { type RunMethodDeps, runOnAccount } from "../v2/run-method.js";
import { type SendDeps, sendHandlers } from "../v2/send.js";
import { methodRunOn } from "./get-method-run.js";
import type { RunSources } from "./run-sources.js";

export type LegacyDeps = Pick<IndexDeps, "index"> &
  FeeDeps &
  SendDeps &
  RunMethodDeps & {
    artifacts: Pick<ArtifactStore, "abisOf">;
    runSources: Pick<RunSources, "given">;
    /** Whether the index lags so far that accounts are read from the chain instead. */
    isIndexLate(): boolean;
  };

const noHash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

export const legacyHandlers: Handlers<typeof legacyMethods, LegacyDeps> = {
  async addressInformation({ address, use_v2 }, deps, call) {
    const found = await lookUp(address, use_v2, deps, call);
    const { wallet: _, isOnlyIndexed: __, balance, extra_currencies, ...account } = found;
    const hasExtra = Object.keys(extra_currencies).length > 0;
    return { balance, ...(hasExtra && { extra_currencies }), ...account };
  },

  async walletInformation({ address, use_v2 }, deps, call) {
    const account = await lookUp(address, use_v2, deps, call);
    const { wallet, balance, status, isOnlyIndexed, last_transaction_lt, last_transaction_hash } = account;
    if (isOnlyIndexed || (!wallet && !status.startsWith("uninit")))
      throw new ServiceError("not-a-token", "not a wallet");
    return {
      balance,
      ...(wallet && walletMembers(wallet)),
      last_transaction_lt,
      last_transaction_hash,
      status,
    };
  },

  async message({ boc }, deps, call) {
    const { hash, hash_norm } = await withV2Errors(
      Promise.resolve(sendHandlers.sendBocReturnHash({ boc }, deps, call)),
    );
    return { message_hash: hash, message_hash_norm: hash_norm };
  },

  async estimateFee({ ignore_chksig = true, ...params }, deps, call) {
    const v2Params = { ...params, ignore_chksig };
    const { source_fees, destination_fees } = await withV2Errors(
      Promise.resolve(feeHandlers.estimateFee(v2Params, deps, call)),
    );
    return { source_fees: withoutType(source_fees), destination_fees: destination_fees.map(withoutType) };
  },

  runGetMethod: (params, deps, call) => withV2Errors(run(params, deps, call)),
};

type Run = ParamsOf<typeof legacyMethods.runGetMethod>;

async function run(params: Run, deps: LegacyDeps, call: Call) {
  const { method, stack, args, include_abi, abi, ...target } = params;
  const byAbi = include_abi || args !== undefined;
  const { artifacts, runSources } = deps;
  const runOn = await methodRunOn({ method, stack, args, abi }, { artifacts, byAbi, runSources }, call);
  // A file can change between blocks.
  if (byAbi) call.provisional = true;
  let found: MethodByAbi | undefined;
  const { outcome } = await runOnAccount(
    target,
    async (account) => {
      const run = await runOn(account);
      found = run.found;
      return run;
    },
    deps,
    call,
  );
  if (!byAbi) return presentRun(outcome);
  const shown = found && (await paidTurns(call)(() => presentAbiRun(found!, outcome)));
  return { ...presentRun(outcome), abi: shown ?? null };
}

function presentRun({ gasUsed, exitCode, stack }: MethodOutcome) {
  return { gas_used: gasUsed, exit_code: exitCode, stack: presentStack(stack) };
}

/** Fields common to addressInformation and walletInformation. */
type Found = {
  balance: string;
  /** Amounts by currency ids. */
  extra_currencies: Record<string, string>;
  code: string | null;
  data: string | null;
  last_transaction_lt: string;
  last_transaction_hash: string;
  frozen_hash: string | null;
  status: "active" | "uninit" | "uninitialized" | "frozen" | "nonexist";
  wallet: Wallet | undefined;
  /** Whether the account does not exist, although the index has transactions of it. */
  isOnlyIndexed: boolean;
};

/**
 * Reads from the index, or from the chain if the caller requests it, the index lags or lacks the account. The index
 * also has nonexistent accounts that received messages; those are read from the chain too, so that v2 and v3 agree.
 */
async function lookUp(address: Address, useV2: boolean, deps: LegacyDeps, call: Call): Promise<Found> {
  const { reader } = deps;
  const readChain = () => readAccount(reader, reader.last, address, call);
  // TON Center answers 500 for every error of a read that the caller directs to the chain.
  if (useV2) return fromChain(await withV2Errors(readChain(), 500), "uninitialized");
  const row = deps.isIndexLate() ? undefined : await readRow(address, deps, call);
  if (row && row.status !== "nonexist") return fromIndex(row);
  return { ...fromChain(await withV2Errors(readChain()), "uninit"), isOnlyIndexed: row !== undefined };
}

async function readRow(address: Address, { index }: LegacyDeps, call: Call): Promise<AccountRow | undefined> {
  const rows = await index.read(call, (queries) =>
    reads.readAccounts(queries, { addresses: [address] }, "both"),
  );
  return rows[0];
}

function fromIndex(row: AccountRow): Found {
  return {
    balance: row.balance,
    extra_currencies: row.extra_currencies,
    code: row.code_boc,
    data: row.data_boc,
    last_transaction_lt: row.last_transaction_lt ?? "0",
    last_transaction_hash: row.last_transaction_hash ?? noHash,
    frozen_hash: row.frozen_hash,
    status: row.status,
    wallet: walletOf(row),
    isOnlyIndexed: false,
  };
}

/** `uninit`: the status of an account without code, including nonexistent ones. */
function fromChain(account: AccountSnapshot, uninit: "uninit" | "uninitialized"): Found {
  const { balance, extraCurrencies, code, data, lastTransaction, frozenHash, status } = account;
  const extra = Array.from(extraCurrencies.entries(), ([id, amount]) => [id, amount.toString()]);
  return {
    balance: balance.toString(),
    extra_currencies: Object.fromEntries(extra),
    code: code ? presentStateBoc(code) : null,
    data: data ? presentStateBoc(data) : null,
    last_transaction_lt: lastTransaction.lt.toString(),
    last_transaction_hash: presentHash(lastTransaction.hash),
    frozen_hash: frozenHash ? presentHash(frozenHash) : null,
    status: status === "uninitialized" ? uninit : status,
    wallet: code && data && recognizeWallet(code, data),
    isOnlyIndexed: false,
  };
}

function withoutType<T extends { "@type": string }>({ "@type": _, ...rest }: T): Omit<T, "@type"> {
  return rest;
}
