/** How titles are written. */
export interface TitlePort {
  /** The locale is UTF-8. */
  readonly isUtf8Locale: boolean;
  /** Whether the properties that are UTF-8 by definition are written beside the older ones. */
  readonly writesUtf8: boolean;
  setWritesUtf8(isWritten: boolean): void;
}
