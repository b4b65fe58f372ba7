import { writeFileSync } from 'node:fs';
import { Agent as HttpAgent, get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { execa } from 'execa';
import { expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { copyAgentTree } from '../../harness/agent-tree.ts';
import { agent, test } from '../../harness/fixtures/shared-agent.ts';
import { processorMsOf } from '../../harness/processor-time.ts';
import { AGENT_TOKEN, agentCommand, startAgent, writeAgentFiles } from '../../harness/start-agent.ts';

const portOf = ({ baseUrl }: { baseUrl: string }): number => Number(new URL(baseUrl).port);

const request = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: agent\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\n\r\n`;

test('an endless address is refused', async () => {
  expect(await answerTo(`GET /v1/report?unit=${'a'.repeat(70_000)} HTTP/1.1\r\nHost: agent\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  );
});

test('a thousand requests of one connection are answered, further ones are not', async () => {
  const inOneGo = 8;
  const socket = connect(portOf(agent), '127.0.0.1');
  let answers = '';
  const count = (): number => answers.split('HTTP/1.1 ').length - 1;
  socket.write(request('/healthz').repeat(inOneGo));
  for await (const chunk of socket) {
    answers += chunk;
    if (count() % inOneGo === 0) socket.write(request('/healthz').repeat(inOneGo));
    if (answers.includes('HTTP/1.1 503 ')) break;
  }

  const statuses = answers.match(/HTTP\/1\.1 \d+/g) ?? [];
  expect(statuses.filter((status) => status.endsWith(' 200'))).toHaveLength(1_000);
  expect(statuses.at(-1)).toBe('HTTP/1.1 503');
});

test('a connection with more than eight requests in one go gets the first answer, and the others are not even read', async () => {
  const flood = (): string => 'GET /healthz HTTP/1.1\r\nHost: agent\r\n\r\n'.repeat(1_400);
  await answerTo(flood());
  const before = processorMsOf(agent.process.pid ?? 0);

  const answers = await Promise.all(Array.from({ length: 40 }, () => answerTo(flood()).catch(() => 'HTTP/1.1 cut')));

  expect(answers.every((answer) => answer.split('HTTP/1.1 ').length === 2)).toBe(true);
  // 56,000 requests, each of which would take some 30 µs alone to be read.
  expect(processorMsOf(agent.process.pid ?? 0) - before).toBeLessThan(1_000);
});

test('a request that is refused is the last one on its connection', async () => {
  const refused = ['GET /v1/report', 'GET /nothing', 'POST /healthz'];

  for (const start of refused) {
    const answer = await answerTo(`${start} HTTP/1.1\r\nHost: agent\r\n\r\n`.repeat(10));

    expect(answer.match(/^HTTP\/1\.1 40[145] /gm)).toHaveLength(1);
    expect(answer).toMatch(/^connection: close\r$/m);
  }
});

test('connections beyond the limit are closed and the others are served', async () => {
  const sockets: Socket[] = [];
  let closedCount = 0;
  for (let index = 0; index < 300; index += 1) {
    const socket = connect(portOf(agent), '127.0.0.1');
    socket.on('error', () => undefined);
    let isAnswered = false;
    socket.once('data', () => {
      isAnswered = true;
    });
    socket.once('close', () => {
      if (!isAnswered) closedCount += 1;
    });
    sockets.push(socket);
  }

  await waitFor('connections beyond the limit are closed', async () => closedCount >= 172, { process: agent.process });
  const answers: string[] = [];
  for (const socket of sockets.filter(({ destroyed }) => !destroyed)) {
    socket.once('data', (chunk) => answers.push(String(chunk)));
    socket.write(request('/healthz'));
  }
  await waitFor('each other connection is answered, or closed for its age', () => answers.length + closedCount >= 300, {
    process: agent.process,
  });
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of sockets) socket.destroy();
  await waitFor('the agent answers again', async () => (await fetch(`${agent.baseUrl}/healthz`)).ok, {
    process: agent.process,
  });
});

