/** TON Storage: providers and contracts. */
export const storage = `
torrent_info piece_size:uint32 file_size:uint64 root_hash:uint256 header_size:uint64 header_hash:uint256 microchunk_hash:?uint256 description:Cell = TorrentInfo

deploy_storage_contract#e4748df1 query_id info:^TorrentInfo merkle_hash:bits256 expected_rate:Coins expected_max_span:uint32
update_pubkey#53f34cd6 query_id new_pubkey:bits256
update_storage_params#54cbf19b query_id accept_new_contracts:Bool rate_per_mb_day:Coins max_span:uint32 minimal_file_size:uint64 maximal_file_size:uint64
offer_storage_contract#107c49ef query_id
accept_storage_contract#7a361688 query_id
storage_contract_confirmed#d4caedcd cur_lt:uint64 torrent_hash:bits256
close_storage_contract#79f937ea query_id
storage_contract_terminated#b6236d63 cur_lt:uint64 torrent_hash:bits256
storage_withdraw#46ed2e94 query_id
storage_reward_withdrawal#a91baf56 query_id
proof_storage#419d5d4d query_id file_dict_proof:^Cell
`;
