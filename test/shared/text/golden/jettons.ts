import { noCode, outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, formula, hostileComment, pool } from "./people.js";

export const jettons: Goldens<"jetton_transfer" | "jetton_burn" | "jetton_mint" | "jetton_swap"> = {
  jetton_transfer: {
    details: {
      asset: acorn,
      sender: ann,
      receiver: ben,
      sender_jetton_wallet: "0:8CABD31233D389C6B739F6572944E713D135AA18EC00FE37592033E099C0A9A6",
      receiver_jetton_wallet: "0:11AED1BF5C0388791EEA499DB0A40033E34A5E7C86DE1A0A9400204795596856",
      amount: "10000",
      comment: hostileComment,
      is_encrypted_comment: false,
      query_id: "69",
      response_destination: ann,
      custom_payload: null,
      forward_payload:
        "te6cckEBAwEAiQAC/wAAAE9GVFNlbmRRXuBftyfty/tzfuT/yT/3///////////////////////8AAHWVAAAAAAAAAAAAAAAAA3jMpFXzvv72h/n3ZosT6qA/AHwAAAAAAAAAAAAAAAAAACbeAAAAAAAAAAAAAAAACiR3vAAAAAAAAAAAAAAAAAAAAACAQIAAAABQBGqhlU=",
      forward_amount: "1170162108",
    },
    text: "<img src=x onerror=alert(1)> sent 10 ACORN[x]{?y} to ben��.ton {amount:TON}, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    icon: "transfer",
    title: "Jetton transfer",
    values: [["amount", "10000", acorn, "ACORN[x]{?y}", 3, "10 ACORN[x]{?y}"]],
    accounts: [
      ["sender", ann, "<img src=x onerror=alert(1)>"],
      ["receiver", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: outOfGas,
      text: "Failed: <img src=x onerror=alert(1)> sent 10 ACORN[x]{?y} to ben��.ton {amount:TON}, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”; EQDMzM…zDA5 failed in the compute phase with exit code -14 (out of gas)",
      accounts: [
        ["sender", ann, "<img src=x onerror=alert(1)>"],
        ["receiver", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  jetton_burn: {
    details: {
      owner: ann,
      owner_jetton_wallet: "0:A42315002B88C23D17A24AAA8B65205810C4D08D237DA3CA4D976A2D1E04E801",
      asset: acorn,
      amount: "93066",
    },
    text: "<img src=x onerror=alert(1)> burned 93.066 ACORN[x]{?y}",
    icon: "burn",
    title: "Jettons burned",
    values: [["amount", "93066", acorn, "ACORN[x]{?y}", 3, "93.066 ACORN[x]{?y}"]],
    accounts: [["owner", ann, "<img src=x onerror=alert(1)>"]],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> burned 93.066 ACORN[x]{?y}; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["owner", ann, "<img src=x onerror=alert(1)>"],
        ["failed", pool, null],
      ],
    },
  },
  jetton_mint: {
    details: {
      asset: formula,
      receiver: ben,
      receiver_jetton_wallet: "0:D7407B037DA2F593F8BB997524EBAF7BE9C537958282A60DC09BD3C39D26DF27",
      amount: "1",
      ton_amount: "908814249160002342682739450328523377",
    },
    text: "1 unit of =HYPER(A1) was minted for ben��.ton {amount:TON}",
    icon: "mint",
    title: "Jettons minted",
    values: [["amount", "1", formula, "=HYPER(A1)", null, "1 unit of =HYPER(A1)"]],
    accounts: [["receiver", ben, "ben��.ton {amount:TON}"]],
    failed: {
      failure: noCode,
      text: "Failed: 1 unit of =HYPER(A1) was minted for ben��.ton {amount:TON}; ben��.ton {amount:TON} was not run, as it has no code",
    },
  },
  jetton_swap: {
    details: {
      dex: "tonco",
      sender: ann,
      asset_in: acorn,
      asset_out: falseTon,
      dex_incoming_transfer: {
        asset: acorn,
        source: ann,
        destination: ben,
        source_jetton_wallet: "0:A01E40040EB0647328C3A8BA22625D1FE3AEAA0B365F2BB8372484390F3101B4",
        destination_jetton_wallet: "0:0DA4C6530725B18D9A996A543722153F9D9DCF8818B2904B02331F73426DD670",
        amount: "7205784725",
      },
      dex_outgoing_transfer: {
        asset: falseTon,
        source: pool,
        destination: ann,
        source_jetton_wallet: null,
        destination_jetton_wallet: null,
        amount: "33957063173",
      },
      peer_swaps: [
        { asset_in: acorn, amount_in: "7205784725", asset_out: falseTon, amount_out: "37841924" },
        { asset_in: acorn, amount_in: "37841924", asset_out: falseTon, amount_out: "33957063173" },
      ],
      min_out_amount: "33000000000",
    },
    text: "<img src=x onerror=alert(1)> swapped 7,205,784.725 ACORN[x]{?y} for 33.957063173 ＴＯＮ (EQDu7u…7mKn) on TONCO, through 2 pools, asking for at least 33 ＴＯＮ (EQDu7u…7mKn)",
    icon: "swap",
    title: "Swap",
    values: [
      ["amount_in", "7205784725", acorn, "ACORN[x]{?y}", 3, "7,205,784.725 ACORN[x]{?y}"],
      ["amount_out", "33957063173", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "33.957063173 ＴＯＮ (EQDu7u…7mKn)"],
      ["min_out_amount", "33000000000", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "33 ＴＯＮ (EQDu7u…7mKn)"],
    ],
    accounts: [["sender", ann, "<img src=x onerror=alert(1)>"]],
    failed: {
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> swapped 7,205,784.725 ACORN[x]{?y} for 33.957063173 ＴＯＮ (EQDu7u…7mKn) on TONCO, through 2 pools, asking for at least 33 ＴＯＮ (EQDu7u…7mKn)",
    },
  },
};
