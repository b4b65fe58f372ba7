import { IGNORED_SIGNALS_VARIABLE } from './ignored-signals.ts';
import { isLeftByOthers } from './left-variables.ts';
import { OPEN_FILES_VARIABLE } from './open-files-limit.ts';

/** Variable in which our launcher keeps the user's NODE_OPTIONS away from this program. */
const NODE_OPTIONS_VARIABLE = 'TERMPROG_NODE_OPTIONS';

/** Variables that our launcher adds. The user's own variables for Node stay, for the child's Node programs. */
const OWN: ReadonlySet<string> = new Set([OPEN_FILES_VARIABLE, IGNORED_SIGNALS_VARIABLE, NODE_OPTIONS_VARIABLE]);

/** Facts for the child's environment. */
export interface ChildFacts {
  termName: string;
  windowId: number;
  display: string;
  shell: string;
  /** Version of this program. */
  version: string;
}

/** Returns the child's environment as `NAME=value`; `TERM` is `termName`. @spec termprog#what-the-service-does */
export function childEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  { termName, windowId, display, shell, version }: ChildFacts,
): string[] {
  const kept = Object.entries(inherited).filter(
    ([name, value]) => value !== undefined && !OWN.has(name) && !isLeftByOthers(name, value),
  );
  const nodeOptions = inherited[NODE_OPTIONS_VARIABLE];
  const variables = {
    ...Object.fromEntries(kept),
    ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
    TERM: termName,
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'termprog',
    TERM_PROGRAM_VERSION: version,
    WINDOWID: `${windowId}`,
    DISPLAY: display,
    SHELL: shell,
  };
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}
