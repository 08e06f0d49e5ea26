import { memberOf } from "../../../shared/values/lookups.js";
import { codeOf } from "../../store/codes.js";
import type { RowOf } from "../../store/declare/table.js";
import { tables } from "../../store/tables/all-tables.js";
import type { ContractTable, contractColumns } from "../../store/tables/contract-columns.js";
import { type LinkingToken, linkingTokens } from "../../store/tables/metadata.js";

/** Tables of tokens that can link to metadata, with their content columns. */
const contents = new Map<string, readonly [type: LinkingToken, column: string]>([
  [tables.jettonMasters.name, ["jetton_masters", "jetton_content"]],
  [tables.nftCollections.name, ["nft_collections", "collection_content"]],
  [tables.nftItems.name, ["nft_items", "content"]],
]);

/** The row that queues a recognised token's link for fetching; `undefined` without a link. */
export function newLink(
  { name }: ContractTable,
  row: Pick<RowOf<typeof contractColumns>, "address" | "timestamp">,
): RowOf<(typeof tables.addressMetadata)["columns"]> | undefined {
  const token = contents.get(name);
  if (!token) return undefined;
  const [type, column] = token;
  // In each of these tables the column holds attributes.
  const url = memberOf(row as unknown as Record<string, Readonly<Record<string, string>>>, column)["uri"];
  if (url === undefined) return undefined;
  const { address, timestamp } = row;
  // Due immediately, but after links that answers need.
  return { address, type: codeOf(linkingTokens, type), url, tries: 0, next_try_at: timestamp * 1000 };
}
