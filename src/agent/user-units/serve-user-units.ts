import { once } from 'node:events';
import { systemClock } from '../../kernel/clock.ts';
import { StartError } from '../../kernel/errors.ts';
import { listenInherited } from '../../kernel/http/listen.ts';
import { createLog } from '../../kernel/log.ts';
import { inheritedSockets } from '../host/inherited-sockets.ts';
import { openOwnSystemd } from '../host/systemd/open-systemd.ts';
import { createAnswerServer } from './answer-questions.ts';

/**
 * Time without questions after which the process ends; systemd keeps the socket and starts it again at the next one.
 */
const IDLE_END_MS = 60_000;

/**
 * Answers on the socket that systemd passed, until no question has come for `IDLE_END_MS`.
 * @throws StartError without such a socket
 */
export async function serveUserUnits(env: NodeJS.ProcessEnv): Promise<number> {
  const [socket] = inheritedSockets(env);
  if (socket === undefined) {
    throw new StartError('user-units: expected a socket from a socket unit of systemd: see systemd.socket(5)');
  }
  const systemd = openOwnSystemd(systemClock);
  const server = createAnswerServer(systemd);
  const idle = setTimeout(() => server.close(), IDLE_END_MS);
  server.on('connection', () => idle.refresh());
  await listenInherited(server, socket, createLog('homeport-agent', 'info'));
  await once(server, 'close');
  return 0;
}
