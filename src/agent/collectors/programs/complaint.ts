import { FailedCommandError, MissingProgramError } from '../../errors.ts';
import type { Host } from '../../host/host.ts';
import type { Command, CommandResult } from '../../host/run-command.ts';

/** What a program says -> what its reader can do about it; the first that fits. */
export type Remedies = readonly (readonly [complaint: RegExp, remedy: string])[];

/** What a program complained of, with the remedy. */
export function describeComplaint({ status, complaint }: CommandResult, remedies: Remedies): string {
  const what = complaint === '' ? `ended with status ${status}` : complaint;
  const remedy = remedies.find(([pattern]) => pattern.test(what))?.[1];
  return remedy === undefined ? what : `${what}: ${remedy}`;
}

/**
 * Runs a program whose section somebody asked for: without it, or when it fails, there is something to do.
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
