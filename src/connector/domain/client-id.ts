/** Longest address that is a client's id: together with the other columns it fits into an index of PostgreSQL. */
export const CLIENT_ID_MAX_BYTES = 2_048;

/** Whether a client's id is the address of its document; ids that this service assigns have no colon. */
export const isDocumentAddress = (clientId: string): boolean => /^https:\/\//i.test(clientId);

/** The host that vouches for a client's name; undefined if only the client itself gave it. */
export const vouchingHost = (clientId: string): string | undefined =>
  isDocumentAddress(clientId) ? URL.parse(clientId)?.host : undefined;
