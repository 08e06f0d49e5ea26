import type { ActionLanguage, Language } from "../language.js";
import { failures } from "./failures.js";
import { hints } from "./hints.js";
import { sentences } from "./sentences.js";
import { statuses } from "./statuses.js";
import { titles } from "./titles.js";
import { words } from "./words.js";

/** Texts of sentences about actions, for pages that have no other texts. */
export const englishActions: ActionLanguage = { locale: "en", sentences, words };

export const english: Language = { locale: "en", sentences, words, failures, hints, statuses, titles };
