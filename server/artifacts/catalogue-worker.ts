// Entry of the thread that reads a catalogue.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { OwnThread } from "../os/channel/thread.js";
import { listedInText } from "./catalogue.js";
import type { CatalogueSide } from "./catalogue-thread.js";

const maxBytes = 64 << 20;

const handlers: CatalogueSide = {
  async read(path) {
    const bytes = await readFile(path);
    if (bytes.length > maxBytes) throw new Error("more than 64 MiB");
    const revision = createHash("sha256").update(bytes).digest("hex");
    return { listed: listedInText(path, bytes), revision };
  },
};

new OwnThread({ handlers, errors: { AbiError } });
