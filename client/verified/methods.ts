import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { presentAddressInformation } from "../../shared/ton/present/address-information.js";
import { presentMasterchainInfo } from "../../shared/ton/present/block.js";
import { presentBoc } from "../../shared/ton/present/records.js";
import { presentOk, presentSent } from "../../shared/ton/present/send.js";
import { presentPlainTransaction } from "../../shared/ton/present/transaction.js";
import { isSuspended } from "../../shared/ton/proofs/read/suspended.js";
import { readTransactions } from "../../shared/ton/proofs/read/transactions.js";
import { zeroStateBlock } from "../../shared/ton/tlb/block-id.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import type { Handlers } from "./handlers.js";
import { addressOf, bagOf, hashOf, maybeCount, maybeInteger } from "./inputs.js";
import type { CommonMethod } from "./proven-method.js";

const defaultLimit = 10;
const mostTransactions = 1000;

/** Methods of which all clients have the code; `furtherHandlers` are loaded when they are called. */
export const commonHandlers: Handlers<CommonMethod> = {
  async getMasterchainInfo(_, reads, call) {
    const { last, stateRootHash, init } = (await reads.head(call)).info;
    return presentMasterchainInfo({ last, stateHash: stateRootHash, zeroState: zeroStateBlock(init) });
  },

  async getAddressInformation({ address, seqno }, reads, call) {
    const block = await reads.blockAt(maybeCount("seqno", seqno), call);
    const [account, list] = await Promise.all([
      reads.account(addressOf(address), block.seqno, call),
      reads.suspended(block, call),
    ]);
    return presentAddressInformation(account, {
      isSuspended: isSuspended(account, list),
      stateBoc: presentBoc,
    });
  },

  async getAddressBalance({ address, seqno }, reads, call) {
    const account = await reads.account(addressOf(address), maybeCount("seqno", seqno), call);
    return account.balance.toString();
  },

  async getAddressState({ address, seqno }, reads, call) {
    return (await reads.account(addressOf(address), maybeCount("seqno", seqno), call)).status;
  },

  async getTransactions({ address: text, limit, lt, hash, to_lt: toLt }, reads, call) {
    const address = addressOf(text);
    const start = maybeInteger("lt", lt);
    const from =
      start !== undefined && hash
        ? { lt: start, hash: hashOf(hash) }
        : (await reads.account(address, undefined, call)).lastTransaction;
    const query = {
      address,
      from,
      limit: Math.min(maybeCount("limit", limit) ?? defaultLimit, mostTransactions),
      toLt: maybeInteger("to_lt", toLt) ?? 0n,
    };
    const { transactions } = await readTransactions(reads.lite, query, call);
    return transactions.map(presentPlainTransaction);
  },

  async sendBoc({ boc }, reads, call) {
    await reads.lite.sendMessage({ body: bagOf("boc", boc) }, call);
    return presentOk();
  },

  async sendBocReturnHash({ boc }, reads, call) {
    const body = bagOf("boc", boc);
    const root = parseBocRoot(body);
    const sent = presentSent({ root, message: decode(Message, root) });
    await reads.lite.sendMessage({ body }, call);
    return sent;
  },
};
