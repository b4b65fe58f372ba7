import type { Subject } from '../ports/invalidations.ts';

/** What the authorization server keeps, as it is told when it changes. A consent has the hash of its family. */
export const recordSubject = (kind: string, idHash: string): Subject => ['oauth', `${kind}/${idHash}`];
export const consentSubject = (grantHash: string): Subject => ['oauth', grantHash];
