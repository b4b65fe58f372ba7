import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { execa } from 'execa';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { blockOf } from './guide-blocks.ts';

const HOST = '127.0.0.1';
const CERTIFICATE_DEADLINE_MS = 60_000;
const HANDSHAKE_DEADLINE_MS = 30_000;

/** The connector's address in the guide. */
const GUIDE_UPSTREAM = '127.0.0.1:8460';

/** A program in front of the connector, with the configuration that the guide shows. */
export interface FrontProxy {
  /** Ports that stand for 80 and 443. */
  httpPort: number;
  httpsPort: number;
  /** Certificate of the authority that it has its own from. */
  ca: string;
  process: ManagedProcess;
}

export interface ProxyOptions {
  folder: string;
  /** The name that it serves: that of the guide. */
  name: string;
  /** Port of the connector. */
  upstreamPort: number;
}

/** nginx as the guide configures it, but for its ports, its certificate and the port of the connector. */
export async function startNginx({ folder, name, upstreamPort }: ProxyOptions): Promise<FrontProxy> {
  await mkdir(folder, { recursive: true });
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const { certificate, key } = await selfSigned(folder, name);
  const servers = blockOf('proxies.md', 'nginx')
    // Not every machine of the tests has IPv6.
    .replaceAll(/^\s*listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen ${HOST}:${httpPort};`)
    .replace('listen 443 ssl;', `listen ${HOST}:${httpsPort} ssl;`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replace(GUIDE_UPSTREAM, `${HOST}:${upstreamPort}`);
  const config = join(folder, 'nginx.conf');
  await writeFile(config, nginxAround(servers, folder));
  const process = startProcess({
    name: 'nginx',
    command: [programAt('nginx'), '-p', folder, '-e', 'stderr', '-c', config],
    logFile: join(folder, 'nginx.log'),
  });
  const ca = await readFile(certificate, 'utf8');
  await waitFor('nginx serves its name', () => serves(name, httpsPort, ca), { process });
  return { httpPort, httpsPort, ca, process };
}

/** Caddy as the guide configures it, but for its ports and that of the connector; it is its own authority. */
export async function startCaddy({ folder, name, upstreamPort }: ProxyOptions): Promise<FrontProxy> {
  await mkdir(folder, { recursive: true });
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const site = blockOf('proxies.md', 'caddyfile').replace(GUIDE_UPSTREAM, `${HOST}:${upstreamPort}`);
  if (!site.startsWith(`${name} {`)) throw new Error(`the guide's block is not for ${name}`);
  const config = join(folder, 'Caddyfile');
  await writeFile(config, caddyAround(site, { folder, httpPort, httpsPort }));
  const process = startProcess({
    name: 'caddy',
    command: [programAt('caddy'), 'run', '--config', config, '--adapter', 'caddyfile'],
    env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    logFile: join(folder, 'caddy.log'),
  });
  const root = join(folder, 'pki/authorities/local/root.crt');
  // It listens before it has its certificate.
  const ca = await waitFor(
    'Caddy serves its name',
    async () => {
      const authority = await readFile(root, 'utf8');
      return (await serves(name, httpsPort, authority)) && authority;
    },
    { process },
  );
  return { httpPort, httpsPort, ca, process };
}

/** Returns the path of a program in Debian's folder, which may be missing in the user's PATH. */
function programAt(name: string): string {
  const path = `/usr/sbin/${name}`;
  return existsSync(path) ? path : name;
}

/**
 * Resolves to true when a client that trusts the authority reaches the name there.
 * @throws Error with the reason when not
 */
function serves(servername: string, port: number, ca: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const socket = connect({ host: HOST, port, servername, ca }, () => {
    socket.destroy();
    resolve(true);
  }).once('error', reject);
  socket.setTimeout(HANDSHAKE_DEADLINE_MS, () => socket.destroy(new Error('no answer to the handshake')));
  return promise;
}

async function selfSigned(folder: string, name: string): Promise<{ certificate: string; key: string }> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  await execa('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', certificate], {
    timeout: CERTIFICATE_DEADLINE_MS,
  });
  return { certificate, key };
}

/** One process, which is killed with the test, and which writes below the folder alone. */
const nginxAround = (servers: string, folder: string): string => `
daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
events {}
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`).join('\n')}
${servers}
}
`;

const caddyAround = (
  site: string,
  { folder, httpPort, httpsPort }: Record<'httpPort' | 'httpsPort', number> & { folder: string },
): string => `{
	admin off
	local_certs
	skip_install_trust
	http_port ${httpPort}
	https_port ${httpsPort}
	default_bind ${HOST}
	storage file_system ${folder}
}
${site}`;
