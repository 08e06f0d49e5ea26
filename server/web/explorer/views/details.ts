// Views of single things, which share most of their parts and are loaded together.
export { showAccount } from "./account.js";
export { showAddressBook } from "./address-book.js";
export { showBlock } from "./block.js";
export { showTrace } from "./trace.js";
export { showTransaction } from "./transaction.js";
