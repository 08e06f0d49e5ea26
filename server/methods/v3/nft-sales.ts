import type { z } from "zod";
import type { nftSale } from "../../../shared/schema/v3-nft-sales.js";
import type { Address } from "../../../shared/values/address.js";
import { addressOf } from "../../present/v3/address-book.js";
import { addressesOfItem } from "../../present/v3/nft-item.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { readNftItems, readNftSales } from "../../store/index-reads.js";

type Sale = z.output<typeof nftSale>;

/** The sales at these addresses, in the order of first mention, with their items. */
export async function readSales(queries: Queries, addresses: readonly Address[]): Promise<Sale[]> {
  const wanted = new Map(addresses.map((address) => [address.toRaw(), addressToBytes(address)]));
  const sales = await readNftSales(queries, [...wanted.values()]);
  const sold = new Set(sales.map(({ nft_address }) => nft_address));
  const items = await readNftItems(
    queries,
    [...sold].map((address) => addressToBytes(addressOf(address))),
  );
  const byAddress = new Map(items.map((item) => [item.address, item]));
  return sales.map((sale) => {
    const nft_item = byAddress.get(sale.nft_address) ?? itemOfTelegram(sale);
    return nft_item ? { ...sale, nft_item } : sale;
  });
}

/** Data of a Telegram item that is not recognised as an item, from its sale. */
function itemOfTelegram(sale: Sale): Sale["nft_item"] {
  if (sale.type !== "telemint") return undefined;
  return { address: sale.address, init: true, index: sale.details.token_name! };
}

/** All addresses that the answer contains for a sale. */
export function addressesOfSale(sale: Sale): (string | null | undefined)[] {
  const { address, nft_address, nft_owner_address, marketplace_address, nft_item } = sale;
  const shown = [address, nft_address, nft_owner_address, marketplace_address, ...addressesOfDetails(sale)];
  if (!nft_item || !("owner_address" in nft_item)) return shown;
  return [...shown, ...addressesOfItem(nft_item)];
}

function addressesOfDetails({ type, details }: Sale): (string | undefined)[] {
  switch (type) {
    case "getgems_sale":
      return [details.marketplace_fee_address, details.royalty_address];
    case "getgems_auction":
      return [details.last_member, details.mp_fee_address, details.royalty_fee_address];
    case "telemint":
      return [details.bidder_address, details.beneficiary_address, details.royalty_destination];
  }
}
