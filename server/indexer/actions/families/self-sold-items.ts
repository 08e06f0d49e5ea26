import type { NftItem } from "../contracts.js";

// Items that act as their own auctions.

const dnsCode = "i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=";
/** `.ton` */
const dnsCollection = "0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF";

/** Whether an item is a Telegram username or number. */
export function isTeleitem({ contentUri }: NftItem): boolean {
  return contentUri?.includes("https://nft.fragment.com") === true;
}

/** Whether an item is a domain. */
export function isDomain({ codeHash, collection }: NftItem): boolean {
  return codeHash === dnsCode || collection === dnsCollection;
}
