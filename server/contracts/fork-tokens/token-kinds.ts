import { type GetMethods, UnexpectedAnswer } from "../../../shared/ton/contracts/get-method.js";
import {
  confirmWallet,
  readJettonMaster,
  readPlainWallet,
  readWalletAddress,
} from "../../../shared/ton/contracts/jetton.js";
import { readNftCollection, readNftData } from "../../../shared/ton/contracts/nft.js";
import type { Address } from "../../../shared/values/address.js";
import { ifOfKind } from "../if-of-kind.js";
import type { Candidate, TokenKind } from "./candidates.js";

/** Throws as readers of contracts do if the account is not of the kind, or has another owner than the given one. */
type Reader = (methods: GetMethods, address: Address, owner?: Address) => Promise<(Address | undefined)[]>;

const readers: Record<TokenKind, Reader> = {
  async wallet(methods, address, owner) {
    const wallet = await readPlainWallet(methods, address);
    assertOwner(wallet.owner, owner);
    await confirmWallet(methods, address, wallet);
    return [address, wallet.master];
  },
  async item(methods, address, owner) {
    const { collection, owner: found } = await readNftData(methods, address);
    assertOwner(found, owner);
    return [address, collection];
  },
  async master(methods, address) {
    await readJettonMaster(methods, address);
    return [address];
  },
  async collection(methods, address) {
    await readNftCollection(methods, address);
    return [address];
  },
};

/**
 * The accounts that show a token: its own, and the master or collection that confirms it. Undefined if the candidate is no
 * token of its kind, or one of another owner.
 */
export async function accountsOfToken(
  candidate: Candidate,
  methods: GetMethods,
  owner: Address | undefined,
): Promise<Address[] | undefined> {
  const address = await addressOf(candidate, methods, owner);
  const accounts = address && (await ifOfKind(readers[candidate.kind](methods, address, owner)));
  return accounts?.filter((account) => account !== undefined);
}

async function addressOf(
  candidate: Candidate,
  methods: GetMethods,
  owner: Address | undefined,
): Promise<Address | undefined> {
  if ("address" in candidate) return candidate.address;
  const { master } = candidate;
  return owner && ifOfKind(readWalletAddress(methods, { owner, master }));
}

function assertOwner(found: Address | undefined, wanted: Address | undefined): void {
  if (wanted && !found?.equals(wanted)) throw new UnexpectedAnswer(`the token belongs to ${found}`);
}
