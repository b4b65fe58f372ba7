import 'zod';

declare module 'zod' {
  interface GlobalMeta {
    /** Accepted and without effect in this version: a program warns once when it is set. */
    pending?: true | undefined;
    /** SIGHUP applies a change of this option, or of every option of this section; any other one waits for the next start. */
    soft?: true | undefined;
    /** It names a file with a secret: what stands there is never repeated, and NixOS keeps the file out of the store. */
    secret?: true | undefined;
    /** What the NixOS option differs in: its type, or that it is left out. */
    nix?: { type?: string; hidden?: true } | undefined;
    /** An example value for the option reference. */
    example?: unknown;
  }
}
