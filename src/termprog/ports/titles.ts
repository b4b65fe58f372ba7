/** The encoding of titles. */
export interface TitlePort {
  /** Whether the locale's encoding is UTF-8. */
  readonly isUtf8Locale: boolean;
  /** Whether the properties that are UTF-8 by definition are written in addition to the older ones. */
  readonly writesUtf8: boolean;
  setWritesUtf8(isWritten: boolean): void;
}
