import type { ActionLanguage, FailureLanguage, Language } from "../language.js";
import { failures } from "./failures.js";
import { hints } from "./hints.js";
import { sentences } from "./sentences.js";
import { statuses } from "./statuses.js";
import { titles } from "./titles.js";
import { words } from "./words.js";

/** Texts of sentences about actions, for pages that have no other texts. */
export const englishActions: ActionLanguage = { locale: "en", sentences, words };

/** The same with those about failures. */
export const englishFailures: FailureLanguage = { ...englishActions, failures, hints };

export const english: Language = { ...englishFailures, statuses, titles };
