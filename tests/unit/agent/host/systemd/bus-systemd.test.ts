import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { BusCallError, BusUnreachableError } from '../../../../../src/agent/errors.ts';
import { BusSystemd, unitPath } from '../../../../../src/agent/host/systemd/bus-systemd.ts';
import {
  type BusBehaviour,
  encodeError,
  encodeReturn,
  encodeUnitList,
  type ReceivedCall,
  startFakeBus,
  stringVariant,
} from '../../../../harness/fake-bus.ts';

const now = () => ({ realtimeUs: 0, monotonicUs: 0 });

const failing =
  (...names: string[]) =>
  ({ serial }: ReceivedCall, socket: Socket): void =>
    void socket.write(encodeUnitList(serial, names));

/** A bus that answers may take its time; one that never does is given up after this. */
const [ANSWER_MS, SILENCE_MS] = [60_000, 200];

test('failed units are asked for in one call over one connection that is kept', async () => {
  const calls: ReceivedCall[] = [];
  const onCall = (call: ReceivedCall, socket: Socket) => {
    calls.push(call);
    failing('a.service', 'b\\x2d.mount')(call, socket);
  };

  await withBus({ onCall }, async (systemd, connections) => {
    expect(await systemd.failedUnits()).toEqual(['a.service', 'b\\x2d.mount']);
    expect(await systemd.failedUnits()).toEqual(['a.service', 'b\\x2d.mount']);
    expect(connections()).toBe(1);
  });
  expect(calls.map(({ member, args }) => [member, args])).toEqual([
    ['ListUnitsFiltered', [['failed']]],
    ['ListUnitsFiltered', [['failed']]],
  ]);
});

test('ten thousand failed units are read', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `unit-with-a-name-of-usual-length-${index}.service`);

  await withBus({ onCall: failing(...names) }, async (systemd) => expect(await systemd.failedUnits()).toEqual(names));
});

test('an answer in pieces of one byte is one answer', async () => {
  const onCall = ({ serial }: ReceivedCall, socket: Socket) => {
    socket.setNoDelay(true);
    for (const byte of encodeUnitList(serial, ['a.service'])) socket.write(Buffer.of(byte));
  };

  await withBus({ onCall }, async (systemd) => expect(await systemd.failedUnits()).toEqual(['a.service']));
});

for (const [what, behaviour, reason] of [
  ['never answers', { onCall: () => undefined }, /no answer within 0\.2 s/],
  ['never greets', { greet: () => undefined, onCall: () => undefined }, /no answer within 0\.2 s/],
  ['hangs up in the middle of a call', { onCall: (_, socket) => socket.destroy() }, /failed: (it hung up|read ECONN)/],
  ['answers with garbage', { onCall: (_, socket) => socket.write('garbage garbage garbage') }, /no byte order/],
  [
    'announces more than anybody can read',
    { onCall: (_, socket) => socket.write(Buffer.from('6c020001ffffff7f0100000000000000', 'hex')) },
    /failed: /,
  ],
  [
    'answers with an error',
    { onCall: ({ serial }, socket) => socket.write(encodeError(serial, 'x.y', 'not\ntoday')) },
    /^not today$/,
  ],
] as const satisfies [string, BusBehaviour, RegExp][]) {
  test(`a bus that ${what} fails the question, and each question is asked over a new connection`, async () => {
    const deadlineMs = what.startsWith('never') ? SILENCE_MS : ANSWER_MS;
    const ask = async (systemd: BusSystemd, connections: () => number): Promise<void> => {
      const failed = systemd.failedUnits();

      await expect(failed).rejects.toThrow(reason);
      await expect(failed).rejects.toBeInstanceOf(BusCallError);
      await expect(systemd.failedUnits()).rejects.toThrow(reason);
      // Each question is asked twice if the deadline leaves time.
      const expected = what.startsWith('never') ? 2 : 4;
      expect(connections()).toBe(what === 'answers with an error' ? 1 : expected);
    };
    await withBus(behaviour, ask, deadlineMs);
  });
}

for (const [what, greet] of [
  ['lets nobody in', (_: string, socket: Socket) => socket.write('REJECTED EXTERNAL\r\n')],
  ['does not speak D-Bus', (_: string, socket: Socket) => socket.write('x'.repeat(4096))],
] as const) {
  test(`a bus that ${what} is none, so that another way can be tried`, async () => {
    await withBus({ greet: (line, socket) => void greet(line, socket), onCall: () => undefined }, async (systemd) => {
      await expect(systemd.failedUnits()).rejects.toBeInstanceOf(BusUnreachableError);
    });
  });
}

test('a bus that hangs up on an account it cannot look up is none, and the reason says so', async () => {
  const greet = (line: string, socket: Socket): void => {
    if (line === 'DATA') socket.end('OK 0123456789abcdef0123456789abcdef\r\n');
    else socket.write('DATA\r\n');
  };

  await withBus({ greet, onCall: () => undefined }, async (systemd) => {
    const failed = systemd.failedUnits();
    await expect(failed).rejects.toBeInstanceOf(BusUnreachableError);
    await expect(failed).rejects.toThrow(/, as it does with accounts that it cannot look up$/);
  });
});