test('a client that opens a connection for each request and closes none is answered on and on', async () => {
  await using leaky = await startAgent();
  const sockets: Socket[] = [];
  const ask = async (): Promise<string> => {
    const socket = connect(portOf(leaky), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(request('/healthz'));
    return await new Promise((resolve) => {
      socket.once('data', (chunk) => resolve(String(chunk).split('\r\n', 1)[0] ?? ''));
      socket.once('close', () => resolve('closed'));
    });
  };
  try {
    for (let index = 0; index < 300; index += 1) expect(await ask(), `request ${index}`).toBe('HTTP/1.1 200 OK');
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test('a client that leaves during a collection does not disturb the others', async () => {
  await using cold = await startAgent();
  const leaving = connect(portOf(cold), '127.0.0.1');
  leaving.on('error', () => undefined);
  leaving.write(request('/v1/report'), () => leaving.destroy());

  const response = await cold.get('/v1/report');

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ load: expect.any(Array) });
});

test('many refusals are one line of the log', async () => {
  await using attacked = await startAgent();

  const answers = await Promise.all(
    Array.from({ length: 50 }, () => attacked.get('/metrics', { headers: { authorization: 'Bearer wrong' } })),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  const logged = (): RegExpMatchArray | null => attacked.process.output().match(/refused: missing or wrong token/g);
  await waitFor('the refusal is logged', async () => logged() !== null, { process: attacked.process });
  expect(logged()).toHaveLength(1);
});

test('without file descriptors to spare it stays, and serves again when there are some', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const command = agentCommand('run', '--config', files.configFile).map((word) => `'${word}'`);
  const poor = startProcess({
    name: 'homeport-agent',
    command: ['sh', '-c', `ulimit -n 64; exec ${command.join(' ')}`],
  });
  const isWell = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${AGENT_TOKEN}`, connection: 'close' };
    return (await fetch(`http://127.0.0.1:${port}/v1/report`, { headers, signal: AbortSignal.timeout(30_000) })).ok;
  };
  try {
    await waitFor('the agent answers', isWell, { process: poor });
    const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await expect(isWell()).rejects.toThrow();
    for (const socket of sockets) socket.destroy();

    await waitFor('the agent answers again', isWell, { process: poor });
  } finally {
    await poor.stop();
  }
});

for (const addresses of [['127.0.0.2'], ['127.0.0.2', '127.0.0.3', '127.0.0.4']]) {
  test(`${addresses.length === 1 ? 'one address' : 'three addresses'} cannot take all connections: another one is still answered`, async () => {
    await using attacked = await startAgent();
    let closedCount = 0;
    const greedy = addresses.flatMap((localAddress) =>
      Array.from({ length: 140 }, () => {
        const socket = connect({ port: portOf(attacked), host: '127.0.0.1', localAddress });
        socket
          .on('error', () => undefined)
          .once('close', () => {
            closedCount += 1;
          });
        return socket;
      }),
    );
    const refusedCount = addresses.length === 1 ? 28 : greedy.length - 128;
    await waitFor('those beyond their share are closed', () => closedCount >= refusedCount);

    expect((await attacked.get('/healthz', { headers: { connection: 'close' } })).status).toBe(200);
    for (const socket of greedy) socket.destroy();
  });
}

test('a local account that holds every connection of its address keeps out no monitor of the same address', async () => {
  await using attacked = await startAgent();
  const hold = (): Socket => connect(portOf(attacked), '127.0.0.1').on('error', () => undefined);
  const greedy = Array.from({ length: 140 }, hold);
  await waitFor('those beyond the share are closed', () => greedy.filter(({ destroyed }) => destroyed).length >= 28);

  expect(await answerTo(request('/metrics'), (answer) => answer !== '', portOf(attacked))).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of greedy) socket.destroy();
});

test('strangers at as many addresses as there are connections leave two monitors of one address theirs', async () => {
  await using attacked = await startAgent();
  const monitors = Array.from({ length: 2 }, () => new HttpAgent({ keepAlive: true, maxSockets: 1 }));
  const ports = new Set<number | undefined>();
  const ask = (agent: HttpAgent): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
      httpGet(`${attacked.baseUrl}/metrics`, { agent, headers }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().once('end', () => resolve(response.statusCode));
      }).once('error', reject);
    });
  const greedy: Socket[] = [];
  const flood = async (): Promise<void> => {
    const from = greedy.length;
    for (let host = 0; host < 140; host += 1) {
      const localAddress = `127.1.${from % 250}.${host + 1}`;
      greedy.push(connect({ port: portOf(attacked), host: '127.0.0.1', localAddress }).on('error', () => undefined));
    }
    await waitFor(
      'all connections are taken',
      () => greedy.filter(({ destroyed }) => destroyed).length >= greedy.length - 128,
    );
  };

  expect(await ask(monitors[0] ?? new HttpAgent())).toBe(200);
  await flood();
  expect(await ask(monitors[1] ?? new HttpAgent())).toBe(200);
  await flood();

  expect(await Promise.all(monitors.map(ask))).toEqual([200, 200]);
  // Each on the connection that it had.
  expect(ports.size).toBe(2);
  for (const socket of greedy) socket.destroy();
  for (const agent of monitors) agent.destroy();
});

// The last two have more counted repetitions than V8's engine of linear time takes.
for (const expression of ['^(/?[a-z]+)*/$', '^(/?[a-z]+){18,}/$', '(([a-z]+){5}){5}/$']) {
  test(`an expression whose tries would multiply with each letter of a name does not hold the report up: ${expression}`, async () => {
    await using tree = await copyAgentTree();
    const label = `${'a'.repeat(60)}!`;
    tree.write('proc/1/mountinfo', `1 0 8:1 / /run/media/${label} rw - ext4 /dev/sda1 rw\n`);
    using files = writeAgentFiles(0);
    const exclude = { mountPoints: expression };
    writeFileSync(files.configFile, JSON.stringify({ agent: { tokenFile: files.tokenFile, exclude } }));

    const roots = [`--procfs=${tree.root}/proc`, `--sysfs=${tree.root}/sys`, `--rootfs=${tree.root}`];
    const [node, ...words] = agentCommand('report', '--json', '--config', files.configFile, ...roots);
    const { stdout } = await execa(node, words, { timeout: 60_000, killSignal: 'SIGKILL' });

    expect(hostReport.parse(JSON.parse(stdout)).errors).toEqual({ disks: expect.stringContaining(label) });
  });
}

/** Everything that comes back until the other side ends the connection, or it is enough. */
async function answerTo(
  text: string,
  isEnough = (_answer: string): boolean => false,
  port = portOf(agent),
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (isEnough(answer)) break;
  }
  return answer;
}
