import type { Call } from "../../shared/methods/define.js";
import type { Abis, ArtifactStore } from "../artifacts/store.js";
import type { BookSettings } from "../present/v3/answer-extras.js";

export type ArtifactView = {
  readonly artifacts: Abis & Pick<ArtifactStore, "seenBy">;
  readonly book?: BookSettings;
};

/** Dependencies of handlers in which a caller has the artifacts that its key sees. */
export function asSeen<Deps extends ArtifactView>(deps: Deps): (call: Pick<Call, "owner">) => Deps {
  return ({ owner }) => {
    const seen = deps.artifacts.seenBy(owner);
    if (seen === deps.artifacts) return deps;
    return {
      ...deps,
      artifacts: seen,
      ...(deps.book && { book: { ...deps.book, artifacts: seen } }),
    } as Deps;
  };
}
