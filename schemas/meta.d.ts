import 'zod';

declare module 'zod' {
  interface GlobalMeta {
    /** Accepted and without effect in this version: set, it is warned about once. */
    pending?: true | undefined;
    /** What the NixOS option differs in: its type, or that it is left out. */
    nix?: { type?: string; hidden?: true } | undefined;
    /** An example value for the option reference. */
    example?: unknown;
  }
}
