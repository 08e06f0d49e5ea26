import { type ServeParts, serveChain } from "../../../../server/chain/serve/serve.js";
import { type LiteApi, LiteError, liteErrorCode } from "../../../../shared/ton/lite/lite-api.js";
import { withRecordedAnswers } from "./recorded-answers.js";
import { RecordedChain } from "./recorded-chain.js";
import { readRecordedFolder } from "./recorded-folder.js";

/**
 * Recorded blocks as a LiteApi; the newest block is the last masterchain block of the packages. Folders must be in order,
 * each continuing the previous one. Messages are rejected. Without a recorded state, requests that do not need one are
 * still answered.
 */
export function openReplay(folders: readonly string[], parts: Pick<ServeParts, "methods" | "now">): LiteApi {
  const recorded = folders.map(readRecordedFolder);
  const served = serveChain(new RecordedChain(recorded), {
    ...parts,
    sendMessage: () => Promise.reject(new LiteError(liteErrorCode.notReady, "node not synced")),
  });
  return withRecordedAnswers(
    served,
    recorded.flatMap(({ answers }) => answers),
  );
}
