import type { Cell } from "../../cells/cell.js";
import { decode } from "../../tlb/codec.js";
import { configParam } from "../../tlb/config/config-param.js";
import { ElectorData } from "../../tlb/elector-data.js";
import type { ChainSide } from "../collate/chain-side.js";

/** Data change with few blocks, and several readers ask for those of each block. */
const read = new WeakMap<Cell, { elector: ElectorData | undefined }>();

/** What the elector of a masterchain state stores. Undefined if there is no elector, or none that holds elections. */
export function electorData({ master, state }: ChainSide): ElectorData | undefined {
  const address = configParam(master.config.config.value, 1);
  const account = address && state.accounts.value.get(address)?.account.value;
  const data = account?.storage.state.kind === "active" ? account.storage.state.init.data : undefined;
  if (!data) return undefined;
  const known = read.get(data) ?? { elector: readWhole(data) };
  read.set(data, known);
  return known.elector;
}

/** Reads every entry: a developer may have set any data, and blocks must be made all the same. */
function readWhole(data: Cell): ElectorData | undefined {
  try {
    const elector = decode(ElectorData, data);
    const { election, credits, pastElections } = elector;
    const frozen = Array.from(pastElections.values(), (past) => past.frozen);
    for (const dictionary of [credits, election?.value.members, ...frozen])
      for (const _ of dictionary?.entries() ?? []);
    return elector;
  } catch {
    return undefined;
  }
}
