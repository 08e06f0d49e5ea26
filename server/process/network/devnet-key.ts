import { type DevnetKey, openDevnetKey } from "../../access/keys/devnet-key.js";
import { KeyStoreError } from "../../access/keys/key-file.js";
import { ConfigError } from "../../config/settings.js";
import type { Context } from "../context/context.js";

/** The key of a devnet; `undefined` on other networks. Throws `ConfigError` if it cannot be read or kept. */
export function devnetKeyOf({
  config,
  fallback,
}: Pick<Context, "config" | "fallback">): DevnetKey | undefined {
  try {
    return openDevnetKey(config, fallback);
  } catch (error) {
    if (error instanceof KeyStoreError) throw new ConfigError([error.message]);
    throw error;
  }
}
