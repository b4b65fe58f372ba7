import { IGNORED_SIGNALS_VARIABLE } from './ignored-signals.ts';
import { OPEN_FILES_VARIABLE } from './open-files-limit.ts';

/** Variables that another terminal sets for its children; they describe that terminal, not this one. */
const STALE = ['TERMCAP', 'COLUMNS', 'LINES', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION'];

/** Variables that our launcher adds. The user's own variables for Node stay, for the child's Node programs. */
const OWN = [OPEN_FILES_VARIABLE, IGNORED_SIGNALS_VARIABLE];

/** The child's environment as `NAME=value`; `TERM` is what `termName` says. @spec termprog#what-the-service-does */
export function childEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  { termName, windowId, display, shell }: { termName: string; windowId: number; display: string; shell: string },
): string[] {
  const dropped = new Set([...STALE, ...OWN]);
  const kept = Object.entries(inherited).filter(([name, value]) => value !== undefined && !dropped.has(name));
  const variables = {
    ...Object.fromEntries(kept),
    TERM: termName,
    WINDOWID: `${windowId}`,
    DISPLAY: display,
    SHELL: shell,
  };
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}
