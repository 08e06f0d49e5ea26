import { TlCodec } from "./codec.js";
import { adnl, liteApi, signed } from "./schema.js";

/** Everything that travels over a connection. */
export const wire = new TlCodec(liteApi, adnl);

/** What validators sign, with the types of lite_api.tl it refers to. */
export const proofs = new TlCodec(liteApi, signed);
