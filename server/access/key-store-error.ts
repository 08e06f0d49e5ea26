/** A key command failed; the message is shown to the user without a stack. */
export class KeyStoreError extends Error {}
