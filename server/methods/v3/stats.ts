import type { Handlers } from "../../../shared/methods/define.js";
import type { statMethods } from "../../../shared/methods/v3/stats.js";
import { richestAccounts } from "../../store/queries/accounts/accounts.js";
import type { IndexDeps } from "./deps.js";

export const statHandlers: Handlers<typeof statMethods, Pick<IndexDeps, "index">> = {
  topAccountsByBalance: (page, { index }, call) =>
    index.read(call, (queries) => richestAccounts(queries, page)),
};
