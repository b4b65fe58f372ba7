import type { AgentConfig } from '../../schemas/agent.ts';
import { systemClock } from '../kernel/clock.ts';
import { StartError } from '../kernel/errors.ts';
import { bearerToken } from '../kernel/http/bearer.ts';
import { closeServer, listen } from '../kernel/http/listen.ts';
import { Lifecycle } from '../kernel/lifecycle.ts';
import { createLog } from '../kernel/log.ts';
import { readSecretFile } from '../kernel/secret-file.ts';
import { VERSION } from '../kernel/version.ts';
import { createCollectors } from './collectors/index.ts';
import { endProcess } from './host/end-process.ts';
import type { OpenHost } from './host/host.ts';
import { createAgentServer } from './http/server.ts';
import { Collection } from './report/collection.ts';
import { SnapshotSource } from './report/snapshot-source.ts';

/** How long requests under way may take after SIGTERM; longer than any collection. */
const CLOSE_DEADLINE_MS = 4_000;

/** Serves until a signal. @throws StartError */
export async function serve(
  { agent }: AgentConfig,
  host: OpenHost,
  credentialsDirectory: string | undefined,
): Promise<void> {
  const token = readToken(agent.tokenFile, credentialsDirectory);
  const log = createLog('homeport-agent', agent.logLevel);
  const clock = systemClock;
  const collection = new Collection({ host, collectors: createCollectors(), clock, log });
  const snapshots = new SnapshotSource(() => collection.run(), clock);
  const server = createAgentServer({ snapshots, token, clock, log });
  const port = await listen(server, agent.listen, 'agent.listen');
  const lifecycle = new Lifecycle(log);
  // Added first and so done last, in place of the usual exit, which a hung system call would hold up for ever.
  lifecycle.add('process', () => {
    if (host.isHanging) endProcess(0, true);
  });
  lifecycle.add('host', () => host.close());
  lifecycle.add('http', () => closeServer(server, CLOSE_DEADLINE_MS));
  lifecycle.endOnSignals();
  log.info({ address: agent.listen.address, port, version: VERSION }, 'listening');
}

/** A token that no request could carry would lock everybody out without a word. */
function readToken(file: string, credentialsDirectory: string | undefined): string {
  const token = readSecretFile(file, 'agent.tokenFile', credentialsDirectory);
  if (bearerToken(`Bearer ${token}`) !== token) {
    throw new StartError(
      `agent.tokenFile: ${file} must hold one line of letters, digits and -._~+/ only: openssl rand -hex 32 makes one`,
    );
  }
  return token;
}
