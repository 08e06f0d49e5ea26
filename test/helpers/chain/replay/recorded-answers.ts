import type { ConfigInfo, ConfigQuery, LiteApi } from "../../../../shared/ton/lite/lite-api.js";
import { noBytes } from "../../../../shared/ton/proofs/make/prove.js";
import { wire } from "../../../../shared/ton/tl/codecs.js";
import { formatBlockIdExt } from "../../../../shared/ton/tlb/block-id.js";

/** Adds recorded answers of real servers, about blocks that are not recorded themselves. Only configurations are used. */
export function withRecordedAnswers(api: LiteApi, answers: readonly Uint8Array[]): LiteApi {
  const configs = new Map<string, ConfigInfo>();
  for (const bytes of answers) {
    const { name, value } = wire.decode(bytes);
    if (name !== "liteServer.configInfo") continue;
    const { id, stateProof, configProof } = value as unknown as ConfigInfo;
    configs.set(formatBlockIdExt(id), { id, stateProof, configProof });
  }

  /** Recorded configurations are complete, so they also answer requests for single parameters. */
  function recorded(request: ConfigQuery): ConfigInfo | undefined {
    const config = request.fromPrevKeyBlock ? undefined : configs.get(formatBlockIdExt(request.id));
    return config && (request.proof ? config : { ...config, stateProof: noBytes() });
  }

  return {
    ...api,
    getConfigAll: async (request, call) => recorded(request) ?? api.getConfigAll(request, call),
    getConfigParams: async (request, call) => recorded(request) ?? api.getConfigParams(request, call),
  };
}
