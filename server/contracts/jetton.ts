import type { Address } from "../../shared/values/address.js";
import type { Cell } from "../cells/cell.js";
import { Answer, addressSlice, type GetMethods, ifSuch, UnexpectedAnswer } from "./get-method.js";
import { readTokenContent, type TokenContent } from "./token-content.js";

export type JettonMaster = {
  totalSupply: bigint;
  mintable: boolean;
  admin: Address | undefined;
  content: TokenContent;
  walletCode: Cell;
};

export type JettonWallet = {
  balance: bigint;
  owner: Address;
  master: Address;
  walletCode: Cell;
  /** Whether a mintless jetton's owner has claimed his share; only wallets of such jettons say. */
  claimed: boolean | undefined;
};

/** `(total_supply, mintable, admin_address, jetton_content, jetton_wallet_code) get_jetton_data()` (TEP-74) */
export async function readJettonMaster(methods: GetMethods, address: Address): Promise<JettonMaster> {
  const data = await Answer.of(methods, address, "get_jetton_data");
  return {
    totalSupply: data.int(0),
    mintable: data.flag(1),
    admin: data.maybeAddress(2),
    content: readTokenContent(data.cell(3)),
    walletCode: data.cell(4),
  };
}

/** `(balance, owner, jetton, jetton_wallet_code) get_wallet_data()`; the master has to know the wallet. */
export async function readJettonWallet(methods: GetMethods, address: Address): Promise<JettonWallet> {
  const data = await Answer.of(methods, address, "get_wallet_data");
  const wallet = {
    balance: data.int(0),
    owner: data.address(1),
    master: data.address(2),
    walletCode: data.cell(3),
  };
  const claimed = await ifSuch(readClaimed(methods, address));
  const known = await Answer.of(methods, wallet.master, "get_wallet_address", [addressSlice(wallet.owner)]);
  if (!known.address(0).equals(address))
    throw new UnexpectedAnswer(`the jetton ${wallet.master} has another wallet for ${wallet.owner}`);
  return { ...wallet, claimed };
}

/** `int is_claimed()` (TEP-177) */
async function readClaimed(methods: GetMethods, address: Address): Promise<boolean> {
  const answer = await Answer.of(methods, address, "is_claimed");
  if (answer.size !== 1) throw new UnexpectedAnswer("is_claimed gives more than one value");
  return answer.flag(0);
}
