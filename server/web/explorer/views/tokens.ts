// Views of tokens and names, which share most of their parts and are loaded together.
export { showCollection } from "./collection.js";
export { showDomain } from "./domain.js";
export { showJetton } from "./jetton.js";
export { showNft } from "./nft.js";
