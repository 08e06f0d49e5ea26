import type { Handlers } from "../../../shared/methods/define.js";
import type { setupMethods } from "../../../shared/methods/devnet-setup.js";
import { accountIdOf } from "../../../shared/ton/lite/account-id.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { SetupControls } from "../../devnet/control/setup.js";
import type { Begin } from "./settlement.js";

export type SetupDeps = {
  setup: SetupControls;
  begin: Begin;
  /** The newest block. */
  head(): BlockIdExt;
};

export const setupHandlers: Handlers<typeof setupMethods, SetupDeps> = {
  async setConditions({ latency_ms, fail_rate }, { setup, ...deps }) {
    const { latencyMs, failRate } = await setup.setConditions({
      ...(latency_ms !== undefined && { latencyMs: latency_ms }),
      ...(fail_rate !== undefined && { failRate: fail_rate }),
    });
    await known(deps);
    return { latency_ms: latencyMs, fail_rate: failRate };
  },

  async setName({ address, name }, { setup, ...deps }) {
    await setup.setName(accountIdOf(address), name);
    await known(deps);
    return { address: address.toRawUpper(), name: name ?? null };
  },
};

/** Resolves when every process of the service has taken the change. */
async function known({ begin, head }: Pick<SetupDeps, "begin" | "head">): Promise<void> {
  await begin().at(head());
}
