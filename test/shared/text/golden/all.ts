import { basic } from "./basic.js";
import type { Goldens } from "./golden.js";
import { nfts } from "./nfts.js";
import { services } from "./services.js";
import { trading } from "./trading.js";

/** Texts of every type of action. */
export const goldens: Goldens = { ...basic, ...nfts, ...trading, ...services };
