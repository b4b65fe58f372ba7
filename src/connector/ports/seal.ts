/** Encrypts texts, and detects changed texts or ones moved to another place. */
export interface Seal {
  /** @param place place that the text belongs to; `open` needs the same one */
  close(text: string, place: string): string;
  /** @throws Error if no key opens it, or the place or the content differs */
  open(sealed: string, place: string): string;
  /** Returns the text closed with the key that closes now; undefined if it is so already. @throws Error as `open` does */
  renew(sealed: string, place: string): string | undefined;
}
