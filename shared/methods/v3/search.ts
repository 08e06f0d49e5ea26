import { z } from "zod";
import { page } from "../../schema/v3/params.js";
import { searchMatches } from "../../schema/v3/search.js";
import { searchText } from "../../schema/v3/search-params.js";
import { defineMethod } from "../define.js";
import { exampleHash } from "./examples.js";

const { limit } = page({ initial: 10, max: 50 });

export const searchMethods = {
  search: defineMethod({
    summary:
      "Tokens, domains and accounts by the beginning of a name, or what has an address, hash or seqno.",
    description:
      "Jettons also by their symbol. Equal names come first, older tokens before newer ones, flagged scams last.",
    group: "Search",
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z.object({
      q: searchText.describe("The text, in any case."),
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
