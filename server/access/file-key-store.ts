import { changeKeyFile, readKeyFile, readOrNewKeyFile } from "./key-file.js";
import type { KeyStore } from "./key-store.js";

/** The key store in a file. */
export function fileKeyStore(path: string): KeyStore {
  return {
    place: path,
    read: async ({ needed } = { needed: false }) => (needed ? readKeyFile(path) : readOrNewKeyFile(path)),
    change: (change) => changeKeyFile(path, change),
    close: async () => {},
  };
}
