import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { AGENT_TOKEN } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Writes the configuration of each service with a free port; returns its path. */
const services: Record<string, (folder: string) => Promise<string>> = {
  'homeport-agent': async (folder) => {
    const [file, tokenFile] = [join(folder, 'agent.json'), join(folder, 'token')];
    await writeFile(tokenFile, AGENT_TOKEN, { mode: 0o600 });
    await writeFile(file, JSON.stringify({ agent: { tokenFile, listen: { port: await freePort() } } }));
    return file;
  },
  'homeport-connector': async (folder) => lonelyConfig(folder, { listen: { port: await freePort() } }),
};

interface Starting {
  process: ManagedProcess;
  /** Gives the configuration to the program, which waits for it. @param before runs when it waits */
  feed(before?: () => void): Promise<void>;
}

for (const name of Object.keys(services)) {
  test(`SIGHUP while ${name} starts is a reload as soon as it serves`, async () => {
    await using folder = await tempFolder();
    const { process, feed } = await start(name, folder.path);
    await feed(() => process.kill('SIGHUP'));
    await waitFor('it has reloaded', () => process.output().includes('configuration reloaded'), { process });
    await process.stop();

    expect(process.output().match(/"(listening|ready|configuration reloaded|ending)"/g)).toEqual([
      expect.stringMatching(/listening|ready/),
      '"configuration reloaded"',
      '"ending"',
    ]);
    expect(await process.ended).toEqual({ exitCode: 0, signal: undefined });
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} while ${name} starts ends it with status 0`, async () => {
      await using folder = await tempFolder();
      const { process, feed } = await start(name, folder.path);
      await feed(() => process.kill(signal));

      expect(await process.ended).toEqual({ exitCode: 0, signal: undefined });
    });
  }
}

/** Starts a service that reads its configuration from a pipe, so that a signal can come while it starts. */
async function start(name: string, folder: string): Promise<Starting> {
  const text = await readFile((await services[name]?.(folder)) ?? '', 'utf8');
  const pipe = join(folder, 'pipe');
  await execa('mkfifo', [pipe]);
  const process = startProcess({ name, command: [`bin/${name}`, 'run', '--config', pipe] });
  const feed = async (before?: () => void): Promise<void> => {
    // Opens when the program has opened it, too.
    const writer = await open(pipe, 'w');
    before?.();
    // A reload takes regular files only.
    const file = join(folder, 'file');
    await writeFile(file, text, { mode: 0o600 });
    await rename(file, pipe);
    await writer.writeFile(text);
    await writer.close();
  };
  return { process, feed };
}
