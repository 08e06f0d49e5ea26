/** Requests to Telegram's wallet, which begin with a signature and are read before a body's first 32 bits are its opcode. */
export const tgWallet = `
tg_wallet_signed signature:bits512 request:TgWalletRequest = TgWalletSigned

tg_wallet_send_one_internal#63896e74 _:TgWalletLimits _:TgWalletMessage = TgWalletRequest
tg_wallet_send_one_external#63896e75 _:TgWalletLimits _:TgWalletMessage = TgWalletRequest
tg_wallet_send_bulk_internal#73896e74 _:TgWalletLimits messages_count:uint8 messages:(Chunks messages_count TgWalletItem) = TgWalletRequest
tg_wallet_send_bulk_internal#73896e74 _:TgWalletLimits messages_count:uint8 first_chunk:?^Cell = TgWalletRequest
tg_wallet_send_bulk_external#73896e75 _:TgWalletLimits messages_count:uint8 messages:(Chunks messages_count TgWalletItem) = TgWalletRequest
tg_wallet_send_bulk_external#73896e75 _:TgWalletLimits messages_count:uint8 first_chunk:?^Cell = TgWalletRequest
tg_wallet_change_key_internal#fbba99c7 _:TgWalletLimits _:TgWalletNewKey = TgWalletRequest
tg_wallet_change_key_external#fbba99c8 _:TgWalletLimits _:TgWalletNewKey = TgWalletRequest

_ subwallet_id:uint32 valid_until:uint32 seqno:uint32 = TgWalletLimits
_ send_mode:uint8 message:^MessageRelaxed = TgWalletMessage
tg_wallet_message_to_send send_mode:uint8 message:^MessageRelaxed = TgWalletItem
_ new_public_key:bits256 rotation_signature:^bits512 encrypted_old_private_key:^bits256 = TgWalletNewKey
_ new_public_key:bits256 rotation_signature:^bits512 = TgWalletNewKey
`;

/** What it logs when its key changes. Both opcodes are in use: by the deployed code, and by its published sources. */
export const tgWalletLogs = `
tg_wallet_key_changed#eba19948 encrypted_old_private_key:bits256
tg_wallet_key_changed#5d1cd02f encrypted_old_private_key:bits256
`;
