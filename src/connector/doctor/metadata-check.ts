import { ask } from './ask.ts';
import { type Check, ok, problem } from './check.ts';

/**
 * Path → member with the address that the document stands for, and the part of that address below the base URL; clients
 * refuse a document that names another address.
 */
const DOCUMENTS = [
  ['/.well-known/oauth-authorization-server', 'issuer', ''],
  ['/.well-known/oauth-protected-resource', 'resource', ''],
  ['/.well-known/oauth-protected-resource/mcp', 'resource', '/mcp'],
] as const;

export const metadata: Check = {
  name: 'metadata',
  examine: async ({ config: { baseUrl } }) => {
    for (const [path, key, below] of DOCUMENTS) {
      const answer = await ask(`${baseUrl}${path}`);
      if (typeof answer === 'string') return problem(`${path}: ${answer}`, 'mend the base URL first');
      const named = answer.body?.[key];
      if (named === undefined) {
        return problem(
          `${path} answers ${answer.status} without ${key}`,
          'make the proxy pass on all of /.well-known/',
        );
      }
      if (named !== baseUrl + below) {
        return problem(`${path} names ${String(named)} as ${key}`, 'restart the connector with this configuration');
      }
    }
    return ok('clients find the resource and its authorization server');
  },
};
