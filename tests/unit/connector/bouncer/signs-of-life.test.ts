import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSession } from '../../../../src/connector/bouncer/session.ts';
import type { BouncerEvents } from '../../../../src/connector/ports/bouncer-session.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const SECOND_MS = 1_000;
const PROBE_INTERVAL_MS = 60 * SECOND_MS;
/** Less than the silence after which a bouncer counts as gone. */
const STEP_MS = 5 * SECOND_MS;
/** Time for three probes. */
const FOR_PROBES_MS = 4 * PROBE_INTERVAL_MS;

const BY_BOB = 'time=2026-01-01T00:00:00.000Z :bob!b@host';

// The sockets are real.
beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);

afterEach(() => void vi.useRealTimers());

for (const [what, line] of [
  ['says in a channel', `@${BY_BOB} PRIVMSG #room :x`],
  ['says with the tag of a send', `@+homeport/id=seen;${BY_BOB} PRIVMSG #room :x`],
  ['writes to the account alone', `@${BY_BOB} PRIVMSG ada :x`],
  ['asks the programs of a channel', `@${BY_BOB} PRIVMSG #room :\u0001VERSION\u0001`],
  ['types', `@+typing=active;${BY_BOB} TAGMSG #room`],
  ['says in a channel that is not enabled', `@${BY_BOB} NOTICE #other :x`],
] as const) {
  test(`a server whose answers wait behind what another person ${what} does not hang`, async () => {
    expect(await lifeOf(line)).toEqual({ isProbed: true, isConnected: true, hasHung: false });
  });
}

for (const [what, line] of [
  ['nothing', undefined],
  ['an own line, which the bouncer may echo', '@time=2026-01-01T00:00:00.000Z :ada!a@host PRIVMSG #room :x'],
  ['the words of the bouncer', ':BouncerServ!b@host PRIVMSG ada :x'],
] as const) {
  test(`a server that leaves probes unanswered, and of which comes ${what}, hangs`, async () => {
    expect(await lifeOf(line)).toEqual({ isProbed: true, isConnected: null, hasHung: true });
  });
}

/** A server answers each probe with this line in place of an answer. */
async function lifeOf(line: string | undefined) {
  await using folder = await tempFolder();
  const path = join(folder.path, 'soju');
  const bouncer = await playSoju(path, line);
  let hasHung = false;
  const ignored = () => undefined;
  const events: BouncerEvents = {
    ...{ onLine: ignored, onReplayed: ignored, onReplayRefused: ignored, onSendRefused: ignored, onLeft: ignored },
    ...{ onUpstreamLost: ignored, onUpstreamFailed: ignored, onUpstreamConnected: ignored, onStrayed: ignored },
    ...{ onUpstreamRefused: ignored, onChanged: ignored, onClose: ignored },
    onUpstreamHung: () => {
      hasHung = true;
    },
  };
  const session = await openSession(
    {
      ...{ address: { path }, network: 'main', linesAs: 'main', isUnpaced: false, channels: ['#room'] },
      account: { user: { name: 'ada', password: 'secret', network: null }, nick: 'ada' },
      ...{ probeIntervalMs: PROBE_INTERVAL_MS, replayDeadlineMs: SECOND_MS },
    },
    events,
  );
  try {
    for (let ms = 0; ms < FOR_PROBES_MS; ms += STEP_MS) {
      await vi.advanceTimersByTimeAsync(STEP_MS);
      await bouncer.isHeard();
    }
    return { isProbed: bouncer.probes() > 2, isConnected: session.upstream, hasHung };
  } finally {
    session.close();
    bouncer.close();
  }
}

/** A bouncer with one client, whose network is connected. */
async function playSoju(path: string, line: string | undefined) {
  let socket: Socket | undefined;
  let probes = 0;
  let answered = (): void => undefined;
  const write = (text: string): void => void socket?.write(`${text}\r\n`);
  const answers: [RegExp, (match: RegExpExecArray) => void][] = [
    [/^CAP LS/, () => write(':b CAP * LS :message-tags server-time batch sasl soju.im/bouncer-networks')],
    [/^CAP REQ (\S+)/, ([, name = '']) => write(`:b CAP * ACK :${name}`)],
    [/^AUTHENTICATE PLAIN$/, () => write('AUTHENTICATE +')],
    [/^AUTHENTICATE /, () => write(':b 903 * :done')],
    [/^CAP END/, () => write(':b 001 ada :welcome\r\n:b BOUNCER NETWORK 1 name=main;state=connected')],
    [/^PING (.*)/, ([, word = '']) => write(`:b PONG b :${word}`)],
    [/^PONG /, () => answered()],
    [
      /^WHOIS /,
      () => {
        probes += 1;
        if (line !== undefined) write(line);
      },
    ],
  ];
  const take = (text: string): void => {
    const [known, answer] = answers.find(([words]) => words.test(text)) ?? [];
    const match = known?.exec(text);
    if (match != null) answer?.(match);
  };
  const server = createServer((connection) => {
    socket = connection;
    createInterface({ input: connection }).on('line', (text) => take(text.replace(' :', ' ')));
  }).listen(path);
  await once(server, 'listening');
  return {
    probes: () => probes,
    /** Resolves when the client has handled all lines so far, and the server all of the client's. */
    isHeard: () =>
      new Promise<void>((resolve) => {
        answered = resolve;
        write('PING :now');
      }),
    close: () => void server.close(),
  };
}
