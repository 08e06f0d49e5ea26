/** The start of the year 2100: deadlines in the story stay open regardless of a devnet's time. */
export const farFuture = 4_102_444_800;
