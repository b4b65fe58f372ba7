/** Encrypts what must be read again, and notices when it was changed or moved to another place. */
export interface Seal {
  /** @param place what the text belongs to; the same must be given to `open` */
  close(text: string, place: string): string;
  /** @throws Error when the key, the place or the content is not the same */
  open(sealed: string, place: string): string;
}
