/** The start of the year 2100: what the story leaves open stays open, whatever time a devnet has. */
export const farFuture = 4_102_444_800;
