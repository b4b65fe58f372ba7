import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnTermprog, type XDesktop } from '../../harness/start-termprog.ts';
import type { Outcome } from './cases.ts';

/** Each case that waits for an answer in vain takes a second. */
const RUN_DEADLINE_MS = 540_000;

/** Version of the reference terminal whose checksums and reverse wrapping are expected. */
const XTERM_VERSION = '379';

/** esctest starts each case with a screen of 25 rows, which it can't ask for here. */
const terminalArgs = [...['-geometry', '80x25', '-xrm', '*allowWindowOps: true', '-xrm', '*disallowedWindowOps:']];

const esctestArgs = [
  '--expected-terminal=xterm',
  `--xterm-checksum=${XTERM_VERSION}`,
  `--xterm-reverse-wrap=${XTERM_VERSION}`,
  '--max-vt-level=4',
  '--options=xtermWinopsEnabled',
  '--no-print-logs',
];

/** Lines of its log that give the result of the case before. */
const verdicts: readonly (readonly [start: string, outcome: Outcome])[] = [
  ['Passed.', 'passes'],
  ['Fails as expected: ', 'skips'],
  ['Skipped because ', 'skips'],
  ['*** TEST ', 'fails'],
];

export interface EsctestRun {
  /** The folder that has `esctest/esctest.py`. */
  esctest: string;
  desktop: XDesktop;
  /** Seconds to wait for an answer. */
  timeoutSeconds: number;
  /** The only cases to run; all without it. */
  only?: readonly string[];
}

/** Runs esctest in termprog; case -> result. @throws Error when it did not reach its end */
export async function runEsctest({
  esctest,
  desktop,
  timeoutSeconds,
  only,
}: EsctestRun): Promise<Map<string, Outcome>> {
  const program = join(esctest, 'esctest', 'esctest.py');
  if (!existsSync(program)) throw new Error(`ESCTEST is ${esctest}, which has no esctest/esctest.py`);
  const logFile = join(desktop.folder, `esctest-${only?.length ?? 'all'}.log`);
  const include = only === undefined ? [] : [`--include=^(${only.map((name) => name.replace('.', '\\.')).join('|')})$`];
  const args = [...esctestArgs, `--timeout=${timeoutSeconds}`, `--logfile=${logFile}`, ...include];
  const terminal = spawnTermprog([...terminalArgs, '-e', 'python3', program, ...args], {
    ...desktop.environment,
    // Its folder may belong to another user.
    PYTHONDONTWRITEBYTECODE: '1',
  });
  const timer = setTimeout(() => void terminal.stop(), RUN_DEADLINE_MS);
  await terminal.ended;
  clearTimeout(timer);
  const log = existsSync(logFile) ? readFileSync(logFile, 'latin1') : '';
  if (!/^\*\*\* \d+ tests? passed, /m.test(log)) {
    throw new Error(`esctest did not come to its end\n${terminal.output()}\n${log.slice(-2000)}`);
  }
  return readLog(log);
}

function readLog(log: string): Map<string, Outcome> {
  const found = new Map<string, Outcome>();
  let name = '';
  for (const line of log.split('\n')) {
    const [, started] = /^Run test: (\S+)$/.exec(line) ?? [];
    if (started !== undefined) name = started;
    const [, outcome] = verdicts.find(([start]) => line.startsWith(start)) ?? [];
    if (outcome !== undefined) found.set(name, outcome);
  }
  return found;
}
