/** Whether a client's id says where it describes itself; those that we give have no colon. */
export const isDocumentAddress = (clientId: string): boolean => /^https:\/\//i.test(clientId);

/** The host that says who a client is; undefined for one that only says so itself. */
export const vouchingHost = (clientId: string): string | undefined =>
  isDocumentAddress(clientId) ? URL.parse(clientId)?.host : undefined;
