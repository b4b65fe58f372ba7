/** Encrypts texts, and notices when one was changed or moved to another place. */
export interface Seal {
  /** @param place where the text belongs; `open` must get the same one */
  close(text: string, place: string): string;
  /** @throws Error when no key opens it, or the place or the content is not the same */
  open(sealed: string, place: string): string;
  /** The same text closed with the newest key; undefined where it is that already. @throws Error as `open` does */
  renew(sealed: string, place: string): string | undefined;
}
