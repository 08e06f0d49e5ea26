import type { Cell as CoreCell } from "@ton/core";
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from "@ton/ton";
import { expect } from "vitest";

const publicKey = Buffer.alloc(32, 1);
const options = { publicKey, workchain: 0 };

/** The wallet's type, code and data; its fields of getWalletInformation; its state in getExtendedAddressInformation. */
type WalletCase = readonly [
  type: string,
  code: CoreCell,
  data: string | CoreCell,
  fields: object,
  state: object,
];

export const wallets: readonly WalletCase[] = [
  [
    "wallet v1 r3",
    WalletContractV1R3.create(options).init.code,
    "te6cckEBAQEAJgAASAAAAAUBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAbv8GYg=",
    { seqno: 5 },
    { "@type": "raw.accountState" },
  ],
  [
    "wallet v3 r2",
    WalletContractV3R2.create(options).init.code,
    "te6cckEBAQEAKgAAUAAAAAcpqaMXAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQHyHzNP",
    { seqno: 7, wallet_id: 698983191 },
    { "@type": "wallet.v3.accountState", wallet_id: 698983191, seqno: 7, revision: 2 },
  ],
  [
    "wallet v4 r2",
    WalletContractV4.create(options).init.code,
    "te6cckEBAQEAKwAAUQAAAAcpqaMXAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQFAUcBbnA==",
    { seqno: 7, wallet_id: 698983191 },
    { "@type": "wallet.v4.accountState", wallet_id: 698983191, seqno: 7, revision: 2 },
  ],
  [
    "wallet v5 r1",
    WalletContractV5R1.create(options).init.code,
    "te6cckEBAQEAKwAAUYAAAAG///+IgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICglumivQ==",
    { seqno: 3, wallet_id: 2147483409, is_signature_allowed: true },
    { "@type": "raw.accountState" },
  ],
  ...[WalletContractV1R1, WalletContractV1R2, WalletContractV2R1, WalletContractV2R2].map(
    (contract): WalletCase => {
      const { code, data } = contract.create(options).init;
      const [, version, revision] = /V(\d)R(\d)$/.exec(contract.name)!;
      return [`wallet v${version} r${revision}`, code, data, { seqno: 0 }, { "@type": "raw.accountState" }];
    },
  ),
  [
    "wallet v3 r1",
    WalletContractV3R1.create({ ...options, walletId: 0xffffff11 }).init.code,
    WalletContractV3R1.create({ ...options, walletId: 0xffffff11 }).init.data,
    { seqno: 0, wallet_id: 0xffffff11 },
    { "@type": "wallet.v3.accountState", wallet_id: 0xffffff11, seqno: 0, revision: 1 },
  ],
  [
    "wallet v5 beta",
    WalletContractV5Beta.create(options).init.code,
    WalletContractV5Beta.create(options).init.data,
    // Its data has other field widths: the flag is the first bit of a longer seqno.
    { seqno: 0, wallet_id: expect.any(Number), is_signature_allowed: false },
    { "@type": "raw.accountState" },
  ],
];
