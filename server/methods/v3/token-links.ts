import type { TokenLink } from "../../store/queries/tokens/metadata.js";
import type { Tokens } from "../../store/queries/tokens/tokens.js";
import { linkingTokens } from "../../store/tables/metadata.js";

/** The links of tokens whose metadata was not fetched yet, or has expired. `now` in Unix milliseconds. */
export function linksToFetch(tokens: Tokens, now: number): TokenLink[] {
  return linkingTokens.flatMap((type) =>
    tokens[type].flatMap(({ address, content, fetched }) => {
      const url = content["uri"];
      const isCurrent = fetched && (fetched.expires_at === undefined || fetched.expires_at > now);
      return url === undefined || isCurrent ? [] : [{ address, type, url }];
    }),
  );
}
