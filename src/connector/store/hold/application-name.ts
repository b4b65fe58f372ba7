/** Application name of this program's connections at the server, or its prefix. */
export const PROGRAM = 'homeport-connector';
/** Prefix of the name of those of a process that serves or waits. */
const NAME = `${PROGRAM} `;

export const applicationName = (processId: string): string => NAME + processId;

/**
 * Returns a condition on rows of `pg_stat_activity` that selects one process. Every role that may connect sees such a
 * name and can use it, but only roles that may take the slot run this program. A pooler may append its client's address
 * to the name.
 * @param processId as SQL
 */
export const ofProgram = (processId: string): string =>
  `datname = current_database() AND starts_with(application_name, '${NAME}' || ${processId})
   AND has_table_privilege(usesysid, 'slots', 'UPDATE')`;
