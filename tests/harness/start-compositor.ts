import { startProcess } from '../../scripts/stack/managed-process.ts';
import { requireProgram } from '../../scripts/stack/require-program.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { XDesktop } from './start-termprog.ts';
import { openTestConnection } from './test-connection.ts';

/** Starts a program that blends windows, and waits until others may know of it. */
export async function startCompositor(desktop: Pick<XDesktop, 'environment'>): Promise<AsyncDisposable> {
  await requireProgram('xcompmgr');
  const process = startProcess({ name: 'xcompmgr', command: ['xcompmgr', '-n'], env: { ...desktop.environment } });
  await using connection = await openTestConnection(desktop);
  const { x } = connection;
  const selection = await x.internAtom('_NET_WM_CM_S0');
  const owner = (): Promise<number> =>
    x.ask('the compositor', (client, reply) => client.GetSelectionOwner(selection, reply));
  await waitFor('the compositor tells that it is there', async () => (await owner()) !== 0, { process });
  return { [Symbol.asyncDispose]: () => process.stop() };
}
