import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Scope } from '../domain/scope.ts';

/** What a person is asked to decide. */
export interface PendingConsent {
  clientName: string;
  /** The host that says who the client is; undefined for one that only says so itself. */
  vouchedBy: string | undefined;
  redirectUri: string;
  scopes: Scope[];
}

/** What a person allows of it. */
export interface Approval {
  accountId: string;
  scopes: readonly Scope[];
}

/** Between the consent page and the authorization server; each call belongs to the browser's own authorization request. */
export interface ConsentDesk {
  /**
   * Undefined when the request is over or was begun in another browser; `client_gone` when it stands, but its client is not known
   * any more.
   */
  pending(req: IncomingMessage, res: ServerResponse): Promise<PendingConsent | 'client_gone' | undefined>;
  /** A person who is signed in looks at the request: it stays, however many others begin one. */
  attend(req: IncomingMessage, res: ServerResponse, accountId: string): Promise<void>;
  /** Grants those of the scopes that the client asks for, and returns where the browser goes on. None of them is a denial. */
  approve(req: IncomingMessage, res: ServerResponse, approval: Approval): Promise<string>;
  deny(req: IncomingMessage, res: ServerResponse): Promise<string>;
}
