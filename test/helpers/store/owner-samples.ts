import { bytesToHex } from "../../../shared/values/bytes.js";
import type { Samples } from "./filter-pairs.js";
import { fixedSamples } from "./fixed-samples.js";
import { grown } from "./growing-index.js";
import { grownTokens } from "./growing-tokens.js";
import { grownValidators } from "./growing-validators.js";
import { actionTypesOfOwners, commonContract, commonHash, type OwnerSize, ownerOf } from "./large-owners.js";
import { type Moment, shardOf } from "./party-rows.js";
import { bytesOf, hashOf } from "./rows.js";

const texts = (...values: { toString(): string }[]) => values.map(String);

/** Values of the parameters of v3, of owners of a size where there are such. `from` and `to`: a part of the index's time. */
export function ownerSamples(size: OwnerSize, from: Moment, to: Moment): Samples {
  const [owner, partner, master, collection] = (["owner", "partner", "master", "collection"] as const).map(
    (party) => ownerOf(size, party).toRaw(),
  ) as [string, string, string, string];
  return {
    account: texts(owner, partner, grown.busy),
    exclude_account: texts(owner, grown.busy),
    owner_address: texts(owner, partner, grown.busy),
    admin_address: texts(owner, partner, grown.busy),
    source: texts(owner),
    destination: texts(partner),
    jetton: texts(master),
    jetton_master: texts(master),
    jetton_address: texts(master),
    jetton_wallet: texts(ownerOf(size, "wallet"), commonContract(size, "holders")),
    collection_address: texts(collection),
    item_address: texts(ownerOf(size, "item"), commonContract(size, "items")),
    multisig_address: texts(ownerOf(size, "multisig"), grownTokens.busyMultisig),
    wallet_address: texts(owner, partner, grown.busy),
    contract_address: texts(commonContract(size, "multisigs vesting")),
    wallet: texts(owner),
    domain: texts(grown.domain),
    bidder: texts(owner),
    q: [size],
    pool: texts(ownerOf(size, "pool")),
    nominator: texts(ownerOf(size, "nominator")),
    validator: texts(ownerOf(size, "validator")),
    address: texts(owner, partner),
    code_hash: texts(bytesToHex(hashOf("code"))),
    hash: texts(bytesToHex(commonHash(size, "sent", "transactions"))),
    tx_hash: texts(bytesToHex(commonHash(size, "sent", "transactions"))),
    trace_id: texts(bytesToHex(commonHash(size, "sent", "transactions"))),
    msg_hash: texts(bytesToHex(commonHash(size, "message", "transactions"))),
    action_id: texts(bytesToHex(commonHash(size, "", "actions"))),
    root_hash: texts(bytesToHex(grown.rootHash)),
    file_hash: texts(bytesToHex(grown.rootHash)),
    body_hash: texts(bytesToHex(hashOf("body"))),
    // Of all messages of owners, and of none.
    opcode: ["0x5", `0x${grown.opcode.toString(16)}`],
    lt: texts(from.lt),
    mc_seqno: texts(grown.seqno),
    seqno: texts(grown.seqno),
    shard: texts(BigInt.asUintN(64, shardOf(bytesOf(ownerOf(size, "owner")))).toString(16)),
    start_utime: texts(from.now),
    end_utime: texts(to.now),
    start_lt: texts(from.lt),
    end_lt: texts(to.lt),
    index: ["5"],
    action_type: texts(actionTypesOfOwners.rare, actionTypesOfOwners.absent),
    exclude_action_type: texts(actionTypesOfOwners.common),
    election_id: texts(grownValidators.electionId),
    cycle_start: texts(grownValidators.electionId),
    stake_holder_address: texts(grownValidators.busyHolder),
    validator_pubkey: texts(grownValidators.busyKey),
    adnl_address: texts(grownValidators.rareAdnl),
    ...fixedSamples,
  };
}

/** Values of methods that mean something else by a parameter than others. */
export function samplesOfMethod(size: OwnerSize, method: string): Samples {
  return (
    (
      {
        "jetton.masters": {
          address: texts(commonContract(size, "jettons master"), grownTokens.busyMaster),
        },
        "jetton.wallets": {
          address: texts(commonContract(size, "jettons"), commonContract(size, "holders")),
        },
        "nft.items": { address: texts(commonContract(size, "items")) },
        "nft.sales": { address: texts(...grownTokens.sales) },
        "multisig.wallets": { address: texts(commonContract(size, "multisigs")) },
        "multisig.orders": { address: texts(commonContract(size, "orders")) },
        "validators.events": { type: ["stake_accepted"] },
      } as Record<string, Samples>
    )[method] ?? {}
  );
}
