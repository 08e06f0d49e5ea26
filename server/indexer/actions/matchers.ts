import { auctionBid, auctionOutbid } from "./families/auction-bids.js";
import {
  cocoonClientChangeSecretHash,
  cocoonClientIncreaseStake,
  cocoonClientRegister,
  cocoonClientRequestRefund,
  cocoonClientTopUp,
  cocoonClientWithdraw,
} from "./families/cocoon-clients.js";
import {
  cocoonGrantRefund,
  cocoonProxyCharge,
  cocoonProxyPayout,
  cocoonWorkerPayout,
} from "./families/cocoon-payouts.js";
import { cocoonRegisterProxy, cocoonUnregisterProxy } from "./families/cocoon-proxies.js";
import { coffeeDeposit, coffeeWithdrawal } from "./families/coffee-liquidity.js";
import { coffeeMevFailedSwap, coffeeMevHold } from "./families/coffee-mev.js";
import { coffeePool, coffeePoolCreator, coffeeVault } from "./families/coffee-pools.js";
import {
  coffeeStakingClaim,
  coffeeStakingDeposit,
  coffeeStakingWithdrawal,
} from "./families/coffee-staking.js";
import { coffeeSwap } from "./families/coffee-swaps.js";
import { dedustDeposit, dedustFirstDeposit } from "./families/dedust-deposits.js";
import { dedustSwap } from "./families/dedust-swaps.js";
import {
  dedustV2Deposit,
  dedustV2PartialDeposit,
  dedustV2RejectedDeposit,
} from "./families/dedust-v2-deposits.js";
import { dedustV2FailedSwap, dedustV2Swap } from "./families/dedust-v2-swaps.js";
import {
  dedustV2ClaimOfFees,
  dedustV2ClaimOfReward,
  dedustV2Withdrawal,
} from "./families/dedust-v2-withdrawals.js";
import { dedustWithdrawal } from "./families/dedust-withdrawals.js";
import { dnsChange } from "./families/dns-records.js";
import { dnsPurchase, dnsRelease } from "./families/domains.js";
import { electionDeposit, electionRecovery } from "./families/elections.js";
import { ethenaDeposit, ethenaWithdrawalRequest } from "./families/ethena.js";
import { evaaLiquidation } from "./families/evaa-liquidations.js";
import { evaaSupply } from "./families/evaa-supplies.js";
import { evaaWithdrawal } from "./families/evaa-withdrawals.js";
import { jettonBurn, jettonMint, jettonTransfer, jettonTransferOfProxyTon } from "./families/jettons.js";
import { jvaultClaim, jvaultStake, jvaultUnstake, jvaultUnstakeRequest } from "./families/jvault.js";
import { layerzeroCommitPacket, layerzeroReceive, layerzeroVerify } from "./families/layerzero-receipts.js";
import { layerzeroSend, layerzeroSendTokens } from "./families/layerzero-sends.js";
import { multisigApprove, multisigCreateOrder, multisigExecute } from "./families/multisig.js";
import { nftListing, nftUpdateSale } from "./families/nft-listings.js";
import { nftPurchase } from "./families/nft-purchase.js";
import { nftCancelAuction, nftCancelSale, nftFinishAuction } from "./families/nft-trade-ends.js";
import { nftDiscovery, nftMint, nftTransfer, telegramTransfer } from "./families/nfts.js";
import {
  nominatorPoolDeposit,
  nominatorPoolWithdrawal,
  nominatorPoolWithdrawalRequest,
} from "./families/nominator-pools.js";
import { stonfiSwap } from "./families/stonfi-swaps.js";
import { stonfiV2Deposit } from "./families/stonfi-v2-deposits.js";
import { stonfiV2Swap } from "./families/stonfi-v2-swaps.js";
import { stonfiV2Withdrawal } from "./families/stonfi-v2-withdrawals.js";
import { subscribe, unsubscribe } from "./families/subscriptions.js";
import { teleitemCancelAuction, teleitemStartAuction } from "./families/teleitems.js";
import { changeWalletKey } from "./families/tg-wallet.js";
import { tgbtcBurn, tgbtcMint, tgbtcNewKey } from "./families/tgbtc.js";
import {
  tgbtcBurnFallback,
  tgbtcKeyGenerationFallback,
  tgbtcMintFallback,
  tgbtcNewKeyFallback,
} from "./families/tgbtc-fallbacks.js";
import { toncoDeposit } from "./families/tonco-deposits.js";
import { toncoPool } from "./families/tonco-pools.js";
import { toncoSwap } from "./families/tonco-swaps.js";
import { toncoWithdrawal } from "./families/tonco-withdrawals.js";
import {
  tonstakersDelayedWithdrawal,
  tonstakersDeposit,
  tonstakersWithdrawal,
} from "./families/tonstakers.js";
import { vestingAddWhitelist, vestingSendMessage } from "./families/vesting.js";
import type { Matcher } from "./matcher.js";

