import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { configParam, knownParam } from "../../../shared/ton/tlb/config/config-param.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Payment } from "../../contracts/wallet-order.js";
import type { Arrival } from "../chain/delivery-watch.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import { DevnetError } from "../devnet-error.js";
import { complaintBody, voteBody } from "../elections/bodies.js";
import { electionOfSet, electorData, electorOf } from "../elections/elector.js";
import type { ValidatorOperator } from "../elections/validator-operator.js";
import type { Wallet } from "../wallets/wallet.js";
import { requiredSeqno } from "../wallets/wallet-seqno.js";

/** A complaint about a validator, by index in the current set; `fine` in nanotons. */
export type Accusation = {
  validator: number;
  fine: bigint;
  /** Number of validators that vote. Default: all with known keys. */
  votes?: number | undefined;
};

const ton = 1_000_000_000n;
/** Added to the deposit for storage and the answer. The rest is returned. */
const complaintValue = 5n * ton;
const voteValue = ton;
const maxPayments = 4;
const orderSeconds = 60;

/** Opcode of the elector's answer to a complaint. A refusal adds the number of the reason. */
const answerToComplaint = 0xf2676350;
const refusals = [
  "it must come from the masterchain",
  "the election is unknown",
  "it is too deep",
  "the stakes of the election are about to be returned",
  "it was not paid for",
  "the validator has no stake in the election",
  "the fine is greater than the stake",
  "the fine must be greater than the price of a complaint",
  "it is known",
];

/** Complains from the first validator's wallet, and votes for the current set. */
export async function accuse(
  chain: DevnetChain,
  { wallets }: ValidatorOperator,
  { validator, fine, votes = Number.POSITIVE_INFINITY }: Accusation,
): Promise<{ complaintHash: Uint8Array; electionId: number; block: BlockIdExt }> {
  const wallet = itemAt(wallets, 0);
  const { config } = chain.masterchain.master.config;
  const accused = [...knownParam(config.value, 34).list.values()][validator];
  if (!accused) throw new DevnetError("invalid", `the set in force has no validator ${validator}`);
  const electionId = electionOfSet(chain.masterchain);
  const to = electorOf(chain.masterchain);
  if (electionId === undefined || !to)
    throw new DevnetError("conflict", "the set in force was not elected, so it has no stakes");

  const complaintsNow = () => [
    ...(electorData(chain.masterchain)?.pastElections.get(electionId)?.complaints.keys() ?? []),
  ];
  const known = new Set(complaintsNow().map(bytesToHex));
  const body = complaintBody({ accused: { publicKey: accused.publicKey.pubkey }, electionId, fine });
  const value = (configParam(config.value, 13)?.deposit ?? 0n) + complaintValue;
  const filed = await send(chain, wallet, [{ to, value, body }]);
  checkAnswer(filed);
  const complaintHash = complaintsNow().find((hash) => !known.has(bytesToHex(hash)));
  if (!complaintHash) throw new DevnetError("conflict", "the elector has forgotten the complaint");

  let { block } = filed;
  const voters = chain.validatorKeys
    .group(chain.masterchain)
    .flatMap(({ key }, voter) =>
      key ? [voteBody({ key, voter, electionId, complaint: complaintHash })] : [],
    )
    .slice(0, votes);
  for (let at = 0; at < voters.length; at += maxPayments) {
    const payments = voters.slice(at, at + maxPayments).map((vote) => ({ to, value: voteValue, body: vote }));
    block = (await send(chain, wallet, payments)).block;
  }
  return { complaintHash, electionId, block };
}

/** Sends payments from a wallet and makes blocks until the first of them has arrived. */
async function send(chain: DevnetChain, wallet: Wallet, payments: readonly Payment[]): Promise<Arrival> {
  // Runs exclusively, so that no block in progress uses the wallet's seqno for the operator.
  const offer = await chain.exclusive(() => {
    const seqno = requiredSeqno(chain.account(wallet.address.workchain, wallet.address.hash));
    const validUntil = Math.min(chain.clock.next(chain.lastUtime) + orderSeconds, 0xffffffff);
    return chain.offer(wallet.order({ seqno, validUntil, payments }));
  });
  return chain.deliver(offer);
}

/** Throws the reason if the elector refused the complaint. */
function checkAnswer({ transaction }: Arrival): void {
  const [answer] = transaction.value.messages.value.outMsgs.values();
  const opcode = answer?.value.body.parse().loadUint(32) ?? 0;
  const reason = refusals[opcode - answerToComplaint - 1];
  if (opcode !== answerToComplaint)
    throw new DevnetError(
      "conflict",
      `the elector refused the complaint: ${reason ?? "it does not read it"}`,
    );
}
