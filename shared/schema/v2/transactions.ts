import { z } from "zod";
import {
  addressOrNone,
  bocBase64,
  bytesBase64,
  hashBase64,
  logicalTime,
  nanotons,
  rawAddress,
  rawAddressUpper,
  unixTime,
} from "../../forms/values.js";
import { accountAddress, extraCurrencies, transactionId, typeName } from "./records.js";

/** The body of a message, by its content. */
export const messageData = z
  .discriminatedUnion("@type", [
    z
      .object({
        "@type": typeName("msg.dataText"),
        text: bytesBase64.describe("The comment, UTF-8 in base64."),
      })
      .describe("A comment."),
    z
      .object({
        "@type": typeName("msg.dataEncryptedText"),
        text: bytesBase64.describe("The encrypted comment."),
      })
      .describe("A comment encrypted for the receiver."),
    z
      .object({
        "@type": typeName("msg.dataDecryptedText"),
        text: bytesBase64.describe("The comment after decryption."),
      })
      .describe("A decrypted comment. The service has no keys and never returns this type."),
    z
      .object({
        "@type": typeName("msg.dataRaw"),
        body: bocBase64.describe("The body."),
        init_state: bocBase64.describe("StateInit of the message; empty if there is none."),
      })
      .describe("Any other body."),
  ])
  .describe("Content of the message.");

const amounts = {
  value: nanotons.describe("Value in nanotons; `0` for external messages."),
  extra_currencies: extraCurrencies.describe("Extra currencies sent with the message."),
  fwd_fee: nanotons.describe("Forwarding fee paid, in nanotons."),
  ihr_fee: nanotons.describe(
    "Instant hypercube routing fee, in nanotons: always `0`, as the network does not use it.",
  ),
  created_lt: logicalTime.describe("Logical time of creation; `0` for external messages to a contract."),
  body_hash: hashBase64.describe("Hash of the body's cell."),
  msg_data: messageData,
};

/** A message with addresses as objects. */
export const standardMessage = z
  .object({
    "@type": typeName("raw.message"),
    hash: hashBase64.describe("Hash of the message's cell."),
    source: accountAddress.describe("Sender; empty for an external message to a contract."),
    destination: accountAddress.describe("Receiver; empty for an external message from a contract."),
    ...amounts,
  })
  .describe("A message.");

/** A message with addresses and comment as plain text. */
export const plainMessage = z
  .object({
    "@type": typeName("ext.message"),
    hash: hashBase64.describe("Hash of the message's cell."),
    source: addressOrNone.describe("Sender; empty for an external message to a contract."),
    destination: addressOrNone.describe("Receiver; empty for an external message from a contract."),
    ...amounts,
    message: z
      .string()
      .optional()
      .describe(
        "The comment, or the data of the body's root cell in base64; absent if the comment is encrypted.",
      ),
  })
  .describe("A message.");

const address = accountAddress.describe("The account.");
const account = rawAddressUpper.describe("The account in raw form.");

function details<Message extends typeof standardMessage | typeof plainMessage>(message: Message) {
  return {
    utime: unixTime.describe("Unix time of the block."),
    data: bocBase64.describe("The serialized transaction."),
    transaction_id: transactionId.describe("Logical time and hash of the transaction."),
    fee: nanotons.describe("Total fees in nanotons, including those of sent messages."),
    storage_fee: nanotons.describe("Storage fee in nanotons."),
    other_fee: nanotons.describe("All other fees in nanotons."),
    in_msg: z.optional(message).describe("The inbound message; absent for tick-tock transactions."),
    out_msgs: z.array(message).describe("Outbound messages, in order."),
  };
}

export const plainTransaction = z
  .object({ "@type": typeName("ext.transaction"), address, account, ...details(plainMessage) })
  .describe("A transaction.");

export const standardTransaction = z
  .object({ "@type": typeName("raw.transaction"), address, ...details(standardMessage) })
  .describe("A transaction.");

export const blockTransaction = z
  .object({ "@type": typeName("raw.transactionExt"), address, account, ...details(standardMessage) })
  .describe("A transaction of a block.");

export const shortTransaction = z
  .object({
    "@type": typeName("blocks.shortTxId"),
    mode: z.int().describe("Mode of the liteserver request: always 135."),
    account: rawAddress,
    lt: logicalTime,
    hash: hashBase64.describe("Hash of the transaction."),
  })
  .describe("Account, logical time and hash of a transaction.");
