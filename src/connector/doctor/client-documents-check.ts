import { createOutbound } from '../outbound/outbound.ts';
import { type Check, ok } from './check.ts';

/** Document of a program that many people use. */
const KNOWN_DOCUMENT = 'https://claude.ai/oauth/claude-code-client-metadata';

const DEADLINE_MS = 5_000;
const MAX_BYTES = 16 * 1_024;

/**
 * Reports an unreachable host, but never as a fault: an installation without access to the Internet may have clients
 * that register.
 */
export const clientDocuments: Check = {
  name: 'client documents',
  examine: async ({ config, proxy }) => {
    if (!config.oauth.clientDocuments) return ok('off: clients register instead');
    const outbound = createOutbound({ deadlineMs: DEADLINE_MS, proxy });
    try {
      const headers = { accept: 'application/json' };
      const { kind } = await outbound.send({ url: KNOWN_DOCUMENT, method: 'GET', headers, answerBytesMax: MAX_BYTES });
      const { host } = new URL(KNOWN_DOCUMENT);
      const way = proxy === undefined ? '' : ` by ${proxy.url}`;
      if (kind !== 'unreachable') return ok(`${host} is reached${way}`);
      return ok(
        `${host} can’t be reached${way}: clients such as Claude Code and Codex can’t sign in; set outboundProxy, or oauth.clientDocuments to false`,
      );
    } finally {
      outbound.close();
    }
  },
};
