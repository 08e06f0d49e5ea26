/** Why a devnet refuses the changes of callers behind a proxy that adds no header, by what shows it. */
export const unmarkedProxyRefusals = {
  oldHttp:
    "it came over HTTP/1.0, as from a proxy; send the key that the start printed, or set --devnet-key-required false",
  otherUser:
    "it came over another user's connection, or a proxy's; send the key that the start printed, start the devnet as that user, " +
    "or set --devnet-key-required false",
};
