import type { CommandLine } from '../xresource/command-line.ts';

/** What a diagnosis starts with. */
export interface DiagnosisContext {
  commandLine: CommandLine;
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes to the standard error stream, while it has a reader. */
  complain(text: string): void;
  /** Prints a report; the exit status. */
  print(text: string): Promise<number>;
}
