import { address, text } from "../declare/columns.js";
import { table } from "../declare/table.js";

/** The operator's names of marketplaces, and the collections of marketplaces without an address. */
export const marketplaceNames = table("marketplace_names", {
  columns: { address, name: text },
  key: ["address"],
});
