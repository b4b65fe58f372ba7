import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '../../../../src/kernel/errors.ts';
import { firstAnswer, type Listen } from '../../../../src/kernel/systemd/first-answer.ts';

/** Deadline in milliseconds, long enough for one request. */
const SHORT_MS = 300;

test('a service that is well serves', async () => {
  expect(await firstAnswer('x', await listen(answerBy(200, { ok: true })))).toBe('serves');
});

test('a service that waits for another process to end has started, too', async () => {
  expect(await firstAnswer('x', await listen(answerBy(503, { ok: false, reason: 'standby' })))).toBe('waits');
});

test('a service that becomes ready later is waited for', async () => {
  let asked = 0;
  const where = await listen((req, res) => {
    asked += 1;
    answerBy(asked < 3 ? 503 : 200, { ok: asked >= 3, reason: 'clock' })(req, res);
  });

  expect(await firstAnswer('x', where)).toBe('serves');
});

test.each([
  ['whose clock is off', answerBy(503, { ok: false, reason: 'clock' }), 'status 503, clock'],
  ['that answers with something else', answerBy(404, 'no such page'), 'status 404'],
  ['that answers with more than a health check', answerBy(500, 'x'.repeat(100_000)), 'status 500'],
  ['that hangs up', ((req) => req.socket.destroy()) as RequestListener, 'socket hang up'],
])('of a service %s the failure says what its health check said', async (_what, answer, says) => {
  const error = await firstAnswer('program', await listen(answer), SHORT_MS).catch((one: unknown) => one);

  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toContain(`program was started and is not ready (its health check: ${says}): journalctl`);
});

test('the failure of a service that does not answer in time says so', async () => {
  const error = await firstAnswer('program', await listen(() => undefined), SHORT_MS).catch((one: unknown) => one);

  expect(String(error)).toContain('is not ready (its health check:');
});

async function listen(answer: RequestListener): Promise<Listen> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

function answerBy(status: number, body: unknown): RequestListener {
  return (_req, res) => void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
