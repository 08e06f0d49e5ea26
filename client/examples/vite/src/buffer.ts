// @ton/core expects Node's Buffer. Import this file before anything that imports @ton/core.
import { Buffer } from "buffer/";

Object.assign(globalThis, { Buffer });
