import type { Handlers } from "../../../shared/methods/define.js";
import type { statMethods } from "../../../shared/methods/v3/stats.js";
import type { IndexDeps } from "../../present/v3/index-deps.js";
import { richestAccounts } from "../../store/index-reads.js";

export const statHandlers: Handlers<typeof statMethods, Pick<IndexDeps, "index">> = {
  topAccountsByBalance: (page, { index }, call) =>
    index.read(call, (queries) => richestAccounts(queries, page)),
};
