import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Processor } from '../../../scripts/release/addons.ts';
import { buildPackages } from '../../../scripts/release/debian/build-packages.ts';
import { nodeParts } from '../../../scripts/release/debian/node-parts.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { type HomeportMachine, homeportOn } from '../../harness/debian-13/homeport.ts';
import { bootDebian, PACKAGES_INSIDE } from '../../harness/debian-container/boot.ts';
import type { Release } from '../../harness/debian-container/root.ts';
import { blocksOf } from '../../harness/guide-blocks.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Deadline of the preparation on a busy machine, including a root directory to be made. */
const PREPARATION_DEADLINE_MS = 1_800_000;

/** Names in the guides: the version of the packages, and their processor. */
const VERSION = '0.1.0';
const PROCESSOR = 'amd64';
const EPOCH = 1_700_000_000;
/** Exit status of a command that needs a configuration first. */
const EXIT_CONFIG = 78;

const capabilities: Capability[] = ['systemd containers', 'Debian containers'];
const machineTest = needs(...capabilities);

let folder: Awaited<ReturnType<typeof tempFolder>>;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  folder = await tempFolder();
  const processor = process.arch as Processor;
  await using parts = await nodeParts(processor);
  const target = join(folder.path, VERSION);
  mkdirSync(target);
  await buildPackages({ folder: target, processor, parts, epoch: EPOCH, version: VERSION, compression: 'none' });
}, PREPARATION_DEADLINE_MS);
afterAll(() => folder?.[Symbol.asyncDispose]());

describe.each([12, 13] as const)('on Debian %i', (release: Release) => {
  let machine: SystemdContainer;
  let homeport: HomeportMachine;

  beforeAll(async () => {
    if (!capabilities.every(has)) return;
    machine = await bootDebian(release, folder.path);
    homeport = homeportOn(machine);
    // A person answers apt's question by yes; there is no network for recommendations.
    const answers = 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n';
    await homeport.write('/etc/apt/apt.conf.d/answers', answers);
  }, PREPARATION_DEADLINE_MS);
  afterAll(() => machine?.[Symbol.asyncDispose]());

  /** Pastes a block of a guide into a shell of root's, in the folder of the packages; it answers a question for a secret. */
  const paste = (text: string) =>
    machine.attempt(
      'bash',
      '-euo',
      'pipefail',
      '-c',
      `cd ${PACKAGES_INSIDE}/${VERSION}\nexec <<<'a-secret-of-the-client'\n${text}`,
    );
  const follow = async (page: string, words: string): Promise<string> => {
    const { status, output, complaint } = await paste(block(page, words));
    if (status !== 0) throw new Error(`${page}, the block with ${words}: status ${status}\n${output}\n${complaint}`);
    return output;
  };

  machineTest('the guide to the agent, block by block, ends with a report over HTTP', async () => {
    await follow('agent-service.md', 'sudo apt install');
    await follow('agent-service.md', 'systemd-sysusers');

    const seen = await waitFor('the agent answers', () => follow('agent-service.md', '/v1/report'));

    expect(seen).toContain('Active: active (running)');
    expect(JSON.parse(seen.slice(seen.lastIndexOf('\n{') + 1))).toMatchObject({ failedUnits: [] });
  });

  machineTest(
    'the guide to the connector, block by block, ends with what the doctor finds, and an invitation',
    async () => {
      await follow('connector-service.md', 'sudo apt install');
      await homeport.write('/etc/soju/config', block('connector-service.md', 'message-store db', 'text'));
      expect(await follow('connector-service.md', 'share-soju')).toContain(
        'soju shares /run/soju/admin with the group',
      );

      const first = await paste(block('connector-service.md', 'install-units --dry-run'));
      expect(first).toMatchObject({ status: EXIT_CONFIG });
      expect(first.output).toContain('now fill in /etc/homeport/connector.json:');
      await homeport.write('/etc/homeport/connector.json', block('connector-service.md', '"ircChannels"', 'json'));
      await follow('connector-service.md', 'install -m 600 /dev/stdin');

      const looked = await waitFor('the service has made its database', async () => {
        const { output } = await paste(block('connector-service.md', ' doctor'));
        return output.includes('with the schema of this version') ? output : undefined;
      });
      expect(looked).toMatch(/^ok +soju admin socket/m);
      expect(await follow('connector-service.md', 'invite grace')).toContain('https://irc.example.org/settings');
    },
  );

  machineTest('the guides to backups and keys, block by block, bring the connector back', async () => {
    await follow('backup.md', 'mkdir -p -m 700 /backup');
    await follow('backup.md', 'install -m 600 /var/lib');
    const keys = await machine.run('cat', '/safe/keys.json');

    await follow('keys.md', 'systemctl restart homeport-connector');
    expect(await machine.run('cat', '/var/lib/homeport-connector/keys.json')).not.toBe(keys);
    await follow('backup.md', 'StateDirectory=homeport-connector homeport-connector-restore');

    await waitFor('it serves', async () => (await homeport.connectorStatus()) === '200');
    expect(await machine.run('cat', '/var/lib/homeport-connector/keys.json')).toBe(keys);
    await follow('backup.md', ' compact');
    await waitFor('it serves again', async () => (await homeport.connectorStatus()) === '200');
  });
});

/** Returns the one block of a guide that has these words. */
function block(page: string, words: string, language = 'sh'): string {
  const [found, ...others] = blocksOf(page, language).filter((text) => text.includes(words));
  if (found === undefined || others.length > 0) throw new Error(`${page}: not one ${language} with ${words}`);
  return found.replaceAll('_amd64.deb', `_${PROCESSOR}.deb`);
}
