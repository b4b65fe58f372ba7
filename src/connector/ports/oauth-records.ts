/** One record of the authorization server; ids are hashes, the payload is text. */
export interface OauthRecord {
  idHash: string;
  uidHash: string | null;
  /** Identifies everything that one consent granted. */
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
  /** True for the first caller only; any other call destroys the whole family. */
  consume(kind: string, idHash: string): Promise<boolean>;
  destroy(kind: string, idHash: string): Promise<void>;
  destroyFamily(kind: string, grantHash: string): Promise<void>;
}
