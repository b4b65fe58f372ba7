/** A person as the identity provider knows them. */
export interface Identity {
  issuer: string;
  subject: string;
  login: string;
}

/** Values to remember between leaving for the identity provider and coming back. */
export interface SignInAttempt {
  state: string;
  /** Returned in the ID token, by providers that issue one. */
  nonce: string;
  codeVerifier: string;
}

export interface IdentityProvider {
  /** @throws ConnectorError identity_provider_unreachable */
  start(): Promise<{ url: string; attempt: SignInAttempt }>;
  /** @throws ConnectorError sign_in_failed, identity_provider_unreachable */
  finish(callbackUrl: URL, attempt: SignInAttempt): Promise<Identity>;
}
