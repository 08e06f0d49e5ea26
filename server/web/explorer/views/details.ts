// Views that are loaded together when one of them is opened: scripts that share parts in other ways would be many small files.
export { showAccount } from "./account.js";
export { showAddressBook } from "./address-book.js";
export { showBlock } from "./block.js";
export { showCollection } from "./collection.js";
export { showConfig } from "./config.js";
export { showDomain } from "./domain.js";
export { showJetton } from "./jetton.js";
export { showNft } from "./nft.js";
export { showPool } from "./pool.js";
export { showPools } from "./pools.js";
export { showSupply } from "./supply.js";
export { showTrace } from "./trace.js";
export { showTransaction } from "./transaction.js";
export { showValidators } from "./validators.js";
