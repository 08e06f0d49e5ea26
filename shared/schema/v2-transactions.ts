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
} from "./results.js";
import { accountAddress, extraCurrencies, transactionId, typeName } from "./v2-records.js";

/** The body of a message, by what it holds. */
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
      .describe("A comment only its receiver can read."),
    z
      .object({
        "@type": typeName("msg.dataDecryptedText"),
        text: bytesBase64.describe("The comment after decryption."),
      })
      .describe("A comment that was decrypted. Services have no keys and never answer this one."),
    z
      .object({
        "@type": typeName("msg.dataRaw"),
        body: bocBase64.describe("The body."),
        init_state: bocBase64.describe("Code and data the message deploys; empty when it deploys nothing."),
      })
      .describe("Any other body."),
  ])
  .describe("What the message says.");

const amounts = {
  value: nanotons.describe("Nanotons sent along; `0` for external messages."),
  extra_currencies: extraCurrencies.describe("Extra currencies sent along."),
  fwd_fee: nanotons.describe("Forwarding fee paid, in nanotons."),
  ihr_fee: nanotons.describe("Fee for instant routing, which the network does not have: `0`."),
  created_lt: logicalTime.describe("Logical time of creation; `0` for external messages to a contract."),
  body_hash: hashBase64.describe("Hash of the body's cell."),
  msg_data: messageData,
};

/** A message with its addresses as objects. */
export const standardMessage = z
  .object({
    "@type": typeName("raw.message"),
    hash: hashBase64.describe("Hash of the message's cell."),
    source: accountAddress.describe("Sender; empty for an external message to a contract."),
    destination: accountAddress.describe("Receiver; empty for an external message from a contract."),
    ...amounts,
  })
  .describe("A message.");

/** A message with its addresses as texts and its comment in clear. */
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
      .describe("The comment, or the data of the body's first cell in base64; absent when encrypted."),
  })
  .describe("A message.");

const address = accountAddress.describe("The account.");
const account = rawAddressUpper.describe("The account in raw form.");

function details<Message extends typeof standardMessage | typeof plainMessage>(message: Message) {
  return {
    utime: unixTime.describe("Unix time of the block."),
    data: bocBase64.describe("The transaction itself."),
    transaction_id: transactionId.describe("Logical time and hash of the transaction."),
    fee: nanotons.describe("All fees, those of the messages it sends included, in nanotons."),
    storage_fee: nanotons.describe("The part of the fees paid for storage."),
    other_fee: nanotons.describe("The other fees."),
    in_msg: message.optional().describe("The message that caused it; absent for tick-tock transactions."),
    out_msgs: z.array(message).describe("Messages sent, in their order."),
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
    mode: z.int().describe("What was asked of the liteserver: always 135."),
    account: rawAddress,
    lt: logicalTime,
    hash: hashBase64.describe("Hash of the transaction."),
  })
  .describe("A transaction of a block by account, logical time and hash.");
