import type { Call } from "../../shared/methods/define.js";
import type { Abis, ArtifactStore } from "../artifacts/store.js";
import type { BookSettings } from "../present/v3/answer-extras.js";

export type ArtifactView = {
  readonly artifacts: Abis & Pick<ArtifactStore, "seenBy" | "vouchedTo">;
  readonly book?: BookSettings;
};

/** Dependencies of handlers in which a caller has the artifacts that its key sees. */
export function asSeen<Deps extends ArtifactView>(deps: Deps): (call: Pick<Call, "owner">) => Deps {
  return ({ owner }) => withArtifacts(deps, deps.artifacts.seenBy(owner));
}

/** The same without what other callers claim, for answers that do not say whose an artifact is. */
export function asVouched<Deps extends ArtifactView>(deps: Deps): (call: Pick<Call, "owner">) => Deps {
  return ({ owner }) => withArtifacts(deps, deps.artifacts.vouchedTo(owner));
}

function withArtifacts<Deps extends ArtifactView>(deps: Deps, artifacts: Abis): Deps {
  if (artifacts === deps.artifacts) return deps;
  return { ...deps, artifacts, ...(deps.book && { book: { ...deps.book, artifacts } }) } as Deps;
}
