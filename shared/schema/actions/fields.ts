import { z } from "zod";
import { bocBase64, rawAddressUpper } from "../results.js";
import { extraCurrencies, integerText, opcodeHex } from "../v3-records.js";

// Types of the members of action details. A member is `null` if its value is not known.

export const account = (description: string) => rawAddressUpper.nullable().describe(description);
export const amount = (description: string) => integerText.nullable().describe(description);
export const integer = (description: string) => z.int().nullable().describe(description);
export const flag = (description: string) => z.boolean().nullable().describe(description);
export const text = (description: string) => z.string().nullable().describe(description);
export const boc = (description: string) => bocBase64.nullable().describe(description);
export const currencies = (description: string) => extraCurrencies.nullable().describe(description);

export const opcode = opcodeHex.optional();
export const asset = account("Master of the jetton; `null` for TON.");
export const jetton = account("Master of the jetton.");
export const value = amount("Nanotons that the message carries.");
export const queryId = amount("Query id of the request.");
export const dex = text("Name of the exchange.");
export const comment = text("Comment; base64 if it is encrypted.");
export const isEncrypted = flag("Whether the comment is encrypted.");
export const responseDestination = account("Receiver of the response.");
export const customPayload = boc("Custom payload of the request.");
export const forwardPayload = boc("Payload of the notification.");
export const forwardAmount = amount("Nanotons that the notification carries.");
export const source = account("Sender of the request.");
