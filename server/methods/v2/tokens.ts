import type { tokenMethods } from "../../../shared/methods/v2/tokens.js";
import type { TokenData } from "../../../shared/schema/v2-tokens.js";
import type { Address, ParsedAddress } from "../../../shared/values/address.js";
import { type GetMethods, ifSuch } from "../../contracts/get-method.js";
import { readJettonMaster, readJettonWallet } from "../../contracts/jetton.js";
import { type ContractDeps, getMethodsAt } from "../../contracts/methods-at.js";
import { readNftCollection } from "../../contracts/nft.js";
import { readNamedItem } from "../../contracts/nft-domain.js";
import { ServiceError } from "../../errors.js";
import {
  presentJettonMaster,
  presentJettonWallet,
  presentNftCollection,
  presentNftItem,
} from "../../present/v2/token.js";
import { mapChainErrors } from "./lite-errors.js";
import { readAccount } from "./read-account.js";

export type TokenDeps = ContractDeps;

export const tokenHandlers = mapChainErrors<typeof tokenMethods, TokenDeps>({
  async getTokenData({ address: written, seqno }, deps, call) {
    const block = await deps.reader.blockAt(seqno, call);
    await readAccount(deps.reader, block, written.address, call);
    const methods = getMethodsAt(block, deps, call);
    const address = normalize(written);
    const found = await recognize(methods, written.address, address);
    if (!found) throw new ServiceError("not-a-token", `Smart contract ${address} is not Jetton or NFT`);
    return found;
  },
});

/** The first matching kind, because some contracts match several. */
async function recognize(
  methods: GetMethods,
  account: Address,
  shown: string,
): Promise<TokenData | undefined> {
  const master = await ifSuch(readJettonMaster(methods, account));
  if (master) return presentJettonMaster(shown, master);
  const wallet = await ifSuch(readJettonWallet(methods, account));
  if (wallet) return presentJettonWallet(shown, wallet);
  const collection = await ifSuch(readNftCollection(methods, account));
  if (collection) return presentNftCollection(shown, collection);
  const item = await ifSuch(readNamedItem(methods, account));
  return item && presentNftItem(shown, item);
}

function normalize(written: ParsedAddress): string {
  const { address, form } = written;
  return form === "raw" ? address.toRawUpper() : address.toFriendly(written);
}
