/** Typed access to resolved resources by name. Tests record the names to find rows that nothing reads. */
export interface ResourceReader {
  text(name: string): string | undefined;
  required(name: string): string;
  boolean(name: string): boolean;
  number(name: string): number;
  /** The value's bytes as the source had them; those of other values are UTF-8. */
  bytes(name: string): Uint8Array;
}
