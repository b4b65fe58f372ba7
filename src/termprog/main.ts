import { termprogResources, termprogThemes } from '../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../schemas/termprog/program-options.ts';
import { AppError, messageOf } from '../kernel/errors.ts';
import { VERSION } from '../kernel/version.ts';
import { selfTest } from './diagnosis/self-test/self-test.ts';
import { welcome } from './diagnosis/welcome/welcome.ts';
import { createTolerantWriter, oneLine } from './diagnostics.ts';
import { BadOptionError } from './errors.ts';
import { printText } from './print-text.ts';
import { inheritedIgnoredSignals } from './pty/ignored-signals.ts';
import { standardError } from './standard-error.ts';
import { start } from './start.ts';
import { parseCommandLine } from './xresource/command-line.ts';
import { createOptionTable } from './xresource/option-table.ts';
import { formatHelp, formatUsage } from './xresource/usage.ts';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The signals that request the end of a session. */
const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Node would open a port for its debugger, to any user of this machine. */
const DEBUGGER_SIGNAL = 'SIGUSR1';

const doNothing = (): void => {};

/**
 * Runs the terminal until its window is closed, or prints the requested text instead.
 * @returns the exit status
 */
export async function main(argv: readonly string[], environment: Environment): Promise<number> {
  const complain = createTolerantWriter(standardError);
  const stop = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<number>();
  const end = (): void => {
    stop.abort();
    resolve(0);
  };
  const ignored = inheritedIgnoredSignals(environment);
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!ignored.has(signal)) end();
  };
  for (const signal of END_SIGNALS) process.on(signal, onSignal);
  process.on(DEBUGGER_SIGNAL, doNothing);
  const ended = run(argv, environment, { complain, stop: stop.signal }).catch((error: unknown) => {
    // Errors after the end of the connection are expected.
    if (!stop.signal.aborted) complain(describeFailure(error));
    return 1;
  });
  // A server that does not answer must not keep the program from ending.
  const status = await Promise.race([stopped, ended]);
  for (const signal of END_SIGNALS) process.off(signal, onSignal);
  process.off(DEBUGGER_SIGNAL, doNothing);
  return status;
}

async function run(
  argv: readonly string[],
  environment: Environment,
  { complain, stop }: { complain: (text: string) => void; stop: AbortSignal },
): Promise<number> {
  const commandLine = parseCommandLine(argv, createOptionTable(termprogResources, termprogProgramOptions));
  const print = (text: string): Promise<number> => printText(text, complain);
  const [request] = commandLine.requests;
  if (request === '-help') return print(formatHelp(termprogThemes, termprogProgramOptions));
  if (request === '-version') return print(`termprog ${VERSION}`);
  if (request === '-welcome') return welcome({ commandLine, environment, complain, print });
  if (request === '-self-test') return selfTest({ commandLine, environment, complain, print });
  return start({ commandLine, environment, complain, print, stop });
}

function describeFailure(error: unknown): string {
  if (error instanceof BadOptionError) {
    return `termprog: ${oneLine(error.message)}\n\n${formatUsage(termprogResources, termprogProgramOptions)}\n`;
  }
  const text =
    error instanceof AppError || !(error instanceof Error) ? oneLine(messageOf(error)) : (error.stack ?? error.message);
  return `termprog: ${text}\n`;
}
