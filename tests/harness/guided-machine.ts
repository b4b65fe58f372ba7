import { readFileSync } from 'node:fs';
import { sojuDropIn } from '../../src/connector/install/share-soju.ts';
import type { SystemdContainer } from './nspawn.ts';
import { bootSystemd } from './systemd-container.ts';

/** Files whose text the guide shows. */
const SHOWN_FILES = ['/etc/soju/config', '/etc/homeport/connector.json'];

/** Beginning of a unit without the usual dependencies, which would bring up half a machine. */
const ALONE = '[Unit]\nDefaultDependencies=no\n';

export const SERVICE_GUIDE = readFileSync('docs/guides/connector-service.md', 'utf8');

/** The block of the guide that follows a file's path. */
function fileOf(path: string): string {
  const block = SERVICE_GUIDE.slice(SERVICE_GUIDE.indexOf(`\`${path}\``)).match(/```\w+\n(.*?)```/s);
  if (block === null) throw new Error(`the guide has no text for ${path}`);
  return block[1] ?? '';
}

/**
 * Needs `systemd containers`. A machine with the files that the guide to the service shows, before its commands.
 * @param isWholeMachine as for `bootSystemd`
 */
export async function bootGuidedMachine(isWholeMachine = false): Promise<SystemdContainer> {
  const container = await bootSystemd(
    { 'network-online.target': ALONE },
    {
      ...Object.fromEntries(SHOWN_FILES.map((path) => [path.slice(1), fileOf(path)])),
      ...Object.fromEntries(
        ['soju', 'homeport-connector'].map((name) => [`etc/systemd/system/${name}.service.d/alone.conf`, ALONE]),
      ),
      'etc/systemd/system/soju.service.d/homeport.conf': sojuDropIn,
      'etc/homeport/secrets/oidc': 'secret',
    },
    isWholeMachine,
  );
  const readable = ['/etc/soju', '/etc/systemd', '/etc/homeport/connector.json', '/etc/homeport'];
  try {
    await container.run('chmod', '-R', 'a+rX', ...readable);
    await container.run('chmod', '-R', 'go=', '/etc/homeport/secrets');
    await container.run('install', '-d', '-o', 'soju', '/var/lib/soju');
    await container.run('ip', 'link', 'set', 'lo', 'up');
  } catch (error) {
    await container[Symbol.asyncDispose]();
    throw error;
  }
  return container;
}
