import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../../src/connector/store/database.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { emptyTarget, startMove } from '../../harness/move.ts';
import { RECORDED, RECORDINGS } from '../../harness/recorded-database.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('a move whose last transaction is stored without its hearing of that ends well when it is run again', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'moved.db');
  const from = join(RECORDINGS, '0017', 'sqlite');
  await writeFile(file, gunzipSync(await readFile(join(from, RECORDED.database))), { mode: 0o600 });
  await migrateDatabase({ sqlite: { file } }, systemClock);
  const keysFile = join(folder.path, 'keys.json');
  await copyFile(join(from, RECORDED.keys), keysFile);
  await chmod(keysFile, 0o600);
  const configFile = await lonelyConfig(folder.path, { keysFile });
  const server = inject('postgres');
  await using target = await emptyTarget();
  const { port, database, user } = target.config.postgres ?? { port: 0, database: '', user: '' };
  const name = `.s.PGSQL.${port}`;
  using _proxy = await forgetfulProxy(join(folder.path, name), join(server?.host ?? '', name));

  const first = await startMove(
    configFile,
    `sqlite:${file}`,
    `postgres://${user}@${encodeURIComponent(folder.path)}:${port}/${database}`,
  );
  expect(first.exitCode).not.toBe(0);
  const second = await startMove(configFile, `sqlite:${file}`, target.url);

  expect(second.exitCode).toBe(0);
  expect(second.stdout).toContain('the same on both sides');
});

/** Stands before the server's socket and drops the answer to the last commit of a move. */
async function forgetfulProxy(path: string, upstreamPath: string): Promise<Disposable> {
  let isLast = false;
  const proxy = createServer((client) => {
    const upstream = connect(upstreamPath);
    let isLost = false;
    client.on('data', (chunk) => {
      if (chunk.includes('drop table "unfinished_move"')) isLast = true;
      if (isLast && chunk.includes('COMMIT')) [isLost, isLast] = [true, false];
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => void (isLost ? client.destroy() : client.write(chunk)));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(path, resolve));
  return { [Symbol.dispose]: () => void proxy.close() };
}
