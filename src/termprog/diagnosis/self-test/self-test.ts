import { messageOf } from '../../../kernel/errors.ts';
import { VERSION } from '../../../kernel/version.ts';
import { configure, NO_SERVER } from '../../configuration.ts';
import { oneLine } from '../../diagnostics.ts';
import { DisplayUnavailableError } from '../../errors.ts';
import { readServerResources } from '../../server-resources.ts';
import { tryDisplay } from '../../try-display.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { DiagnosisContext } from '../diagnosis-context.ts';
import { type Check, type Finding, failed, type SelfTestContext } from './check.ts';
import { display as serverCheck } from './display.ts';
import { checks } from './index.ts';

/** Time limit of a check; all run at the same time. */
const CHECK_MAX_MS = 5_000;

/** Columns of the verdict and the name. */
const VERDICT_COLUMNS = 8;
const NAME_COLUMNS = 19;

/** Checks the terminal's prerequisites, and prints a line for each. @returns 1 when a check failed */
export async function selfTest(context: DiagnosisContext): Promise<number> {
  const display = connect(context);
  const complaints: string[] = [];
  const complain = (line: string): void => void complaints.push(line.trim().replace(/^termprog: \w+: /, ''));
  const serverResources = display.then(readServerResources);
  const configuration = serverResources
    // The server's line reports the failure; the other checks take the configuration without a server.
    .catch(() => NO_SERVER)
    .then((server) => configure({ ...context, complain }, server));
  const looked: SelfTestContext = {
    environment: context.environment,
    display,
    serverResources,
    configuration,
    complaints,
  };
  const findings = await Promise.all(checks.map(async (check) => ({ check, finding: await look(check, looked) })));
  void display.then(
    (connection) => connection.close(),
    () => {
      // There is no connection to close.
    },
  );
  const lines = findings.map(({ check, finding }) => lineOf(check, finding));
  const hasFailed = findings.some(({ finding }) => finding.verdict === 'failed');
  const status = await context.print([`termprog ${VERSION} self-test`, ...lines].join('\n'));
  return hasFailed ? 1 : status;
}

/** @throws DisplayUnavailableError without a server */
async function connect(context: DiagnosisContext): Promise<XConnection> {
  const display = await tryDisplay(context);
  if (display instanceof Error) throw display;
  // A check that waits for an answer has its own deadline, and reports a server that ends.
  display.listen({ onEvent: () => {}, onError: () => {}, onEnd: () => {} });
  return display;
}

/** Returns the result of a check, or that it took too long. */
async function look(check: Check, context: SelfTestContext): Promise<Finding> {
  const deadline = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<Finding>();
  const timer = setTimeout(() => {
    resolve(failed(`no result within ${CHECK_MAX_MS / 1_000} seconds`));
    deadline.abort();
  }, CHECK_MAX_MS);
  try {
    return await Promise.race([Promise.resolve(check.look(context, deadline.signal)), late]);
  } catch (error) {
    // The server's own line already reports it.
    const isRepeated = error instanceof DisplayUnavailableError && check !== serverCheck;
    return failed(isRepeated ? 'there is no X server to ask' : messageOf(error));
  } finally {
    clearTimeout(timer);
  }
}

function lineOf({ name }: Check, { verdict, text }: Finding): string {
  return `${verdict.padEnd(VERDICT_COLUMNS)}${name.padEnd(NAME_COLUMNS)}${oneLine(text)}`;
}
