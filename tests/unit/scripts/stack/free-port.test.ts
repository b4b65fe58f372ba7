import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../../scripts/stack/free-port.ts';

test('a port that this process has is not given again, even before a server listens there', async () => {
  const port = await freePort();

  expect(await freePort(first(port))).not.toBe(port);
});

test('a port on which a program listens is not given', async () => {
  const server = createServer().listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  expect(await freePort(first(port))).not.toBe(port);
  server.close();
});

test('a process that has a port ends when it has no other work, and the port is free again', async () => {
  const module = resolve('scripts/stack/free-port.ts');
  const script = `import { freePort } from ${JSON.stringify(module)}; console.log(await freePort());`;
  const port = Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));

  expect(await freePort(first(port))).toBe(port);
});

/** Tries this port first. */
function first(port: number): () => number {
  let tried = port;
  return () => tried++;
}
