import {
  base64ToBytes,
  bytesEqual,
  bytesToBase64,
  bytesToBase64Url,
  bytesToHex,
  hexToBytes,
} from "./bytes.js";
import { crc16 } from "./crc16.js";

/** Flags of the friendly form; they are not properties of the account. */
export type FriendlyFlags = {
  /** Whether messages to the account should bounce if it fails. */
  bounceable: boolean;
  /** Whether the address is for test networks only. */
  testOnly: boolean;
};

/** A parsed address with the flags of its text form. The raw form counts as bounceable and not test-only. */
export type ParsedAddress = FriendlyFlags & {
  /** The account. */
  address: Address;
  /** The form that the text has. */
  form: "raw" | "friendly";
};

const bounceableTag = 0x11;
const nonBounceableTag = 0x51;
const testOnlyBit = 0x80;

/** A standard account address: workchain -128..127 and a 256-bit account id. */
export class Address {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account id, 32 bytes. */
  readonly hash: Uint8Array;

  constructor(workchain: number, hash: Uint8Array) {
    if (!Number.isInteger(workchain) || workchain < -128 || workchain > 127)
      throw new RangeError(`workchain ${workchain} is not in -128..127`);
    if (hash.length !== 32) throw new RangeError(`an account id has 32 bytes, not ${hash.length}`);
    this.workchain = workchain;
    this.hash = hash;
  }

  /** Parses the raw or friendly form, including its checksum; `undefined` for any other text. */
  static read(text: string): ParsedAddress | undefined {
    return text.includes(":") ? readRaw(text) : readFriendly(text);
  }

  /** `<workchain>:<64 hex>`, lower case. */
  toRaw(): string {
    return `${this.workchain}:${bytesToHex(this.hash)}`;
  }

  /** `<workchain>:<64 HEX>`, upper case. */
  toRawUpper(): string {
    return `${this.workchain}:${bytesToHex(this.hash).toUpperCase()}`;
  }

  /** The friendly 48-character form. Default: bounceable, base64url. */
  toFriendly(options: Partial<FriendlyFlags> & { urlSafe?: boolean } = {}): string {
    const { bounceable = true, testOnly = false, urlSafe = true } = options;
    const bytes = new Uint8Array(36);
    bytes[0] = (bounceable ? bounceableTag : nonBounceableTag) | (testOnly ? testOnlyBit : 0);
    bytes[1] = this.workchain & 0xff;
    bytes.set(this.hash, 2);
    const checksum = crc16(bytes, 34);
    bytes[34] = checksum >> 8;
    bytes[35] = checksum & 0xff;
    return urlSafe ? bytesToBase64Url(bytes) : bytesToBase64(bytes);
  }

  /** Whether both are the same account. */
  equals(other: Address): boolean {
    return this.workchain === other.workchain && bytesEqual(this.hash, other.hash);
  }

  /** The raw form, so that template strings and logs are readable. */
  toString(): string {
    return this.toRaw();
  }
}

function readRaw(text: string): ParsedAddress | undefined {
  const colon = text.length - 65;
  if (text[colon] !== ":" || !/^-?\d{1,3}$/.test(text.slice(0, colon))) return undefined;
  const workchain = Number(text.slice(0, colon));
  const hash = hexToBytes(text.slice(colon + 1));
  if (hash === undefined || workchain < -128 || workchain > 127) return undefined;
  return { address: new Address(workchain, hash), form: "raw", bounceable: true, testOnly: false };
}

function readFriendly(text: string): ParsedAddress | undefined {
  const bytes = text.length === 48 ? base64ToBytes(text) : undefined;
  if (bytes?.length !== 36) return undefined;
  const tag = bytes[0]!;
  if ((tag & 0x3f) !== bounceableTag) return undefined;
  if (crc16(bytes, 34) !== ((bytes[34]! << 8) | bytes[35]!)) return undefined;
  return {
    address: new Address((bytes[1]! << 24) >> 24, bytes.slice(2, 34)),
    form: "friendly",
    bounceable: (tag & 0x40) === 0,
    testOnly: (tag & testOnlyBit) !== 0,
  };
}
