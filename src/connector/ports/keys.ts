/** Keys of the database, valid until they are replaced. */
export interface Keys {
  /** Encrypts stored texts. */
  sealKey: Buffer;
  /** Earlier keys, which still open the texts that they encrypted, the newest first. */
  earlierSealKeys: readonly Buffer[];
  /** Sign the authorization server's cookies, newest first. */
  cookieKeys: string[];
  /** Private JWK that the authorization server's library needs. */
  signingKey: Record<string, unknown>;
}
