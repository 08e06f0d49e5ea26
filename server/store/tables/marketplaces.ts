import { address, text } from "../declare/columns.js";
import { table } from "../declare/table.js";

/** What the operator calls marketplaces, and the collections of those that have no address. */
export const marketplaceNames = table("marketplace_names", {
  columns: { address, name: text },
  key: ["address"],
});
