import { connect } from 'node:net';
import { expect } from 'vitest';
import { agent, test } from '../../harness/fixtures/shared-agent.ts';
import { AGENT_TOKEN } from '../../harness/start-agent.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

const ANSWERED = `GET /healthz HTTP/1.1\r\nHost: agent\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\n\r\n`;

const UNFINISHED = 'GET /healthz HTTP/1.1\r\nHost: agent\r\nX-Slow: ';

/** Returns what the agent sends until it ends the connection, when `later` follows the first answer. */
async function answersTo(first: string, later = ''): Promise<string> {
  const socket = connect(Number(new URL(agent.baseUrl).port), '127.0.0.1');
  socket.write(first);
  let answer = '';
  for await (const chunk of socket) {
    if (answer === '' && later !== '') socket.write(later);
    answer += chunk;
  }
  return answer;
}

test('a client that never finishes the headers of a request is disconnected', async () => {
  expect(await answersTo(UNFINISHED)).toMatch(/^HTTP\/1\.1 408 /s);
});

test('an answered connection is closed after its time: with an answer if a request has begun, else silently', async () => {
  using waited = watchIdle();

  const [begun, quiet] = await Promise.all([answersTo(ANSWERED, UNFINISHED), answersTo(ANSWERED)]);

  expect(begun).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 408 /s);
  expect(quiet).toMatch(/^keep-alive: timeout=75\r$/m);
  expect(quiet.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  // A connection is kept for 75 s, and headers may take 5 s; the rest is for a busy machine.
  expect(waited.read()).toBeLessThan(90_000);
});
