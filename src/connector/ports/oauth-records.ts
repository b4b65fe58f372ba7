/** One record of the authorization server; ids are hashes, the payload is text. */
export interface OauthRecord {
  idHash: string;
  uidHash: string | null;
  /** The family of what one consent gave. */
  grantHash: string | null;
  payload: string;
  expiresAt: number | null;
}

export interface OauthRecords {
  save(kind: string, record: OauthRecord): Promise<void>;
  find(
    kind: string,
    by: { idHash: string } | { uidHash: string },
  ): Promise<{ payload: string; consumedAt: number | null } | undefined>;
  /** True for exactly one caller; for any other the whole family is destroyed. */
  consume(kind: string, idHash: string): Promise<boolean>;
  destroy(kind: string, idHash: string): Promise<void>;
  destroyFamily(kind: string, grantHash: string): Promise<void>;
}
