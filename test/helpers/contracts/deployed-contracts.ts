import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { openMerkleProof } from "../../../shared/ton/cells/merkle/proof.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import type { Address } from "../../../shared/values/address.js";
import type { ChainData } from "../test-data.js";

type Deployed = { code: Cell; data: Cell };

/** A contract as it was in the zero state of mainnet. */
export function originalContract(chain: ChainData, address: Address): Deployed {
  const entry = chain.one({ kind: "shard_state", network: "mainnet", workchain: masterchain, seqno: 0 });
  return contractIn(parseBocRoot(entry.read()), address);
}

/** A contract as in the newest recorded state of mainnet. Parts of its data may be pruned. */
export function presentContract(chain: ChainData, address: Address): Deployed {
  const states = chain.where({
    kind: "merkle_proof/shard_state",
    network: "mainnet",
    workchain: masterchain,
  });
  const newest = states.sort((a, b) => b.seqno! - a.seqno!).find(({ file }) => !file.startsWith("config"))!;
  return contractIn(openMerkleProof(parseBocRoot(newest.read())), address);
}

function contractIn(state: Cell, { hash }: Address): Deployed {
  const account = decode(ShardStateUnsplit, state).accounts.value.get(hash)?.account.value;
  if (account?.storage.state.kind !== "active") throw new Error("the state does not have the contract");
  const { code, data } = account.storage.state.init;
  return { code: code!, data: data! };
}
