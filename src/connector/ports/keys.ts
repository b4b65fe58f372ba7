/** Keys for as long as the database lives, or until they are replaced by newer ones. */
export interface Keys {
  /** Encrypts stored texts. */
  sealKey: Buffer;
  /** Those before it still open what they encrypted, the newest first. */
  earlierSealKeys: readonly Buffer[];
  /** Sign the authorization server's cookies, newest first. */
  cookieKeys: string[];
  /** Private JWK that the authorization server's library needs. */
  signingKey: Record<string, unknown>;
}
