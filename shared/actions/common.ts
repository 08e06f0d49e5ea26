import { account, amount, boc, flag, text } from "./member.js";

// Members that several types have.

export const asset = account("Master of the jetton; `null` for TON.");
export const jetton = account("Master of the jetton.");
export const value = amount("Nanotons that the message carries.").in("value");
export const queryId = amount("Query id of the request.");
export const dex = text("Name of the exchange.");
export const comment = text("Comment; base64 if it is encrypted.");
export const isEncrypted = flag("Whether the comment is encrypted.");
export const responseDestination = account("Receiver of the response.");
export const customPayload = boc("Custom payload of the request.");
export const forwardPayload = boc("Payload of the notification.");
export const forwardAmount = amount("Nanotons that the notification carries.");
export const source = account("Sender of the request.").in("source");
