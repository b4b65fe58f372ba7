/** Typed access to resolved resources by name. Tests record the names to find rows that are never read. */
export interface ResourceReader {
  text(name: string): string | undefined;
  required(name: string): string;
  boolean(name: string): boolean;
  number(name: string): number;
  /** Returns the value's bytes as in the source, or as UTF-8. */
  bytes(name: string): Uint8Array;
}
