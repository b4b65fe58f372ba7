/** An option that sets no resource of the table. @spec termprog#command-line-options */
export interface ProgramOption {
  /** Spellings with their dashes, the usual one first. */
  names: readonly string[];
  /** `word` takes the next argument, `rest` all that follow, `none` no argument. */
  argument: 'none' | 'word' | 'rest';
  metavar?: string;
  /** Its effect, in the words of `-help`. */
  doc: string;
}

/** The options beside those of the resource rows. @spec termprog#command-line-options */
export const termprogProgramOptions = [
  { names: ['-version', '--version'], argument: 'none', doc: 'print the version number' },
  { names: ['-help', '--help'], argument: 'none', doc: 'print this message' },
  { names: ['-display'], argument: 'word', metavar: 'displayname', doc: 'X server to contact' },
  { names: ['-name'], argument: 'word', metavar: 'string', doc: 'client instance, icon and title strings' },
  { names: ['-class'], argument: 'word', metavar: 'string', doc: 'application class string (default Term)' },
  { names: ['-xrm'], argument: 'word', metavar: 'resourcestring', doc: 'additional resource specification' },
  { names: ['-welcome'], argument: 'none', doc: 'analyse resources and fonts, suggest a readable setup' },
  {
    names: ['-self-test', '--self-test'],
    argument: 'none',
    doc: 'test what the terminal needs, and print a line for each',
  },
  { names: ['-e'], argument: 'rest', metavar: 'command args ...', doc: 'command to run; must be last' },
] as const satisfies readonly ProgramOption[];
