import type { Subject } from '../ports/invalidations.ts';

/** Subjects of invalidations for records of the authorization server. A consent's key is the hash of its family. */
export const recordSubject = (kind: string, idHash: string): Subject => ['oauth', `${kind}/${idHash}`];
export const consentSubject = (grantHash: string): Subject => ['oauth', grantHash];
