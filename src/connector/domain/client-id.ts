/** Of an address that is a client's id: with the rest of what it is stored with it fits into an index of PostgreSQL. */
export const CLIENT_ID_MAX_BYTES = 2_048;

/** Whether a client's id says where it describes itself; those that we give have no colon. */
export const isDocumentAddress = (clientId: string): boolean => /^https:\/\//i.test(clientId);

/** The host that says who a client is; undefined for one that only says so itself. */
export const vouchingHost = (clientId: string): string | undefined =>
  isDocumentAddress(clientId) ? URL.parse(clientId)?.host : undefined;
