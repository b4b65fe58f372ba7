import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { StartError } from '../../../../src/kernel/errors.ts';
import { closeServer, listenUnix } from '../../../../src/kernel/http/listen.ts';
import { createLog } from '../../../../src/kernel/log.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const log = createLog('test', 'error');
const newServer = () => createServer((_, response) => response.end('here'));

test('a server answers at a Unix socket everybody may connect to, and removes it at its end', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'socket');
  const server = newServer();

  await listenUnix(server, path, { option: 'listen.unix', log });

  expect(await get(path)).toBe('here');
  expect(statSync(path).mode & 0o777).toBe(0o666);
  await closeServer(server, 1000);
  expect(existsSync(path)).toBe(false);
});

test('a socket that a killed process left is replaced', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'socket');
  const listening = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 9))`;
  await execa(process.execPath, ['-e', listening], { reject: false });
  expect(statSync(path).isSocket()).toBe(true);

  const server = newServer();
  await listenUnix(server, path, { option: 'listen.unix', log });

  expect(await get(path)).toBe('here');
  await closeServer(server, 1000);
});

test('a socket in use and a file that is not a socket are left alone', async () => {
  await using folder = await tempFolder();
  const [path, file] = [join(folder.path, 'socket'), join(folder.path, 'file')];
  const first = newServer();
  await listenUnix(first, path, { option: 'listen.unix', log });
  writeFileSync(file, 'precious');

  for (const taken of [path, file]) {
    const refused = listenUnix(newServer(), taken, { option: 'listen.unix', log });
    await expect(refused).rejects.toThrow(`${taken} is in use by another program or no socket`);
    await expect(refused).rejects.toBeInstanceOf(StartError);
  }

  expect(await get(path)).toBe('here');
  expect(statSync(file).size).toBe(8);
  await closeServer(first, 1000);
});

test('a missing directory is reported with the option', async () => {
  await expect(listenUnix(newServer(), '/nowhere/socket', { option: 'agent.listen.unix', log })).rejects.toThrow(
    /^could not listen at \/nowhere\/socket: .*: choose another agent\.listen\.unix$/,
  );
});

function get(socketPath: string) {
  return new Promise<string>((resolve, reject) => {
    request({ socketPath, path: '/' }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
  });
}
