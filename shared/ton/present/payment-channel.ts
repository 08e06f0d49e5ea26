import type { z } from "zod";
import type { pchanAccountState } from "../../schema/v2/accounts.js";
import { bytesToBase64Url } from "../../values/bytes.js";
import { crc16 } from "../../values/crc16.js";
import type { ChannelState, PaymentChannel } from "../contracts/payment-channel.js";
import { presentAccount } from "./records.js";

type State = z.output<typeof pchanAccountState>;

/** Amounts and the channel id are JSON numbers here, as in tonlib; above 2^53 they lose precision. */
export function presentPaymentChannel({ config, state }: PaymentChannel): State {
  const { alice, bob, initTimeout, closeTimeout, channelId } = config;
  return {
    "@type": "pchan.accountState",
    config: {
      "@type": "pchan.config",
      alice_public_key: keyText(alice.publicKey),
      alice_address: presentAccount(alice.address),
      bob_public_key: keyText(bob.publicKey),
      bob_address: presentAccount(bob.address),
      init_timeout: initTimeout,
      close_timeout: closeTimeout,
      channel_id: Number(channelId),
    },
    state: presentState(state),
    description: describe(state),
  };
}

/** tonlib mixes up `expire_at`, `A` and `B`; here each has its own value. */
function presentState(state: ChannelState): State["state"] {
  const amounts = { A: Number(state.a), B: Number(state.b) };
  if (state.kind === "payout") return { "@type": "pchan.statePayout", ...amounts };
  return {
    "@type": state.kind === "init" ? "pchan.stateInit" : "pchan.stateClose",
    signed_A: state.signedA,
    signed_B: state.signedB,
    min_A: Number(state.minA),
    min_B: Number(state.minB),
    expire_at: state.expireAt,
    ...amounts,
  };
}

/** The 48-character text of an ed25519 key: two tag bytes, the key and its CRC16. */
function keyText(key: Uint8Array): string {
  const tagged = [0x3e, 0xe6, ...key];
  const sum = crc16(Uint8Array.from(tagged));
  return bytesToBase64Url(Uint8Array.from([...tagged, sum >> 8, sum & 0xff]));
}

/** The state in the format of tonlib's TL-B printer. */
function describe(state: ChannelState): string {
  const amounts = grams("A", state.a) + grams("B", state.b);
  if (state.kind === "payout") return `(chan_state_payout${amounts})\n`;
  const { kind, signedA, signedB, minA, minB, expireAt } = state;
  const least = kind === "init" ? "min" : "promise";
  const signed = ` signed_A:${Number(signedA)} signed_B:${Number(signedB)}`;
  const first = grams(`${least}_A`, minA) + grams(`${least}_B`, minB);
  return `(chan_state_${kind}${signed}${first} expire_at:${expireAt}${amounts})\n`;
}

function grams(name: string, value: bigint): string {
  const bytes = Math.ceil(value.toString(2).length / 8);
  const length = value === 0n ? 0 : bytes;
  return `\n  ${name}:(nanograms\n    amount:(var_uint len:${length} value:${value}))`;
}
