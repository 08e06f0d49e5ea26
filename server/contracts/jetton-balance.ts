import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { Slice } from "../../shared/ton/cells/slice.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";

/** The message that began a transaction which changed the data of a jetton wallet. */
type Cause = {
  /** The message's body as a bag of cells; null if it is not known. */
  body: Uint8Array | null;
  bounced: boolean;
};

const ops = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  burn: 0x595f07bc,
  burnNotification: 0x7bdd97de,
  setStatus: 0xeed236d3,
} as const;
/** Begins a body that came back, cut to its first 256 bits. Others have the whole body elsewhere. */
const bouncedBody = 0xffffffff;

/**
 * By how much a message changed the balance of a wallet (TEP-74); `undefined` for a message that the standard does not have.
 * `isMintless`: a transfer may also claim an airdrop, whose amount the message does not have.
 */
export function jettonChange(
  { body, bounced }: Cause,
  { isMintless }: { isMintless: boolean },
): bigint | undefined {
  if (body === null) return undefined;
  return ifReadable(() => {
    const slice = new Slice(parseBocRoot(body));
    if (bounced && slice.loadUint(32) !== bouncedBody) return undefined;
    const op = slice.loadUint(32);
    if (op === ops.setStatus && !bounced) return 0n;
    slice.skip(64);
    const amount = slice.loadCoins();
    if (bounced) return op === ops.internalTransfer || op === ops.burnNotification ? amount : undefined;
    if (op === ops.internalTransfer) return amount;
    if (op === ops.burn) return -amount;
    if (op !== ops.transfer) return undefined;
    slice.loadAddress();
    slice.loadAddress();
    return isMintless && slice.loadBit() ? undefined : -amount;
  });
}
