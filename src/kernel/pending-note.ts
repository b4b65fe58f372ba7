/** What the description of an option says that is accepted and has no effect yet. */
export const PENDING_NOTE = 'Accepted, without effect in this version.';