/** All matchers in the order of their passes; the order affects the result. */
export const matchers: readonly Matcher[] = [
  nftMint,
  tonstakersDelayedWithdrawal,
  dedustDeposit,
  dedustFirstDeposit,
  tonstakersDeposit,
  tonstakersWithdrawal,
  multisigCreateOrder,
  multisigApprove,
  multisigExecute,
  vestingSendMessage,
  vestingAddWhitelist,
  nominatorPoolDeposit,
  nominatorPoolWithdrawalRequest,
  nominatorPoolWithdrawal,
  jettonTransfer,
  jettonTransferOfProxyTon,
  dedustWithdrawal,
  jettonBurn,
  dedustSwap,
  dedustV2Swap,
  dedustV2FailedSwap,
  dedustV2Withdrawal,
  dedustV2Deposit,
  dedustV2RejectedDeposit,
  dedustV2PartialDeposit,
  dedustV2ClaimOfFees,
  dedustV2ClaimOfReward,
  stonfiSwap,
  stonfiV2Swap,
  toncoSwap,
  dnsRelease,
  dnsPurchase,
  nftUpdateSale,
  nftTransfer,
  telegramTransfer,
  nftPurchase,
  nftListing,
  teleitemStartAuction,
  teleitemCancelAuction,
  nftDiscovery,
  dnsChange,
  electionDeposit,
  electionRecovery,
  subscribe,
  unsubscribe,
  auctionBid,
  auctionOutbid,
  nftCancelSale,
  nftFinishAuction,
  nftCancelAuction,
  ethenaWithdrawalRequest,
  jettonMint,
  ethenaDeposit,
  stonfiV2Deposit,
  stonfiV2Withdrawal,
  jvaultStake,
  jvaultUnstake,
  jvaultClaim,
  jvaultUnstakeRequest,
  evaaSupply,
  evaaWithdrawal,
  evaaLiquidation,
  tgbtcMint,
  tgbtcBurn,
  tgbtcNewKey,
  tgbtcMintFallback,
  tgbtcBurnFallback,
  tgbtcNewKeyFallback,
  tgbtcKeyGenerationFallback,
  toncoDeposit,
  toncoPool,
  toncoWithdrawal,
  coffeeDeposit,
  coffeeSwap,
  coffeeWithdrawal,
  coffeeVault,
  coffeePoolCreator,
  coffeePool,
  coffeeMevHold,
  coffeeMevFailedSwap,
  coffeeStakingDeposit,
  coffeeStakingWithdrawal,
  coffeeStakingClaim,
  layerzeroSend,
  layerzeroSendTokens,
  layerzeroReceive,
  layerzeroCommitPacket,
  layerzeroVerify,
  cocoonWorkerPayout,
  cocoonProxyPayout,
  cocoonProxyCharge,
  cocoonClientTopUp,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonClientRegister,
  cocoonClientChangeSecretHash,
  cocoonClientRequestRefund,
  cocoonGrantRefund,
  cocoonClientIncreaseStake,
  cocoonClientWithdraw,
  changeWalletKey,
];
