import type { Handlers } from "../../../shared/methods/define.js";
import type { messageStatusMethods } from "../../../shared/methods/v3/message-status.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { ServiceError } from "../../errors.js";
import { withStatusText } from "../../present/v3/texts.js";
import { requireBoc } from "../input/cells.js";
import { type TrialDeps, withTrial } from "./messages/failure-trial.js";
import { readKnownMessage } from "./messages/known-message.js";
import { type AskedMessage, type MessageDeps, messageStatusOf } from "./messages/status.js";

export type MessageStatusDeps = MessageDeps &
  TrialDeps & { artifacts: Pick<ArtifactStore, "abisOf" | "isEmpty"> };

export const messageStatusHandlers: Handlers<typeof messageStatusMethods, MessageStatusDeps> = {
  async messageStatus({ hash, boc, include_text, include_hint }, deps, call) {
    const asked = boc === undefined ? { hash: hash! } : readAsked(boc);
    const known = await messageStatusOf(asked, deps, call);
    const status = include_hint ? await withTrial(known, deps, call) : known;
    const isStored =
      status.status === "completed" || (status.status === "included" && status.finality === "finalized");
    // Statuses of messages outside of the index can change between its blocks, and so can ABIs.
    const isByAbi = "failures" in status && status.failures.length > 0 && !deps.artifacts.isEmpty;
    if (!isStored || !deps.hasIndex || isByAbi || include_hint) call.provisional = true;
    return include_text
      ? withStatusText(status, deps.book, deps.hasIndex ? (work) => deps.index.read(call, work) : undefined)
      : status;
  },
};

function readAsked(boc: Uint8Array): AskedMessage {
  const content = readKnownMessage(requireBoc("boc", boc));
  if (!content) throw new ServiceError("bad-boc", "boc is not a message");
  return { content };
}
