import type { Handlers } from "../../../shared/methods/define.js";
import type { statMethods } from "../../../shared/methods/v3/stats.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";
import { reads } from "../../store/reads/index-reads.js";

export const statHandlers: Handlers<typeof statMethods, Pick<IndexDeps, "index">> = {
  topAccountsByBalance: (page, { index }, call) =>
    index.read(call, (queries) => reads.richestAccounts(queries, page)),
};
