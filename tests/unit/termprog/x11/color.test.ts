import { expect, test } from 'vitest';
import { resolveColor } from '../../../../src/termprog/x11/color.ts';
import { startLibraryServer } from './library-server.ts';

test('a colour name that no request can carry is unknown', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  let pieces = 0;
  server.sockets[0]?.on('data', () => {
    pieces += 1;
  });

  // The last one has a letter whose lowest eight bits are those of "d".
  const names = ['f'.repeat(256), 'f'.repeat(70_000), 'f'.repeat(300_000), 'reŤ'];
  const found = await Promise.all(names.map((name) => resolveColor(connection, name)));

  expect(found).toEqual(names.map(() => undefined));
  expect(pieces).toBe(0);
});
