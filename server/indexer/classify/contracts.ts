import { type ActionContract, knownCodes } from "../../store/queries/traces/action-contracts.js";
import type { Contract } from "../actions/contracts.js";
import type { AddressText } from "../actions/trace.js";

/** Converts indexed contracts to the form used by the classifier. */
export function contractsOf(known: Iterable<ActionContract>): Map<AddressText, Contract> {
  const contracts = new Map<AddressText, Contract>();
  for (const each of known) {
    const { address } = each.record;
    contracts.set(address, { ...contracts.get(address), ...memberOf(each) });
  }
  return contracts;
}

function memberOf({ kind, record }: ActionContract): Contract {
  switch (kind) {
    case "jettonWallet":
      return { jettonWallet: { owner: record.owner, master: record.master } };
    case "nftItem":
      return {
        nftItem: {
          index: BigInt(record.index),
          collection: record.collection ?? undefined,
          owner: record.owner ?? undefined,
          contentUri: record.content["uri"],
          codeHash: record.codeHash,
        },
      };
    case "nftSale":
      return {
        nftSale: {
          nft: record.nft,
          nftOwner: record.nftOwner ?? undefined,
          marketplace: record.marketplace,
          fullPrice: BigInt(record.fullPrice),
        },
      };
    case "nftAuction":
      return {
        nftAuction: {
          nft: record.nft,
          nftOwner: record.nftOwner ?? undefined,
          marketplace: record.marketplace,
          lastBid: BigInt(record.lastBid),
        },
      };
    case "multisigOrder":
      return { multisigOrder: { signers: record.signers } };
    case "dexPool":
      return poolMember(record);
    case "ofKnownCode":
      return record.codeHash === knownCodes.tgWallet ? { isTgWallet: true } : { isNominatorPool: true };
  }
}

function poolMember({ dex, asset_1, asset_2 }: (ActionContract & { kind: "dexPool" })["record"]): Contract {
  const assets = [asset_1 ?? undefined, asset_2 ?? undefined] as const;
  return dex === "dedust" ? { dedustPool: { assets } } : { dexPool: { dex, assets } };
}
