import { fieldsOf } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { jettonMintKind, jettonTransferKind } from "./jettons.js";

const usde = "0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC";
const stakedUsde = "0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D";

const provider = "ethena";

const depositKind = rowKind("stake_deposit", { name: "ethena_deposit", isLeaf: true });

export const ethenaDeposit: Matcher = {
  name: "ethena deposit",
  pattern: made(jettonTransferKind)
    .where("of USDe", (block) => jettonTransferKind.dataOf(block).asset === usde)
    .followedBy(
      made(jettonMintKind)
        .where("of staked USDe", (block) => jettonMintKind.dataOf(block).asset === stakedUsde)
        .as("mint"),
    ),
  build: (match) => {
    const transfer = jettonTransferKind.dataOf(match.anchor);
    const mint = jettonMintKind.dataOf(match.get("mint"));
    return depositKind.build({
      stake_holder: transfer.sender,
      holder_wallet: transfer.senderWallet,
      pool: transfer.receiver,
      amount: transfer.amount,
      asset: mint.asset,
      source_asset: transfer.asset,
      provider,
      tokens_minted: mint.amount,
    });
  },
};

const requestKind = rowKind("stake_withdrawal_request", {
  name: "ethena_withdrawal_request",
  isLeaf: true,
});

/** The master itself receives the tokens to unstake. It is no known wallet, so they are not a jetton transfer. */
export const ethenaWithdrawalRequest: Matcher = {
  name: "ethena withdrawal request",
  pattern: call(0x0f8a7ea5).followedBy(
    call(0x178d4519)
      .as("received")
      .followedBy(
        call(0x7362d09c).followedBy(call(0x642b7d07).as("mint").followedBy(call(0xb2583ed5).as("locked"))),
      ),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const [received, mint, locked] = [match.get("received"), match.get("mint"), match.get("locked")];
    const paying = contracts.jettonWallet(anchor.account);
    const receiving = contracts.jettonWallet(locked.account);
    if (!paying || !receiving) return cancel("a wallet is unknown");
    if (paying.owner !== anchor.source || receiving.owner !== anchor.source)
      return cancel("the wallets are not the sender's");
    if (paying.master !== received.account || receiving.master !== locked.source)
      return cancel("the wallets are of other jettons");
    return requestKind.build({
      stake_holder: anchor.source,
      holder_wallet: anchor.account,
      pool: mint.source,
      asset: paying.master,
      tokens_burnt: fieldsOf("jetton_internal_transfer_start", received).amount,
      provider,
      tokens_minted: fieldsOf("ethena_locked_transfer_start", locked).amount,
    });
  },
};
