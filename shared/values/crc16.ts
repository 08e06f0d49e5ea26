const table = Uint16Array.from({ length: 256 }, (_, index) => {
  let crc = index << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** CRC16-XMODEM of the first `length` bytes: the checksum of friendly addresses and the hash of get-method names. */
export function crc16(bytes: Uint8Array, length = bytes.length): number {
  let crc = 0;
  for (let i = 0; i < length; i++) crc = ((crc << 8) ^ table[(crc >> 8) ^ bytes[i]!]!) & 0xffff;
  return crc;
}
