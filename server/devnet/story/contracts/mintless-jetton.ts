import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { KeyCodec, ValueCodec } from "../../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { recordProof } from "../../../../shared/ton/cells/merkle/proof.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";
import { type Mint, mintBody } from "./jetton.js";

/** An owner's claimable amount, between two unix times. */
type AirdropEntry = { owner: Address; amount: bigint; startFrom: number; expireAt: number };

/** A mintless jetton (TEP-177): owners claim their share of an airdrop with their first transfer. */
export class MintlessJetton {
  readonly init: StateInit;
  readonly address: Address;
  readonly #airdrop: Cell;

  constructor(admin: Address, content: Cell, airdrop: readonly AirdropEntry[]) {
    const entries = airdrop.map((entry): [Address, AirdropEntry] => [entry.owner, entry]);
    this.#airdrop = Dictionary.empty(addressKey, airdropEntry).update(entries).root!;
    // totalSupply:Coins admin:MsgAddress content:^Cell walletCode:^Cell airdrop:bits256
    const data = beginCell()
      .storeCoins(airdrop.reduce((sum, { amount }) => sum + amount, 0n))
      .storeAddress(admin)
      .storeRef(content)
      .storeRef(contractCode("mintless-wallet"))
      .storeBytes(this.#airdrop.hash());
    this.init = stateInitOf(contractCode("mintless-minter"), data.endCell());
    this.address = contractAddress(this.init);
  }

  walletInit(owner: Address): StateInit {
    // balance:Coins isClaimed:Bool owner:MsgAddress minter:MsgAddress airdrop:bits256
    const data = beginCell()
      .storeCoins(0n)
      .storeBit(false)
      .storeAddress(owner)
      .storeAddress(this.address)
      .storeBytes(this.#airdrop.hash());
    return stateInitOf(contractCode("mintless-wallet"), data.endCell());
  }

  walletOf(owner: Address): Address {
    return contractAddress(this.walletInit(owner));
  }

  /** Custom payload of an owner's first transfer: proves the owner's entry. Throws for other accounts. */
  claim(owner: Address): Cell {
    const { value, proof } = recordProof(this.#airdrop, (root) =>
      Dictionary.loadDirect(root, addressKey, airdropEntry).get(owner),
    );
    if (!value) throw new RangeError(`the airdrop has nothing for ${owner}`);
    // merkle_airdrop_claim#0df602d6 proof:^Cell
    return beginCell().storeUint(0x0df602d6, 32).storeRef(proof).endCell();
  }

  /** Body of a message from the admin to the minter. */
  mintBody(mint: Mint): Cell {
    return mintBody(0x642b7d07, undefined, mint);
  }
}

const addressKey: KeyCodec<Address> = {
  bits: 267,
  store: (address, builder) => builder.storeAddress(address),
  load: (slice) => slice.loadAddress()!,
};

/** amount:Coins start_from:uint48 expire_at:uint48 */
const airdropEntry: ValueCodec<Omit<AirdropEntry, "owner">> = {
  store: ({ amount, startFrom, expireAt }, builder) =>
    builder.storeCoins(amount).storeUint(startFrom, 48).storeUint(expireAt, 48),
  load: (slice) => ({
    amount: slice.loadCoins(),
    startFrom: slice.loadUint(48),
    expireAt: slice.loadUint(48),
  }),
};
