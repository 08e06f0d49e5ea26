import type { Address } from "../../values/address.js";
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

/** The factor by which amounts of a jetton are shown (TEP-526); both numbers are positive. */
type DisplayMultiplier = { numerator: bigint; denominator: bigint };

export type JettonWallet = {
  balance: bigint;
  owner: Address;
  master: Address;
  walletCode: Cell;
  /** Whether the owner of a mintless jetton has claimed the airdrop; `undefined` for other jettons. */
  claimed: boolean | undefined;
};

/**
 * Reads a master by `(total_supply, mintable, admin_address, jetton_content, jetton_wallet_code) get_jetton_data()`
 * (TEP-74). Throws UnexpectedAnswer or a CellError if the account is no master.
 */
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

/**
 * `(int numerator, int denominator) get_display_multiplier()` (TEP-526); `undefined` if the master has none, or an answer by
 * which nothing can be multiplied. Its log `display_multiplier_changed` has the same values, so each change of them is one of the
 * state.
 */
export function readDisplayMultiplier(
  methods: GetMethods,
  master: Address,
): Promise<DisplayMultiplier | undefined> {
  return ifSuch(readPositivePair(methods, master));
}

async function readPositivePair(methods: GetMethods, master: Address): Promise<DisplayMultiplier> {
  const answer = await Answer.of(methods, master, "get_display_multiplier");
  const [numerator, denominator] = [answer.int(0), answer.int(1)];
  if (numerator > 0n && denominator > 0n) return { numerator, denominator };
  throw new UnexpectedAnswer(`${master} multiplies by ${numerator} / ${denominator}`);
}

/**
 * Reads a wallet by `(balance, owner, jetton, jetton_wallet_code) get_wallet_data()`. Its master must confirm it, or
 * UnexpectedAnswer is thrown.
 */
export async function readJettonWallet(methods: GetMethods, address: Address): Promise<JettonWallet> {
  const wallet = await readClaimedWallet(methods, address);
  await confirmWallet(methods, address, wallet);
  return wallet;
}

/** The address that a master has for the wallet of an owner. */
export async function readWalletAddress(
  methods: GetMethods,
  { owner, master }: Pick<JettonWallet, "owner" | "master">,
): Promise<Address> {
  return (await Answer.of(methods, master, "get_wallet_address", [addressSlice(owner)])).address(0);
}

/**
 * Like `readJettonWallet`, but without confirmation by the master. Anyone can deploy a contract that claims to be a wallet.
 */
export async function readClaimedWallet(methods: GetMethods, address: Address): Promise<JettonWallet> {
  const wallet = await readPlainWallet(methods, address);
  return { ...wallet, claimed: await ifSuch(readClaimed(methods, address)) };
}

/** Like `readClaimedWallet`, for code without `is_claimed`. */
export async function readPlainWallet(methods: GetMethods, address: Address): Promise<JettonWallet> {
  const data = await Answer.of(methods, address, "get_wallet_data");
  return {
    balance: data.int(0),
    owner: data.address(1),
    master: data.address(2),
    walletCode: data.cell(3),
    claimed: undefined,
  };
}

/** Throws UnexpectedAnswer unless the master confirms that this is the owner's wallet. */
export async function confirmWallet(
  methods: GetMethods,
  address: Address,
  wallet: Pick<JettonWallet, "owner" | "master">,
): Promise<void> {
  if (!(await readWalletAddress(methods, wallet)).equals(address))
    throw new UnexpectedAnswer(`the jetton ${wallet.master} has another wallet for ${wallet.owner}`);
}

/** `int is_claimed()` (TEP-177) */
async function readClaimed(methods: GetMethods, address: Address): Promise<boolean> {
  return (await Answer.of(methods, address, "is_claimed")).flag(0);
}
