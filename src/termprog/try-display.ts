import { hostname } from 'node:os';
import { join } from 'node:path';
import { DisplayUnavailableError } from './errors.ts';
import { homeFolder, readFile } from './host-facts.ts';
import { connectToDisplay } from './x11/open-display.ts';
import type { XConnection } from './x11/x-connection.ts';
import type { CommandLine } from './xresource/command-line.ts';

/** Returns the connection, or the reason for its absence: a report does not need one. */
export async function tryDisplay({
  commandLine: { display },
  environment,
}: {
  commandLine: Pick<CommandLine, 'display'>;
  environment: Readonly<Record<string, string | undefined>>;
}): Promise<XConnection | DisplayUnavailableError> {
  const displayName = display || environment['DISPLAY'];
  if (!displayName) {
    return new DisplayUnavailableError('no X server is named: set DISPLAY or use -display, such as -display :0');
  }
  const authorityFile = readFile(environment['XAUTHORITY'] || join(homeFolder(environment), '.Xauthority'));
  return connectToDisplay({ displayName, hostName: hostname(), authorityFile }).catch(unavailability);
}

/** Returns the error that reports a missing server; throws any other. */
export function unavailability(error: unknown): DisplayUnavailableError {
  if (error instanceof DisplayUnavailableError) return error;
  throw error;
}
