import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { addressOfId } from "../../../shared/ton/lite/account-id.js";
import {
  type AccountId,
  type AccountQuery,
  type AccountState,
  type LiteApi,
  type LiteCall,
  LiteError,
  liteErrorCode,
} from "../../../shared/ton/lite/lite-api.js";
import { invalidWorkchain } from "../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { ForkOrigin, TransactionPage } from "../fork/origin.js";
import { asked } from "./fork-access.js";

const maxTransactions = 16;

/** The chain of a fork, with libraries of the origin and with transactions before the fork. */
export function forkedApi(api: LiteApi, origin: ForkOrigin): LiteApi {
  return {
    ...api,
    async getTransactions(request, call = {}) {
      const { lt } = request;
      if (lt > origin.start.lt || lt === 0n) return api.getTransactions(request, call);
      const found = await asked(origin.transactions(pageOf(request), call.signal));
      if (found.length === 0) throw failure("cannot locate transaction in block with specified logical time");
      return { ids: [], transactions: serializeBoc(found.map(({ cell }) => cell)) };
    },
    async getLibraries(request, call = {}) {
      const { result } = await api.getLibraries(request, call);
      const known = new Set(result.map(({ hash }) => bytesToHex(hash)));
      const missing = request.libraryList.filter((hash) => !known.has(bytesToHex(hash)));
      if (missing.length === 0) return { result };
      const found = await asked(origin.libraries(missing, call.signal));
      return {
        result: [...result, ...found.map((cell) => ({ hash: cell.hash(), data: serializeBoc(cell) }))],
      };
    },
  };
}

/**
 * A fork for clients of liteservers, which check proofs: an account that the fork has not changed is answered with the
 * proof and the block of the origin, or refused.
 */
export function provenForkApi(api: LiteApi, origin: ForkOrigin): LiteApi {
  /** The answer of the chain, or undefined if only the origin has the account. */
  async function own<Q extends { account: AccountId }, A>(
    request: Q & Pick<AccountQuery, "id">,
    call: LiteCall,
    answer: () => Promise<A>,
  ): Promise<A | undefined> {
    const { id, account } = request;
    // A destroyed account has a state too, without content.
    const { state, shardblk } = await api.getAccountState({ id, account }, call);
    if (state.length > 0 || shardblk.workchain === invalidWorkchain) return answer();
    const outside = await asked(origin.account(addressOfId(account), call.signal));
    return outside?.account.value ? undefined : answer();
  }

  async function stateOf(request: AccountQuery, call: LiteCall, answer: () => Promise<AccountState>) {
    const found = await own(request, call, answer);
    if (found) return found;
    const proven = await asked(origin.accountProof(addressOfId(request.account), call.signal));
    if (proven) return proven;
    throw failure("the account is as in the forked network, which gives no proofs here: read it over HTTP");
  }

  return {
    ...api,
    getAccountState: (request, call = {}) => stateOf(request, call, () => api.getAccountState(request, call)),
    getAccountStatePrunned: (request, call = {}) =>
      stateOf(request, call, () => api.getAccountStatePrunned(request, call)),
    async runSmcMethod(request, call = {}) {
      const found = await own(request, call, () => api.runSmcMethod(request, call));
      if (found) return found;
      throw failure("the account is as in the forked network: run its get-methods over HTTP");
    },
    async getTransactions(request, call = {}) {
      const { lt } = request;
      if (lt > origin.start.lt || lt === 0n) return api.getTransactions(request, call);
      const list = await asked(origin.transactionList(pageOf(request), call.signal));
      if (list) return list;
      throw failure(
        "the transaction is before the fork, whose network has no liteservers here: read it over HTTP",
      );
    },
  };
}

function pageOf({ account, lt, hash, count }: Parameters<LiteApi["getTransactions"]>[0]): TransactionPage {
  return { address: addressOfId(account), from: { lt, hash }, count: Math.min(count, maxTransactions) };
}

function failure(message: string): LiteError {
  return new LiteError(liteErrorCode.failure, message);
}
