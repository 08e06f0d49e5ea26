import type { Action, ActionDetails, ActionType } from "../../../../shared/schema/v3-actions.js";
import { claimedText } from "../parts/text.js";
import { type Phrase, type Sentences, say, who } from "./phrase.js";
import { basicSentences } from "./sentences/basic.js";
import { cocoonSentences } from "./sentences/cocoon.js";
import { dnsSentences } from "./sentences/dns.js";
import { jettonSentences } from "./sentences/jettons.js";
import { layerzeroSentences } from "./sentences/layerzero.js";
import { lendingSentences } from "./sentences/lending.js";
import { liquiditySentences } from "./sentences/liquidity.js";
import { nftSentences } from "./sentences/nfts.js";
import { stakingSentences } from "./sentences/staking.js";
import { tgbtcSentences } from "./sentences/tgbtc.js";
import { walletSentences } from "./sentences/wallets.js";

const sentences: Sentences = {
  ...basicSentences,
  ...jettonSentences,
  ...nftSentences,
  ...dnsSentences,
  ...liquiditySentences,
  ...stakingSentences,
  ...walletSentences,
  ...lendingSentences,
  ...tgbtcSentences,
  ...layerzeroSentences,
  ...cocoonSentences,
};

/** The parts of an action that its sentence needs. The type may be unknown to this version. */
export type SpokenAction = Pick<Action, "success" | "transactions"> & {
  readonly type: string;
  readonly details: object;
};

/** A sentence that describes an action. Failed actions are marked as failed. */
export function sentenceOf(action: SpokenAction): Phrase {
  const phrase = told(action) ?? generic(action);
  return action.success === false ? say`Failed: ${phrase}` : capitalised(phrase);
}

function capitalised([first, ...rest]: Phrase): Phrase {
  return typeof first === "string"
    ? [first.charAt(0).toUpperCase() + first.slice(1), ...rest]
    : [first!, ...rest];
}

function told({ type, details }: SpokenAction): Phrase | undefined {
  if (!Object.hasOwn(sentences, type)) return undefined;
  const sentence = sentences[type as ActionType] as (details: ActionDetails[ActionType]) => Phrase;
  try {
    return sentence(details as ActionDetails[ActionType]);
  } catch {
    // Details of another version of the service.
    return undefined;
  }
}

/** The fallback for any action: its type, known participants and size. */
function generic({ type, details, transactions }: SpokenAction): Phrase {
  const members = details as Readonly<Record<string, unknown>>;
  const named = (...keys: readonly string[]) =>
    keys.map((key) => members[key]).find((value): value is string => isAddress(value));
  const from = named("source", "sender", "owner");
  const to = named("destination", "receiver", "recipient");
  return say`${claimedText(type.replaceAll("_", " "), 60) || "An action"}${from && say` by ${who(from)}`}${to && say` to ${who(to)}`}, in ${transactions.length} ${transactions.length === 1 ? "transaction" : "transactions"}`;
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^-?\d{1,3}:[0-9a-f]{64}$/i.test(value);
}
