/** Variables of a terminal this program runs in, which say nothing about the terminal it is. */
const STALE = ['TERMCAP', 'COLUMNS', 'LINES', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION'];

/** What only this program's own runtime is told. */
const OWN = ['NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NODE_CHANNEL_FD', 'NODE_UNIQUE_ID'];

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
