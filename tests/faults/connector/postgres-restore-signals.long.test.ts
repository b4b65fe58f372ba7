import { copyFile, mkdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, inject, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { runBackupCommand } from '../../harness/backup.ts';
import { connectedTo, emptyTarget, movableInstallation } from '../../harness/move.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { fileDatabase } from '../../harness/test-database.ts';

test('a restore that a signal reaches when its rows are stored comes to its end and says that it is done', async () => {
  await using own = await movableInstallation();
  await own.renew();
  await using folder = await tempFolder();
  await using server = await emptyTarget();
  const { port = 0, ...choice } = server.config.postgres ?? {};
  const name = `.s.PGSQL.${port}`;
  using proxy = await holdingProxy(join(folder.path, name), join(inject('postgres')?.host ?? '', name));
  const from = await own.configIn('from', { database: fileDatabase(own.file).config });
  const to = await own.configIn('to', { database: { postgres: { ...choice, port, host: folder.path } } });
  for (const each of ['from', 'to']) {
    await mkdir(join(own.folder, each, 'state'), { mode: 0o700 });
    await copyFile(join(own.folder, 'keys.json'), join(own.folder, each, 'state', 'keys.json'));
  }
  const backup = join(folder.path, 'backup');
  expect(await runBackupCommand(from, 'backup', '--to', backup)).toMatchObject({ exitCode: 0 });

  const [program, ...args] = connectorCommand(to, 'restore');
  const command = execa(program, [...args, '--from', backup], { reject: false });
  let hasEnded = false;
  void command.then(() => {
    hasEnded = true;
  });
  await waitFor('its rows are stored', () => hasEnded || proxy.hasCommitted());
  let said = '';
  command.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  command.kill('SIGTERM');
  await waitFor('it has noticed the signal', () => hasEnded || said !== '');
  proxy.release();

  const { exitCode, stdout, stderr } = await command;
  expect(stderr).toContain('wait for the result');
  expect(stderr).not.toContain('as it was');
  expect(stdout).toContain('restored: the state of');
  expect(exitCode).toBe(0);
  await using there = await connectedTo(server);
  expect(await there.database('accounts').pluck('account_id')).not.toEqual([]);
});

/** Stands before the server's socket and holds back the answer to the commit of the restored rows. */
async function holdingProxy(path: string, upstreamPath: string): Promise<HoldingProxy> {
  const held: (() => void)[] = [];
  let hasCommitted = false;
  const proxy = createServer((client) => {
    const upstream = connect(upstreamPath);
    let isOfRows = false;
    let isHeld = false;
    client.on('data', (chunk) => {
      if (chunk.includes('update "slots"')) isOfRows = true;
      if (isOfRows && chunk.includes('COMMIT')) isHeld = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isHeld) return void client.write(chunk);
      [hasCommitted, isHeld, isOfRows] = [true, false, false];
      held.push(() => void client.write(chunk));
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(path, resolve));
  return {
    hasCommitted: () => hasCommitted,
    release: () => {
      for (const pass of held.splice(0)) pass();
    },
    [Symbol.dispose]: () => void proxy.close(),
  };
}

interface HoldingProxy extends Disposable {
  /** Whether the server has got the commit of the rows; its answer is held back. */
  hasCommitted(): boolean;
  /** Passes on what is held back. */
  release(): void;
}
