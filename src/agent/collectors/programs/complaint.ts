import { FailedCommandError, MissingProgramError } from '../../errors.ts';
import type { Host } from '../../host/host.ts';
import type { Command, CommandResult } from '../../host/run-command.ts';

/** Pattern of a program's error message -> remedy for the reader; the first match wins. */
export type Remedies = readonly (readonly [complaint: RegExp, remedy: string])[];

/** A program's error message (or its exit status), with the remedy if one is known. */
export function describeComplaint({ status, complaint }: CommandResult, remedies: Remedies): string {
  const what = complaint === '' ? `ended with status ${status}` : complaint;
  const remedy = remedies.find(([pattern]) => pattern.test(what))?.[1];
  return remedy === undefined ? what : `${what}: ${remedy}`;
}

/**
 * Runs a program whose section the configuration asks for, so a missing or failing program is an error with a remedy.
 * @param option configuration option that asks for the section
 * @throws FailedCommandError
 */
export async function runAskedFor(
  host: Host,
  command: Command,
  { option, remedies }: { option: string; remedies: Remedies },
): Promise<CommandResult> {
  let result: CommandResult;
  try {
    result = await host.runCommand(command);
  } catch (error) {
    if (!(error instanceof MissingProgramError)) throw error;
    throw new FailedCommandError(command.program, `is not installed: install it, or set ${option} to false`);
  }
  if (result.status === 0) return result;
  throw new FailedCommandError(command.program, `failed: ${describeComplaint(result, remedies)}`);
}
