import type { Cell } from "../../../shared/ton/cells/cell.js";
import { masterchain as masterchainId } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ElectorData } from "../../../shared/ton/tlb/elector-data.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { ChainSide } from "../collate/chain-side.js";

// Module state: a memo by cell. The data rarely change, and several readers need them for each block.
const read = new WeakMap<Cell, { elector: ElectorData | undefined }>();

/** The elector of a masterchain state. */
export function electorOf({ master }: ChainSide): Address | undefined {
  const account = configParam(master.config.config.value, 1);
  return account && new Address(masterchainId, account);
}

/** The elector's data in a masterchain state. Undefined if there is no elector, or one without elections. */
export function electorData(side: ChainSide): ElectorData | undefined {
  const address = electorOf(side);
  const account = address && side.state.accounts.value.get(address.hash)?.account.value;
  const data = account?.storage.state.kind === "active" ? account.storage.state.init.data : undefined;
  if (!data) return undefined;
  const known = read.get(data) ?? { elector: readWhole(data) };
  read.set(data, known);
  return known.elector;
}

/** Id of the election of the current set; undefined if it was not elected. */
export function electionOfSet(side: ChainSide): number | undefined {
  const set = side.master.config.config.value.get(34)?.hash();
  const past = electorData(side)?.pastElections.entries() ?? [];
  for (const [id, { setHash }] of past) if (set && bytesEqual(setHash, set)) return id;
  return undefined;
}

/** Reads every entry eagerly: a developer may have set invalid data, which must not prevent blocks. */
function readWhole(data: Cell): ElectorData | undefined {
  return ifReadable(() => {
    const elector = decode(ElectorData, data);
    const { election, credits, pastElections } = elector;
    const frozen = Array.from(pastElections.values(), (past) => past.frozen);
    for (const dictionary of [credits, election?.value.members, ...frozen])
      for (const _ of dictionary?.entries() ?? []);
    return elector;
  });
}
