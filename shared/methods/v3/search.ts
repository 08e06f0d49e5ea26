import { z } from "zod";
import { page } from "../../schema/v3-params.js";
import { searchMatches } from "../../schema/v3-search.js";
import { searchText } from "../../schema/v3-search-params.js";
import { defineMethod } from "../define.js";
import { exampleHash } from "./examples.js";

const { limit } = page({ initial: 10, max: 50 });

export const searchMethods = {
  search: defineMethod({
    summary:
      "Tokens, domains and accounts whose names begin with a text, or what has an address, a hash or a seqno.",
    description:
      "Names are found by their beginning, in any case, jettons also by their symbol. Equal names come before longer ones, older " +
      "tokens before newer ones, and what the operator flags as a scam last. Of many tokens with one name, the oldest are found.",
    group: "Search",
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z.object({
      q: searchText.describe(
        "Beginning of a name, symbol or domain, or an address, hash or masterchain seqno.",
      ),
      limit,
    }),
    result: searchMatches,
    examples: [
      {
        params: { q: exampleHash },
        story: { q: "acorn" },
        result: { matches: [], address_book: {}, metadata: {} },
      },
    ],
  }),
};
