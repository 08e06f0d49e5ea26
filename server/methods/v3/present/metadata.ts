import type { z } from "zod";
import type { metadata, tokenInfo } from "../../../../shared/schema/v3-records.js";
import type { Tokens } from "../../../store/queries/tokens.js";

export type Metadata = z.output<typeof metadata>;
type TokenInfo = z.output<typeof tokenInfo>;

/** One entry per account, with one part per kind of token that it is. */
export function presentMetadata({ jettonWallets, jettonMasters }: Tokens): Metadata {
  const parts: [string, TokenInfo][] = [
    ...jettonWallets.map(({ address, ...extra }): [string, TokenInfo] => [
      address,
      { valid: true, type: "jetton_wallets", extra },
    ]),
    ...jettonMasters.map(({ address, content }): [string, TokenInfo] => [
      address,
      infoOf("jetton_masters", content, (shown) => shown["symbol"] !== undefined),
    ]),
  ];
  const entries = new Map<string, TokenInfo[]>();
  for (const [address, info] of parts) entries.set(address, [...(entries.get(address) ?? []), info]);
  return Object.fromEntries(
    [...entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([address, token_info]) => [
        address,
        { is_indexed: token_info.every(({ valid }) => valid !== undefined), token_info },
      ]),
  );
}

type Content = Readonly<Record<string, string>>;

/**
 * What the chain says of a token. If that is not enough and there is a link to more, the token counts as not fetched yet,
 * and as invalid otherwise.
 */
function infoOf(type: string, content: Content, isEnough: (content: Content) => boolean): TokenInfo {
  if (!isEnough(content)) return content["uri"] === undefined ? { valid: false, type } : { type };
  const { name, symbol, description, image, ...extra } = content;
  return { valid: true, type, name, symbol, description, image, is_nsfw: false, is_scam: false, extra };
}
