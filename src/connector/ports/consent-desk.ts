import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Scope } from '../domain/scope.ts';

/** Request that a person is asked to decide on. */
export interface PendingConsent {
  clientName: string;
  /** Host that vouches for the client; undefined if only the client itself does. */
  vouchedBy: string | undefined;
  redirectUri: string;
  scopes: Scope[];
}

/** A person's approval of the request. */
export interface Approval {
  accountId: string;
  scopes: readonly Scope[];
}

/**
 * Connects the consent page with the authorization server; each call belongs to the browser's own authorization
 * request.
 */
export interface ConsentDesk {
  /**
   * Returns the request. Undefined if it is over or was begun in another browser; `client_gone` if it stands, but its
   * client is no longer known.
   */
  pending(req: IncomingMessage, res: ServerResponse): Promise<PendingConsent | 'client_gone' | undefined>;
  /** Keeps the request, because a signed-in person looks at it, however many others begin. */
  attend(req: IncomingMessage, res: ServerResponse, accountId: string): Promise<void>;
  /**
   * Grants the approved scopes that the client requested, and returns the browser's next URL. Without any scope it is a
   * denial.
   */
  approve(req: IncomingMessage, res: ServerResponse, approval: Approval): Promise<string>;
  deny(req: IncomingMessage, res: ServerResponse): Promise<string>;
}
