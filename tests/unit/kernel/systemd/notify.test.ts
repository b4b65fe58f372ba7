import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { serviceManager } from '../../../../src/kernel/systemd/notify.ts';

const file = import.meta.filename;

test('where systemd does not ask, no module is loaded and no message sent', async () => {
  expect(await complaintsAt(undefined, '/nowhere/program')).toEqual([]);
  expect(await complaintsAt('', '/nowhere/program')).toEqual([]);
});

test('a message that does not arrive is a complaint with its remedy, and no failure', async () => {
  const remedy = 'where this lasts, give the unit Type=exec';
  expect(await complaintsAt('/nowhere/notify')).toEqual([
    `could not say READY=1 to systemd at /nowhere/notify: sendto: ENOENT; ${remedy}`,
  ]);
  expect(await complaintsAt('@nobody-listens-here')).toEqual([
    `could not say READY=1 to systemd at @nobody-listens-here: sendto: ECONNREFUSED; ${remedy}`,
  ]);
  const long = join('/', 'n'.repeat(107));
  expect(await complaintsAt(long)).toEqual([
    `could not say READY=1 to systemd at ${long}: its path is longer than 107 bytes; ${remedy}`,
  ]);
  const [withoutKoffi] = await complaintsAt('/nowhere/notify', '/nowhere/program');
  expect(withoutKoffi).toMatch(/^could not say READY=1 to systemd at \/nowhere\/notify: Cannot find module 'koffi'/);
});

test('a thousand messages leave the memory as the first ones did', async () => {
  // A process of its own: the memory of this one belongs to other tests, too.
  const script = `
    import { serviceManager } from './src/kernel/systemd/notify.ts';
    const manager = serviceManager({ notifySocket: '@nobody-listens-here', file: ${JSON.stringify(file)} }, () => undefined);
    const say = async (times) => { for (let left = times; left > 0; left -= 1) await manager.ready(); };
    await say(100);
    const before = process.memoryUsage.rss();
    await say(1_000);
    console.log(process.memoryUsage.rss() - before);
  `;
  const { stdout } = await execa(process.execPath, ['--input-type=module-typescript', '--eval', script]);

  // The growth is 100 MB if functions are declared anew for each message.
  expect(Number(stdout)).toBeLessThan(30_000_000);
});

/** Returns the complaints when systemd's socket is this one. */
async function complaintsAt(notifySocket: string | undefined, program = file): Promise<string[]> {
  const complaints: string[] = [];
  await serviceManager({ notifySocket, file: program }, (message) => complaints.push(message)).ready();
  return complaints;
}
