/** Keys for as long as the database lives. */
export interface Keys {
  /** Encrypts stored texts. */
  sealKey: Buffer;
  /** Sign the authorization server's cookies, newest first. */
  cookieKeys: string[];
  /** Private JWK that the authorization server's library needs. */
  signingKey: Record<string, unknown>;
}
