import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { systemCodeOf } from '../../../src/kernel/errors.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** The promise was tried with twenty; two show that it still holds. */
const SHUTDOWNS = Number(process.env['SHUTDOWNS'] ?? 2);
const CLIENTS_OF_EACH_KIND = 15;
const PAUSE_MS = 5;

type Post = (url: string) => Promise<number>;

const postByUndici: Post = async (url) => {
  const response = await fetch(url, { method: 'POST', body: '{}' });
  await response.text();
  return response.status;
};

test('no request of clients that keep their connections fails while the program ends', async () => {
  await using folder = await tempFolder();
  const { url, start } = await connectorIn(join(folder.path, 'one'));
  for (let shutdown = 0; shutdown < SHUTDOWNS; shutdown += 1) {
    const service = await start();
    const kinds = [postWithoutEnd(`${url}/mcp`, postByUndici), postWithoutEnd(`${url}/mcp`, posterByAgent())];
    await waitFor('they are answered', () => kinds.every(({ counts }) => counts.answered > 100));

    await end(service);

    for (const { counts, stop } of kinds) {
      await stop();
      expect(counts.failed).toEqual([]);
    }
  }
});

for (const [proxy, start] of [
  ['nginx', nginx],
  ['Caddy', caddy],
] as const) {
  test(`no request behind ${proxy} fails while one of two programs ends`, async () => {
    await using folder = await tempFolder();
    const [first, second] = [await connectorIn(join(folder.path, 'one')), await connectorIn(join(folder.path, 'two'))];
    const stays = await second.start();
    const port = await freePort();
    let ends = await first.start();
    const front = await start(folder.path, port, [first.url, second.url]);
    const url = `http://127.0.0.1:${port}/mcp`;
    await waitFor('the proxy passes requests on', async () => (await postByUndici(url)) < 500, { process: front });
    for (let shutdown = 0; shutdown < SHUTDOWNS; shutdown += 1) {
      const kinds = [postWithoutEnd(url, postByUndici), postWithoutEnd(url, posterByAgent())];
      await waitFor('they are answered', () => kinds.every(({ counts }) => counts.answered > 100));

      await end(ends);

      for (const { counts, stop } of kinds) {
        await stop();
        expect([counts.failed, counts.refused]).toEqual([[], 0]);
      }
      ends = await first.start();
    }
    for (const each of [front, ends, stays]) await each.stop();
  });
}

const hostsOf = (urls: readonly string[]): string[] => urls.map((url) => new URL(url).host);

async function nginx(folder: string, port: number, upstreams: readonly string[]): Promise<ManagedProcess> {
  const servers = hostsOf(upstreams).map((host) => `server ${host} max_fails=0;`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; events {}
    http { access_log off; ${paths.join(' ')}
      upstream connectors { ${servers.join(' ')} keepalive 16; }
      server { listen 127.0.0.1:${port};
        location / { proxy_pass http://connectors; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`,
  );
  return startProcess({ name: 'nginx', command: ['/usr/sbin/nginx', '-p', folder, '-e', 'stderr', '-c', file] });
}

async function caddy(folder: string, port: number, upstreams: readonly string[]): Promise<ManagedProcess> {
  const file = join(folder, 'Caddyfile');
  await writeFile(
    file,
    `{
      admin off
      auto_https off
    }
    http://127.0.0.1:${port} {
      reverse_proxy ${hostsOf(upstreams).join(' ')} {
        health_uri /healthz
        health_interval 500ms
        lb_try_duration 2s
      }
    }`,
  );
  return startProcess({
    name: 'caddy',
    command: ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
    env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  });
}

test('health checks fail from the beginning of the end on, with the reason, while requests are answered', async () => {
  await using folder = await tempFolder();
  const { url, start } = await connectorIn(join(folder.path, 'one'));
  const service = await start();
  service.kill('SIGTERM');

  const health = await waitFor('it ends', async () => {
    const response = await fetch(`${url}/healthz`);
    return response.status === 503 && response;
  });
  const answer = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });

  expect(await health.json()).toEqual({ ok: false, reason: 'ending' });
  expect(health.headers.get('connection')).toBe('close');
  expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close']);
  const ended = await service.ended;
  expect(ended, service.output()).toMatchObject({ exitCode: 0 });
});

function posterByAgent(): Post {
  const agent = new Agent({ keepAlive: true });
  return async (url) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const sent = request(url, { method: 'POST', agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end('{}');
    return promise;
  };
}

async function postOnce(url: string, post: Post, counts: Counts): Promise<void> {
  try {
    const status = await post(url);
    if (status >= 500) counts.failed.push(`status ${status}`);
    else counts.answered += 1;
  } catch (error) {
    const code = systemCodeOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
    if (code === 'ECONNREFUSED') counts.refused += 1;
    else counts.failed.push(String(code));
  }
}

/** Clients that post without a pause on connections that they keep, until `stop`. */
function postWithoutEnd(url: string, post: Post): { counts: Counts; stop: () => Promise<void> } {
  const counts: Counts = { answered: 0, refused: 0, failed: [] };
  let isStopped = false;
  const client = async (): Promise<void> => {
    while (!isStopped) {
      await postOnce(url, post, counts);
      await delay(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS_OF_EACH_KIND }, client);
  return {
    counts,
    stop: async () => {
      isStopped = true;
      await Promise.all(clients);
    },
  };
}

/** A connector that ends as those of people do. */
async function connectorIn(folder: string): Promise<Connector> {
  await mkdir(folder);
  const port = await freePort();
  const rateLimits = { perAddress: 100_000 };
  const configFile = await lonelyConfig(folder, { listen: { port, drainSeconds: 3 }, rateLimits });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    start: async () => {
      const service = startProcess({ name: 'connector', command: connectorCommand(configFile) });
      await waitFor('it answers', async () => (await fetch(`${url}/healthz`)).ok, { process: service });
      return service;
    },
  };
}

async function end(service: ManagedProcess): Promise<void> {
  service.kill('SIGTERM');
  const ended = await service.ended;
  expect(ended, service.output()).toMatchObject({ exitCode: 0 });
}

interface Counts {
  answered: number;
  /** Requests without a listener: they were not sent, and a client may send them elsewhere. */
  refused: number;
  failed: string[];
}

interface Connector {
  url: string;
  start(): Promise<ManagedProcess>;
}
