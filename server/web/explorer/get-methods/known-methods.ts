import { crc16 } from "../../../../shared/values/crc16.js";

/** Argument types of get-methods. */
export type InputKind = "int" | "address" | "cell" | "slice" | "null";

export type KnownMethod = {
  readonly name: string;
  readonly inputs: readonly { readonly name: string; readonly kind: InputKind }[];
  /** Meanings of the values on the stack, in order. */
  readonly outputs: readonly string[];
};

/** Lines of a method: `name(input:kind, …) output, …`. */
const lines = `
seqno() seqno
revision() revision
get_public_key() public key
get_subwallet_id() wallet id
is_signature_allowed() allowed
get_extensions() extensions
get_plugin_list() plugins
is_plugin_installed(workchain:int, account id:int) installed
get_timeout() timeout
get_wallet_data() balance, owner, jetton, wallet code
is_claimed() claimed
get_jetton_data() supply, mintable, admin, content, wallet code
get_wallet_address(owner:address) jetton wallet
get_next_admin_address() next admin
get_display_multiplier() numerator, denominator
get_nft_data() initialized, index, collection, owner, content
get_collection_data() next index, content, owner
get_nft_address_by_index(index:int) item
get_nft_content(index:int, individual content:cell) content
royalty_params() numerator, denominator, receiver
get_editor() editor
get_authority_address() authority
get_revoked_time() revoked at
get_sale_data() kind, complete, created at, marketplace, item, owner, price, fee receiver, fee, royalty receiver, royalty
get_fix_price_data_v4() complete, created at, marketplace, item, owner, price, asset, fee receiver, fee, royalty receiver, royalty
get_auction_data_v4() activated, end, end time, marketplace, item, owner, last bid, last member, min step, fee address, fee factor, royalty receiver, royalty
dnsresolve(name:slice, category:int) bits resolved, value
get_domain() domain
get_editor() editor
get_auction_info() bidder, bid, ends at
get_last_fill_up_time() last renewal
get_telemint_token_name() name
get_telemint_auction_state() bidder, bid, bid time, min bid, ends at
get_telemint_auction_config() beneficiary, initial bid, max bid, min step, min extension, duration
get_multisig_data() next order, threshold, signers, proposers
get_order_address(order:int) order
get_order_data() multisig, order, threshold, executed, signers, approvals, approvals count, expires at, body
get_vesting_data() start, duration, unlock period, cliff, amount, sender, owner, whitelist
get_locked_amount(time:int) locked
get_pool_data() state, nominators, stake sent, validator amount, validator, config
list_nominators() nominators
get_nominator_data(account id:int) deposit, pending deposit, withdraws
list_votes() votes
get_roles() owner, validator
active_election_id() election
participant_list() participants
participant_list_extended() election, close time, min stake, total stake, members, failed, finished
past_elections() elections
compute_returned_stake(account id:int) nanotons
get_bill_amount() amount
`;

const known: readonly KnownMethod[] = lines
  .trim()
  .split("\n")
  .map((line) => {
    const [, name = "", inputs = "", outputs = ""] = /^(\w+)\(([^)]*)\) (.*)$/.exec(line)!;
    return {
      name,
      inputs: inputs === "" ? [] : inputs.split(", ").map(inputOf),
      outputs: outputs.split(", "),
    };
  });

function inputOf(text: string): { name: string; kind: InputKind } {
  const [name = "", kind = "int"] = text.split(":");
  return { name, kind: kind as InputKind };
}

const byId = new Map(known.map((method) => [methodId(method.name), method]));

/** The id of a get-method in a contract's code. */
export function methodId(name: string): number {
  const bytes = new TextEncoder().encode(name);
  return (crc16(bytes, bytes.length) & 0xffff) | 0x10000;
}

export function knownMethod(name: string): KnownMethod | undefined {
  return byId.get(methodId(name));
}

/** Known get-methods for a contract's method ids; unknown ids are returned unchanged. */
export function methodsAt(ids: readonly number[]): (KnownMethod | number)[] {
  return ids.filter((id) => id >= 0x10000).map((id) => byId.get(id) ?? id);
}

/** Get-methods that contracts of these kinds can have; used without the contract's method ids. */
export function methodsOfKind(kinds: readonly string[]): KnownMethod[] {
  const names = kinds.flatMap(
    (kind) => Object.entries(ofKinds).find(([each]) => kind.startsWith(each))?.[1] ?? [],
  );
  return known.filter(({ name }) => names.includes(name));
}

const ofKinds: Readonly<Record<string, readonly string[]>> = {
  jetton_master: ["get_jetton_data", "get_wallet_address"],
  jetton_wallet: ["get_wallet_data"],
  nft_collection: ["get_collection_data", "get_nft_address_by_index", "get_nft_content", "royalty_params"],
  nft_item: ["get_nft_data"],
  nft_sale: ["get_sale_data"],
  dns: ["dnsresolve"],
  wallet: ["seqno", "get_public_key"],
  tg_wallet: ["seqno", "revision", "get_public_key", "get_subwallet_id"],
  multisig_order: ["get_order_data"],
  multisig: ["get_multisig_data", "get_order_address"],
};
