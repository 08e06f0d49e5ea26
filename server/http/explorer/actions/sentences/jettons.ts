import { exchangeName } from "../exchange-names.js";
import { asset, comment, jetton, type Sentences, say, when, who } from "../phrase.js";

export const jettonSentences = {
  jetton_transfer: (details) =>
    say`${who(details.sender)} sent ${jetton(details.amount, details.asset)} to ${who(details.receiver)}${comment(details.comment, details.is_encrypted_comment)}`,
  jetton_burn: ({ owner, amount, asset: master }) => say`${who(owner)} burned ${jetton(amount, master)}`,
  jetton_mint: ({ receiver, amount, asset: master }) =>
    say`${jetton(amount, master)} ${amount === "1" ? "was" : "were"} minted for ${who(receiver)}`,
  jetton_swap: (details) => {
    const { dex_incoming_transfer: given, dex_outgoing_transfer: taken, peer_swaps: pools } = details;
    return say`${who(details.sender)} swapped ${asset(given.amount, given.asset)} for ${asset(taken.amount, taken.asset)} on ${exchangeName(details.dex)}${pools.length > 1 && `, through ${pools.length} pools`}${when(details.min_out_amount, (least) => say`, for at least ${asset(least, details.asset_out)}`)}`;
  },
} satisfies Partial<Sentences>;
