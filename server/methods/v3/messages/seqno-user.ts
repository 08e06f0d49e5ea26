import type { MessageStatus } from "../../../../shared/schema/v3/message-status.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Address } from "../../../../shared/values/address.js";
import { base64ToBytes, bytesOfBase64 } from "../../../../shared/values/bytes.js";
import { readWalletRequest } from "../../../contracts/wallet-request.js";
import { readMessage } from "../../../present/v3/message.js";
import { namesOf, presentTransactionRef } from "../../../present/v3/message-status.js";
import type { Queries } from "../../../store/database.js";
import type { OffsetBookmarks } from "../../../store/queries/slots/offset-bookmarks.js";
import { reads } from "../../../store/reads/index-reads.js";

type Expired = Extract<MessageStatus, { status: "expired" }>;
export type SeqnoUser = NonNullable<Expired["replaced_by"]>;

/** External messages of a wallet searched for a seqno. */
const maxSearched = 200;
/** Additional messages to search, because some messages of old wallets do not increment the seqno. */
const spare = 8;

/** The message that used a wallet's seqno, among its newest external messages. */
export async function findSeqnoUser(
  queries: Queries,
  bookmarks: OffsetBookmarks,
  wallet: Address,
  { interface: name, seqno, next_seqno: next }: Expired["wallet"],
): Promise<SeqnoUser | undefined> {
  const limit = Math.min(maxSearched, (next ?? 0) - (seqno ?? 0) + spare);
  const records = await reads.listMessages(
    queries,
    { destination: wallet, source: null, direction: "in" },
    { limit, offset: 0, sort: "desc" },
    bookmarks,
    readMessage,
  );
  const user = records.find(({ message_content: content }) => {
    const boc = content && base64ToBytes(content.body);
    return boc && readWalletRequest(name, parseBocRoot(boc))?.seqno === seqno;
  });
  const found = user && (await reads.findMessage(queries, [bytesOfBase64(user.hash)]));
  return found && { ...namesOf(found.message), transaction: presentTransactionRef(found.transaction, true) };
}
