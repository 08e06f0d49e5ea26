import { UnexpectedAnswer } from "../../../shared/ton/contracts/get-method.js";
import {
  readDomainAuction,
  readDomainRecords,
  readLastFillUpTime,
} from "../../../shared/ton/contracts/nft-domain.js";
import { ifOfKind } from "../../contracts/if-of-kind.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables/all-tables.js";
import { companion } from "./detector.js";

/** An item whose row content is a domain name. */
export const dnsEntry = companion<typeof tables.nftItems, typeof tables.dnsEntries>({
  table: tables.dnsEntries,
  async read(contracts, address, { content, owner_address }) {
    const { domain } = content;
    if (domain === undefined) throw new UnexpectedAnswer("the item is no domain");
    const { wallet, nextResolver, site, storage } = await readDomainRecords(contracts, address);
    const auction = await ifOfKind(readDomainAuction(contracts, address));
    return {
      nft_item_owner: owner_address,
      domain,
      dns_wallet: wallet && addressToBytes(wallet),
      dns_next_resolver: nextResolver && addressToBytes(nextResolver),
      dns_site_adnl: site,
      dns_storage_bag_id: storage,
      max_bid_address: auction && addressToBytes(auction.bidder),
      max_bid_amount: auction?.bid,
      auction_end_time: auction?.endTime,
      last_fill_up_time: await ifOfKind(readLastFillUpTime(contracts, address)),
    };
  },
});
