import type { CommandLine } from '../xresource/command-line.ts';

/** The inputs of a diagnosis. */
export interface DiagnosisContext {
  commandLine: CommandLine;
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes to the standard error stream, while it has a reader. */
  complain(text: string): void;
  /** Prints a report and returns the exit status. */
  print(text: string): Promise<number>;
}
