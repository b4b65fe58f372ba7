import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { openConnection } from '../../../../src/connector/irc/irc-connection.ts';
import type { IrcLine } from '../../../../src/connector/irc/line.ts';
import { ALWAYS, type Permit } from '../../../../src/connector/irc/permit.ts';

let server: Server;
let peers: Socket[];

beforeEach(async () => {
  peers = [];
  server = createServer((socket) => peers.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterEach(async () => {
  for (const peer of peers) peer.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('forbidden bytes are left out of a line, with packets cut at any place', async () => {
  const { lines, peer, connection } = await connected();

  for (const byte of Buffer.from('PING :a\rb\0c\r\n\r\nPING :\u00e9\n')) {
    peer.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }

  await waitFor('both lines came', () => lines.length === 2);
  expect(lines.map(({ params }) => params)).toEqual([['abc'], ['\u00e9']]);
  connection.close();
});

test('a line that can’t be handled ends the connection alone', async () => {
  const { ended, peer } = await connected(() => {
    throw new Error('not to be dealt with');
  });

  peer.write('PING :x\r\n');

  await waitFor('it has ended', () => ended.length === 1);
  expect(ended).toEqual(['not to be dealt with']);
});

for (const [what, text] of [
  ['without end', 'x'.repeat(70_000)],
  ['of 70,000 characters', `${'x'.repeat(70_000)}\r\n`],
] as const) {
  test(`a line ${what} ends the connection, after the lines before it`, async () => {
    const { ended, lines, peer } = await connected();

    peer.write(`PING :before\r\n${text}`);

    await waitFor('it has ended', () => ended.length === 1);
    expect(ended).toEqual(['a line longer than 65536 characters']);
    expect(lines.map(({ params }) => params)).toEqual([['before']]);
  });
}

test('a peer that does not read gets no more bytes once a megabyte waits for it', async () => {
  const { connection, peer } = await connected();
  peer.pause();
  const line = 'x'.repeat(10_000);
  let written = 0;

  await waitFor('it takes nothing more', () => {
    for (let n = 0; n < 100; n += 1) {
      if (!connection.write(line)) return true;
      written += 1;
    }
    return false;
  });

  expect(written).toBeGreaterThanOrEqual(100);
  connection.close();
  expect(connection.write('x')).toBe(false);
});

/** A permit that the test takes back. */
function takenBack() {
  let isGiven = true;
  const told = new Set<() => void>();
  const permit: Permit = {
    isGiven: () => isGiven,
    onEnd: (ended) => {
      told.add(ended);
      return () => void told.delete(ended);
    },
  };
  return {
    permit,
    told,
    takeBack: () => {
      isGiven = false;
      for (const ended of [...told]) ended();
    },
  };
}

test('a process without its permit writes only questions, from the same turn on', async () => {
  const { permit, takeBack } = takenBack();
  const { connection, peer } = await connected(undefined, permit);
  let received = '';
  peer.on('data', (chunk) => {
    received += String(chunk);
  });

  expect(connection.write('PRIVMSG #room :while it is given')).toBe(true);
  await waitFor('it came', () => received.includes('given'));
  takeBack();
  const refused = [
    'PRIVMSG #room :late',
    '@label=1 PRIVMSG #room :late',
    'JOIN #room',
    'NICK late',
    'BOUNCERSERV :user update',
  ];
  for (const line of refused) expect([line, connection.write(line)]).toEqual([line, false]);
  for (const line of ['PING x', 'PONG x', 'WHOIS ada', '@label=1 CHATHISTORY AFTER #room']) {
    expect([line, connection.write(line)]).toEqual([line, true]);
  }

  await waitFor('the questions came', () => received.includes('CHATHISTORY'));
  expect(received).not.toMatch(/late|JOIN|user update/);
  connection.close();
});

test('lines that the other end has not taken when the permit ends never come there; a connection without any stays', async () => {
  const { permit, takeBack, told } = takenBack();
  const quiet = await connected(undefined, permit);
  const busy = await connected(undefined, permit);
  busy.peer.pause();
  const line = `PRIVMSG #room :${'x'.repeat(4_000)}`;
  while (busy.connection.write(line));

  takeBack();

  await waitFor('it has ended', () => busy.ended.length === 1);
  expect(quiet.ended).toEqual([]);
  expect(quiet.connection.write('PING x')).toBe(true);
  quiet.connection.close();
  await waitFor('nothing is kept of them', () => told.size === 0);
});

/** Connects, and records the lines and the end. */
async function connected(onLine: (line: IrcLine) => void = () => undefined, permit: Permit = ALWAYS) {
  const lines: IrcLine[] = [];
  const ended: (string | undefined)[] = [];
  const { port } = server.address() as AddressInfo;
  const connection = await openConnection(
    { host: '127.0.0.1', port },
    {
      onLine: (line) => {
        lines.push(line);
        onLine(line);
      },
      onClose: (error) => ended.push(error?.message),
    },
    permit,
  );
  const peer = await waitFor('the peer is there', () => peers.at(-1));
  return { connection, lines, ended, peer };
}
