import type { Call } from "../../shared/methods/define.js";
import type { Abis, ArtifactStore } from "../artifacts/store.js";

export type ArtifactView = { readonly artifacts: Abis & Pick<ArtifactStore, "seenBy"> };

/** Dependencies of handlers in which a caller has the artifacts that its key sees. */
export function asSeen<Deps extends ArtifactView>(deps: Deps): (call: Pick<Call, "owner">) => Deps {
  return ({ owner }) => {
    const seen = deps.artifacts.seenBy(owner);
    return seen === deps.artifacts ? deps : ({ ...deps, artifacts: seen } as Deps);
  };
}
