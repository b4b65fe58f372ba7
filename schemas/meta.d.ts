import 'zod';

declare module 'zod' {
  interface GlobalMeta {
    /** The option is accepted and has no effect in this version; a program warns once if it is set. */
    pending?: true | undefined;
    /** SIGHUP applies a change of this option, or of every option of this section; any other one waits for the next start. */
    soft?: true | undefined;
    /** It names a file with a secret: messages never repeat its value, and NixOS keeps the file out of the store. */
    secret?: true | undefined;
    /** Differences of the NixOS option: another type, or that it is left out. */
    nix?: { type?: string; hidden?: true } | undefined;
    /** An example value for the option reference. */
    example?: unknown;
  }
}
