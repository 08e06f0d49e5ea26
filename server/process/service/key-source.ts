import { KeyStoreError, readOrNewKeyFile } from "../../access/keys/key-file.js";
import { KeyFileSource } from "../../access/keys/key-file-source.js";
import type { KeySource } from "../../access/keys/key-store.js";
import { keyStoreOf, keysFileOf } from "../../config/settings.js";
import type { Log } from "../../observe/log.js";
import type { Context } from "../context/context.js";
import { DatabaseKeySource } from "./database-key-source.js";
import { openKeysDatabase } from "./database-keys.js";

/** The source of a service's keys, by its settings. */
export async function openKeySource({ config, now, log }: Context): Promise<KeySource> {
  if (keyStoreOf(config) === "file") return new KeyFileSource(keysFileOf(config));
  if (config.keyStore === undefined) warnOfFile(keysFileOf(config), log);
  return new DatabaseKeySource(await openKeysDatabase(config), { now });
}

/** An operator who has named the key store knows. */
function warnOfFile(path: string, log: Log): void {
  try {
    if (readOrNewKeyFile(path).keys.length === 0) return;
  } catch (error) {
    // The file is no key store, and is not needed.
    if (error instanceof KeyStoreError) return;
    throw error;
  }
  log.warn(
    `API keys are in the database, and the keys in ${path} are not used: tonwire keys move --to database copies them there`,
  );
}
