import { type LiteApi, LiteError, liteErrorCode } from "../lite-api.js";
import { type ServeParts, serveChain } from "../serve/serve.js";
import { withRecordedAnswers } from "./recorded-answers.js";
import { RecordedChain } from "./recorded-chain.js";
import { readRecordedFolder } from "./recorded-folder.js";

/**
 * Recorded blocks as a liteserver shows them; the newest one is the last masterchain block of the packages. Folders
 * are given in their order, each going on where the one before ends. Messages are taken by nobody. Where the record
 * has no state, everything that does not need one is answered all the same.
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
