import type { Goldens } from "./golden.js";
import { acorn, ann, pool } from "./people.js";

export const layerzero: Goldens<
  | "layerzero_send"
  | "layerzero_send_tokens"
  | "layerzero_receive"
  | "layerzero_commit_packet"
  | "layerzero_dvn_verify"
> = {
  layerzero_send: {
    details: {
      initiator: ann,
      layerzero_send_data: {
        send_request_id: 90,
        msglib_manager: "0x150645746e25be5486eb3b2f5d98b44c6b324697c48d495d059f96fc9d3ec368",
        msglib: "0x63bdfbf347f883ddba72a200563570af2dc72695b2b2fccaaecd113688ac570",
        uln: "0:063BDFBF347F883DDBA72A200563570AF2DC72695B2B2FCCAAECD113688AC570",
        native_fee: 14835102020,
        zro_fee: 0,
        endpoint: "0:02A7E49D90DF81A1944DAC9241F477DBB17CB0C87313EAF2C58A13D85EF942D3",
        channel: "0:1348A0E6846379668D3AFB785299609F3930EE80A177F4C88263E3741DB3D90F",
      },
      layerzero_packet_data: {
        src_oapp: "0x170725394aa56136fbd27d0ce31d8a98e0f8ae72a4d2379b5dde83e211a2d5fa",
        dst_oapp: "0x8925c1dd3e5d8011946a3430d91be742ba8ee930",
        src_eid: 30343,
        dst_eid: 30420,
        nonce: 90,
        guid: "0x46c71599bf21b54d59bd078d0bae22878154b16c1216fb6b83b0edf3a1167476",
        message: "0x000300000000000000000000000000000000000000e1320ab3ea00000000000000000000000000000000",
      },
    },
    text: "<img src=x onerror=alert(1)> sent a packet with number 90 to endpoint 30420 over LayerZero",
    icon: "bridge",
    title: "LayerZero packet sent",
    values: [],
    accounts: [["initiator", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  layerzero_send_tokens: {
    details: {
      sender: ann,
      sender_wallet: "0:8CABD31233D389C6B739F6572944E713D135AA18EC00FE37592033E099C0A9A6",
      oapp: ann,
      oapp_wallet: "0:11AED1BF5C0388791EEA499DB0A40033E34A5E7C86DE1A0A9400204795596856",
      asset: acorn,
      amount: "10000",
      layerzero_send_data: {
        send_request_id: 531,
        msglib_manager: "0x150645746e25be5486eb3b2f5d98b44c6b324697c48d495d059f96fc9d3ec368",
        msglib: "0xf59d60c2b3724c1662c9af5223d532d540e2214462424a85aaa4e841844a1bc",
        uln: "0:0F59D60C2B3724C1662C9AF5223D532D540E2214462424A85AAA4E841844A1BC",
        native_fee: 170162108,
        zro_fee: 0,
        endpoint: "0:0B0C4E7F053C490B93640B75945F70D8477758D562A0B64E295C7587B34A231C",
        channel: "0:25EC9F03589F3DDD170A9AD8B8C85213F7D12489A9B260C537499AAFA8A0E309",
      },
      layerzero_packet_data: {
        src_oapp: "0x170725394aa56136fbd27d0ce31d8a98e0f8ae72a4d2379b5dde83e211a2d5fa",
        dst_oapp: "0x811ed79db9d34e83bdb73df6c3e07961cfb0d5c0",
        src_eid: 30343,
        dst_eid: 30101,
        nonce: 517,
        guid: "0xa0b6fa1485a8e904d1bf5c702f99936ceb8ab32730b2cd501071dc92456da7cb",
        message: "0x00020000000000000000000000000378cca455f3befef687f9f7668b13eaa03f007c000000000000270d",
      },
    },
    text: "<img src=x onerror=alert(1)> sent 10 ACORN[x]{?y} to endpoint 30101 over LayerZero",
    icon: "bridge",
    title: "Sent over LayerZero",
    values: [["amount", "10000", acorn, "ACORN[x]{?y}", 3, "10 ACORN[x]{?y}"]],
    accounts: [["sender", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  layerzero_receive: {
    details: {
      sender: ann,
      oapp: ann,
      channel: "0:25EC9F03589F3DDD170A9AD8B8C85213F7D12489A9B260C537499AAFA8A0E309",
      layerzero_packet_data: {
        src_oapp: "0x811ed79db9d34e83bdb73df6c3e07961cfb0d5c0",
        dst_oapp: "0x170725394aa56136fbd27d0ce31d8a98e0f8ae72a4d2379b5dde83e211a2d5fa",
        src_eid: 30101,
        dst_eid: 30343,
        nonce: 162,
        guid: "0x5bfa61f1b406276287d8e207a12fbebc41e80dcefc0e03b927a197dc4ce3e3e",
        message: "0x0003000000000000000000000000000000000000013278caf57600000000000000000000000000000000",
      },
    },
    text: "<img src=x onerror=alert(1)> received a packet with number 162 from endpoint 30101 over LayerZero",
    icon: "bridge",
    title: "LayerZero packet received",
    values: [],
    accounts: [["oapp", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  layerzero_commit_packet: {
    details: {
      sender: ann,
      endpoint: "0:BA92D918248098831404784B68FB2FF4B7CF6567146C8FC34004236C98D6A2A4",
      uln: "0:54A466DAF8A8575471799B1187E06E2E68CC0E806B0547D3BE22FE64F5E86736",
      uln_connection: "0:54A466DAF8A8575471799B1187E06E2E68CC0E806B0547D3BE22FE64F5E86736",
      channel: "0:62056B0298CA16D840F7FB8ED420017589493426C8981EE76C0CA13454B15E78",
      msglib_connection: "0:54A466DAF8A8575471799B1187E06E2E68CC0E806B0547D3BE22FE64F5E86736",
      layerzero_packet_data: {
        src_oapp: "0x70037e28dd2535f6b31fe11109f075a4b3acb4a286480404cf0755c6b045caea",
        dst_oapp: "0x70037e28dd2535f6b31fe11109f075a4b3acb4a286480404cf0755c6b045caea",
        src_eid: 30343,
        dst_eid: 30343,
        nonce: 1,
        guid: "0xe7db0b36b8b81bcd2a22d087d69dd4ec7640c2bb358092ac9e7306b9a77601a9",
        message: "0x010000768700000000",
      },
    },
    text: "<img src=x onerror=alert(1)> committed a packet with number 1 from endpoint 30343 to LayerZero",
    icon: "bridge",
    title: "LayerZero packet committed",
    values: [],
    accounts: [["sender", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  layerzero_dvn_verify: {
    details: {
      initiator: ann,
      nonce: 125,
      status: "succeeded\u202e",
      dvn: pool,
      proxy: "0:04B9F9836004D7F53E52E01602D9C07C14CDF38B8A946B6E813CFEA8DE10927D",
      uln: "0:063BDFBF347F883DDBA72A200563570AF2DC72695B2B2FCCAAECD113688AC570",
      uln_connection: "0:2ED02651C800BEC3D3ECE7A43E475262605D7C390785E74AA740C6D31A89B7AE",
    },
    text: "<img src=x onerror=alert(1)> verified a packet with number 125 by EQDMzM…zDA5 of LayerZero, with the status “succeeded�”",
    icon: "bridge",
    title: "LayerZero packet verified",
    values: [],
    accounts: [
      ["initiator", ann, "<img src=x onerror=alert(1)>"],
      ["dvn", pool, null],
    ],
    failed: null,
  },
};
