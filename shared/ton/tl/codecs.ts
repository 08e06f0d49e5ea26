import { TlCodec } from "./codec.js";
import { adnl, liteApi, signed } from "./schema.js";

/** Everything sent over a connection. */
export const wire = new TlCodec(liteApi, adnl);

/** Objects that validators sign, with the types of lite_api.tl they refer to. */
export const proofs = new TlCodec(liteApi, signed);
