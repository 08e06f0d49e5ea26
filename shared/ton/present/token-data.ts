import type { TokenData } from "../../schema/v2/tokens.js";
import type { ParsedAddress } from "../../values/address.js";
import { type GetMethods, ifSuch } from "../contracts/get-method.js";
import { readJettonMaster, readJettonWallet } from "../contracts/jetton.js";
import { readNftCollection } from "../contracts/nft.js";
import { readNamedItem } from "../contracts/nft-domain.js";
import { presentJettonMaster, presentJettonWallet, presentNftCollection, presentNftItem } from "./token.js";

/** The token at an address: the first matching kind, because some contracts match several. `undefined` for others. */
export async function readTokenData(
  methods: GetMethods,
  written: ParsedAddress,
): Promise<TokenData | undefined> {
  const account = written.address;
  const shown = shownAddress(written);
  const master = await ifSuch(readJettonMaster(methods, account));
  if (master) return presentJettonMaster(shown, master);
  const wallet = await ifSuch(readJettonWallet(methods, account));
  if (wallet) return presentJettonWallet(shown, wallet);
  const collection = await ifSuch(readNftCollection(methods, account));
  if (collection) return presentNftCollection(shown, collection);
  const item = await ifSuch(readNamedItem(methods, account));
  return item && presentNftItem(shown, item);
}

/** The address in the form in which it was given. */
export function shownAddress(written: ParsedAddress): string {
  const { address, form } = written;
  return form === "raw" ? address.toRawUpper() : address.toFriendly(written);
}
