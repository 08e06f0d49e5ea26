import type { Handlers } from "../../../shared/methods/define.js";
import type { artifactMethods } from "../../../shared/methods/v3/artifacts.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { presentArtifact } from "../../present/v3/abi.js";
import { ownerIn } from "../owner.js";

export type ArtifactDeps = { artifacts: Pick<ArtifactStore, "add" | "addedBy" | "remove"> };

export const artifactHandlers: Handlers<typeof artifactMethods, ArtifactDeps> = {
  async add({ files }, { artifacts }, call) {
    const added = await artifacts.add(ownerIn(call), files, paidTurns(call));
    return { artifacts: added.map(presentArtifact) };
  },
  list: (_, { artifacts }, call) => ({
    artifacts: artifacts.addedBy(ownerIn(call)).map(presentArtifact),
  }),
  remove: ({ file }, { artifacts }, call) => artifacts.remove(ownerIn(call), file),
};
