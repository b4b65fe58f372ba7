import { parseArgs } from 'node:util';

export interface DemoOptions {
  check: boolean;
  readyFile: string | undefined;
}

export const USAGE = `usage: npm start [-- OPTION...]

Runs the whole appliance on this machine's loopback address until Ctrl-C: a real IRC server and bouncer,
the connector with its sign-in, the agent, and a terminal window. Data lives in a private folder that is
removed at the end.

  --check            play the main job of each program as an outside client, print what was proved, end
  --ready-file FILE  write addresses, tokens and process ids to FILE (mode 0600) once all is ready
  --help             print this text`;

/** @throws Error with one line when the words are not understood; undefined when only help was asked for */
export function parseOptions(args: readonly string[]): DemoOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean' }, 'ready-file': { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return undefined;
  return { check: values.check === true, readyFile: values['ready-file'] };
}