test('a bus that had no room for a connection is asked over a new one', async () => {
  let isFull = true;
  const onHello = ({ serial }: ReceivedCall, socket: Socket): void => {
    socket.write(
      isFull
        ? encodeError(serial, 'org.freedesktop.DBus.Error.LimitsExceeded', 'too many connections')
        : encodeReturn(serial, 's', (body) => body.string(':1.1')),
    );
  };

  await withBus({ onHello, onCall: failing('a.service') }, async (systemd, connections) => {
    await expect(systemd.failedUnits()).rejects.toThrow('too many connections');
    isFull = false;
    expect(await systemd.failedUnits()).toEqual(['a.service']);
    expect(connections()).toBe(2);
  });
});

test('a socket without a listener is no bus, until one listens', async () => {
  const systemd = new BusSystemd({ path: '/nowhere/bus', kind: 'bus' }, now);

  await expect(systemd.failedUnits()).rejects.toThrow(/^could not reach the message bus at \/nowhere\/bus: .*ENOENT/);
});

test('a refused answer for one unit leaves the others their answers', async () => {
  const onCall = ({ serial, path, args }: ReceivedCall, socket: Socket) =>
    socket.write(
      path === unitPath('bad.service')
        ? encodeError(serial, 'org.freedesktop.systemd1.LoadFailed', 'no')
        : encodeReturn(serial, 'v', stringVariant(String(args[1]))),
    );

  await withBus({ onCall }, async (systemd) => {
    expect(await systemd.unitAnswers(['a.service', 'bad.service', 'c.target'])).toEqual([
      { load: 'LoadState', active: 'ActiveState', sub: 'SubState', result: 'Result' },
      { problem: 'no' },
      { load: 'LoadState', active: 'ActiveState', sub: 'SubState', result: '' },
    ]);
  });
});

test('at most as many calls are unanswered as a system bus allows', async () => {
  let open = 0;
  let most = 0;
  const onCall = ({ serial }: ReceivedCall, socket: Socket) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      socket.write(encodeReturn(serial, 'v', stringVariant('x')));
    });
  };

  await withBus({ onCall }, async (systemd) => {
    const names = Array.from({ length: 64 }, (_, index) => `u${index}.service`);
    expect(await systemd.unitAnswers(names)).toHaveLength(64);
    expect(most).toBeLessThanOrEqual(128);
  });
});

test('the object of a unit has its name with every odd character written as a number', () => {
  expect(unitPath('cal.timer')).toBe('/org/freedesktop/systemd1/unit/cal_2etimer');
  expect(unitPath('1-a@b\\x2d_.service')).toBe('/org/freedesktop/systemd1/unit/_31_2da_40b_5cx2d_5f_2eservice');
});

const stateAnswer = ({ serial, args }: ReceivedCall, socket: Socket): void => {
  const name = String(args[1]);
  const text = { LoadState: 'loaded', ActiveState: 'active', SubState: 'running' }[name] ?? 'success';
  socket.write(encodeReturn(serial, 'v', stringVariant(text)));
};
const running = { load: 'loaded', active: 'active', sub: 'running', result: 'success' };

for (const name of ['ServiceUnknown', 'NameHasNoOwner', 'Spawn.ChildExited']) {
  test(`a question that comes before the manager has joined its bus (${name}) is asked again and answered`, async () => {
    let refused = 0;
    const onCall = (call: ReceivedCall, socket: Socket): void => {
      refused += 1;
      if (refused > 4) stateAnswer(call, socket);
      else socket.write(encodeError(call.serial, `org.freedesktop.DBus.Error.${name}`, 'the name is not there'));
    };

    await withBus(
      { onCall },
      async (systemd) => expect(await systemd.unitAnswers(['a.service'])).toEqual([running]),
      5_000,
    );
  });
}

test('a question during which the bus hangs up is asked again over a new connection', async () => {
  let calls = 0;
  const onCall = (call: ReceivedCall, socket: Socket): void => {
    calls += 1;
    if (calls === 1) socket.destroy();
    else stateAnswer(call, socket);
  };

  await withBus(
    { onCall },
    async (systemd, connections) => {
      expect(await systemd.unitAnswers(['a.service'])).toEqual([running]);
      expect(connections()).toBe(2);
    },
    5_000,
  );
});

test('an error of the manager about a unit is its answer, and is asked for once', async () => {
  let calls = 0;
  const onCall = ({ serial }: ReceivedCall, socket: Socket): void => {
    calls += 1;
    socket.write(encodeError(serial, 'org.freedesktop.systemd1.NoSuchUnit', 'no such unit'));
  };

  await withBus(
    { onCall },
    async (systemd) => expect(await systemd.unitAnswers(['a.service'])).toEqual([{ problem: 'no such unit' }]),
    5_000,
  );
  expect(calls).toBe(4);
});

test('a manager that never joins its bus is given up within the deadline', async () => {
  const onCall = ({ serial }: ReceivedCall, socket: Socket): void =>
    void socket.write(encodeError(serial, 'org.freedesktop.DBus.Error.ServiceUnknown', 'the name is not there'));

  await withBus(
    { onCall },
    (systemd) => expect(systemd.unitAnswers(['a.service'])).rejects.toThrow('the name is not there'),
    300,
  );
});

async function withBus(
  behaviour: BusBehaviour,
  use: (systemd: BusSystemd, connections: () => number) => Promise<void>,
  deadlineMs = ANSWER_MS,
): Promise<void> {
  await using bus = await startFakeBus(behaviour);
  const systemd = new BusSystemd({ path: bus.path, kind: 'bus' }, now, deadlineMs);
  await use(systemd, bus.connections);
  systemd.close();
}
