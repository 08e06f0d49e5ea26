// Views of the network as a whole, which are loaded together.
export { showConfig } from "./config.js";
export { showPool } from "./pool.js";
export { showPools } from "./pools.js";
export { showSupply } from "./supply.js";
export { showValidators } from "./validators.js";
