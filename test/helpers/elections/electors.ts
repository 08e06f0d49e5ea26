import type { Executor } from "../../../server/chain/executor/executor.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { configAddress, electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ton } from "../chain/devnet.js";
import { originalContract, presentContract } from "../contracts/deployed-contracts.js";
import { LoneContract } from "../contracts/lone-contract.js";
import type { ChainData } from "../test-data.js";

type Options = { executor: Executor; config: ConfigDictionary; data?: Cell; balance?: bigint };

/** An elector that has never held an election. */
export const noElections = beginCell()
  .storeUint(0, 3)
  .storeCoins(0n)
  .storeUint(0, 32)
  .storeUint(0, 256)
  .endCell();

/** The devnet's elector of the elections. */
export function ownElector(options: Options): LoneContract {
  return elector(contractCode("elections-elector"), options);
}

/** Mainnet's elector of today. */
export function presentElector(chain: ChainData, options: Options): LoneContract {
  return elector(presentContract(chain, electorAddress).code, options);
}

/** Mainnet's elector of its zero state. It knew no complaints yet. */
export function originalElector(chain: ChainData, options: Options): LoneContract {
  return elector(originalContract(chain, electorAddress).code, options);
}

function elector(code: Cell, { executor, config, data = noElections, balance = 10n * ton }: Options) {
  const special = { tick: true, tock: false };
  return new LoneContract({
    ...{ executor, code, data, balance, special },
    ...{ address: electorAddress, config: config.root! },
  });
}

/** The devnet's configuration contract of the elections, and mainnet's of today. */
export function ownConfigContract(options: Pick<Options, "executor" | "config">): LoneContract {
  return configContract(contractCode("elections-config"), options);
}

export function presentConfigContract(
  chain: ChainData,
  options: Pick<Options, "executor" | "config">,
): LoneContract {
  return configContract(presentContract(chain, configAddress).code, options);
}

function configContract(code: Cell, { executor, config }: Pick<Options, "executor" | "config">) {
  // config:^Cell seqno:uint32 public_key:bits256 proposals:(Maybe ^Cell)
  const data = beginCell()
    .storeRef(config.root!)
    .storeUint(0, 32)
    .storeUint(5, 256)
    .storeMaybeRef(undefined)
    .endCell();
  const special = { tick: false, tock: true };
  return new LoneContract({
    ...{ executor, code, data, balance: 10n * ton, special },
    ...{ address: configAddress, config: config.root! },
  });
}
