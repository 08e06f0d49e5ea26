export type { KnownAccounts } from "../../shared/text/answer-names.js";
export { english } from "../../shared/text/english/english.js";
export type { Language } from "../../shared/text/language.js";
export type { Described } from "../../shared/text/preview.js";
export { actionText, failureHint, messageText, type TextOptions } from "./texts.js";
