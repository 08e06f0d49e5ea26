import type { Classification } from "../../../server/indexer/actions/action.js";
import { type ClassifyOptions, classify } from "../../../server/indexer/actions/classify.js";
import {
  type Contract,
  ContractLookups,
  type MissingContracts,
} from "../../../server/indexer/actions/contracts.js";
import type { AddressText, Trace } from "../../../server/indexer/actions/trace.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

/** Requested contracts; addresses left out are unknown contracts. */
type LoadedContracts = {
  readonly contracts: ReadonlyMap<AddressText, Contract>;
  readonly data: ReadonlyMap<AddressText, Cell>;
};

/** Loads contracts from their storage. */
type LoadContracts = (missing: MissingContracts) => Promise<LoadedContracts>;

/**
 * Each round can request contracts found in the previous round. The known types need three rounds; contracts still
 * missing after the last one count as unknown.
 */
const maxRounds = 8;

/** Classifies a trace, its own accounts loaded first and further contracts on request. */
export async function classifyWithLookups(
  trace: Trace,
  load: LoadContracts,
  options: Omit<ClassifyOptions, "recorder"> = {},
): Promise<Classification> {
  const contracts = new ContractLookups();
  const accounts = [...new Set(trace.transactions.map(({ account }) => account))];
  let missing: MissingContracts | undefined = { contracts: accounts, data: [] };
  let classification: Classification | undefined;
  for (let round = 0; missing && round < maxRounds; round++) {
    const loaded = await load(missing);
    for (const address of missing.contracts) contracts.add(address, loaded.contracts.get(address) ?? {});
    for (const address of missing.data) contracts.addData(address, loaded.data.get(address));
    classification = classify(trace, contracts, options);
    missing = contracts.takeMissing();
  }
  return classification!;
}
