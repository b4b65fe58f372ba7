import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Scope } from '../domain/scope.ts';

/** What a person is asked to decide. */
export interface PendingConsent {
  clientName: string;
  redirectUri: string;
  scopes: Scope[];
}

/** Between the consent page and the authorization server; each call belongs to the browser's own authorization request. */
export interface ConsentDesk {
  /** Undefined when the request is over or was begun in another browser. */
  pending(req: IncomingMessage, res: ServerResponse): Promise<PendingConsent | undefined>;
  /** Grants what is pending and returns where the browser goes on. */
  approve(req: IncomingMessage, res: ServerResponse, accountId: string): Promise<string>;
  deny(req: IncomingMessage, res: ServerResponse): Promise<string>;
}
