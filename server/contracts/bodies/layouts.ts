import { jettonLayouts } from "./layouts/jettons.js";
import { nftLayouts } from "./layouts/nfts.js";

/**
 * Layouts that only `bodyOf` and `bodyStart` read, by names of their own: what classifiers look for in bodies. Answers
 * show bodies by `families.ts`, so these do not change what clients see.
 */
export const layouts = [jettonLayouts, nftLayouts] as const;
