// Facts of Telegram's wallet for which no cells are read.

/** The hash of the accounts' code, in hex. */
export const tgWalletCodeHash = "9149ae51c1e4689710cebf7830297b16acfbadb363a920a537893e7ffeeca768";

/** The configuration parameter with the code that these accounts run: the root cell of the code itself. */
export const tgWalletParam = -123;

/** The wallet id of accounts on mainnet, and on every devnet. */
export const tgWalletId = 0x7fff7f11;

/** Opcodes of requests, behind a signature of 512 bits. */
export const tgWalletOpcodes = {
  sendOne: { internal: 0x63896e74, external: 0x63896e75 },
  sendBulk: { internal: 0x73896e74, external: 0x73896e75 },
  changeKey: { internal: 0xfbba99c7, external: 0xfbba99c8 },
} as const;
