import { codeOf } from "../../store/codes.js";
import type { RowOf } from "../../store/declare/table.js";
import type { ContractTable, contractColumns } from "../../store/tables/contract-columns.js";
import { type LinkingToken, linkingTokens } from "../../store/tables/metadata.js";
import { tables } from "../../store/tables.js";

/** The tables of tokens that can link to metadata, and the column of their content. */
const contents = new Map<string, readonly [type: LinkingToken, column: string]>([
  [tables.jettonMasters.name, ["jetton_masters", "jetton_content"]],
  [tables.nftCollections.name, ["nft_collections", "collection_content"]],
  [tables.nftItems.name, ["nft_items", "content"]],
]);

/** The row that queues the link of a recognised token to be fetched, unless one of its links is known. */
export function newLink(
  { name }: ContractTable,
  row: Pick<RowOf<typeof contractColumns>, "address" | "timestamp">,
): RowOf<(typeof tables.addressMetadata)["columns"]> | undefined {
  const token = contents.get(name);
  if (!token) return undefined;
  const [type, column] = token;
  // The column holds attributes in each of these tables.
  const url = (row as unknown as Record<string, Readonly<Record<string, string>>>)[column]!["uri"];
  if (url === undefined) return undefined;
  const { address, timestamp } = row;
  // Due at once, and behind what answers need.
  return { address, type: codeOf(linkingTokens, type), url, tries: 0, next_try_at: timestamp * 1000 };
}
