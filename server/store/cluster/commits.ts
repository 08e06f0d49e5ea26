/** Number of the advisory lock that writers of a divided index hold while its nodes commit. */
export const commitLock = 7_461_010;

/** The sequence that has the version of the last commit of a divided index that has begun. Others have none. */
export const commitSequence = "index_commits";

/** Whether the index is divided among the nodes of a Citus cluster. */
export const isDividedSql = `to_regclass('${commitSequence}') is not null`;
