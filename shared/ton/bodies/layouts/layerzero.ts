/**
 * LayerZero: objects in the parameters of calls. Each begins with its name, the types of its members (18 bits each),
 * and ones for the missing members up to 15.
 */
export const layerzeroLayouts = `
_ name:uint80=119272640966244 members:uint180=582890735024998957421269964955452773563747974476099581 unused:uint90=1237940039285380274899124223 send_request_id:uint64 manager:uint256 msglib:uint256 packet:^LzPacket options:^Cell fees:^[connection:uint256 native_fee:uint128 zro_fee:uint128 rest:Cell] rest:Cell = LzSend
_ name:uint80=88379210032500 members:uint72=2730056479709093299835 unused:uint198=401734511064747568885490523085290650630550748445698208825343 nonce:uint64 guid:uint256 path:^LzPath message:^Cell rest:Cell = LzPacket
_ name:uint80=1885434984 members:uint72=1501022839436485724795 unused:uint198=401734511064747568885490523085290650630550748445698208825343 src_eid:uint32 src_oapp:uint256 dst_eid:uint32 dst_oapp:uint256 rest:Cell = LzPath
_ name:uint80=559110610377599366755699 members:uint36=26137675387 unused:uint234=27606985387162255149739023449108101809804435888681546220650096895197183 nonce:uint64 status:uint32 rest:Cell = LzVerification

layerzero_sent#a2b5fbae md:^[callback:^[send:^LzSend rest:Cell] rest:Cell]
layerzero_received#0c7b8418 md:^[packet:^LzPacket rest:Cell]
layerzero_committed#5388cd88 md:^[packet:^LzPacket rest:Cell]
layerzero_verified#3cb38090 md:^[verification:^LzVerification rest:Cell]
`;
