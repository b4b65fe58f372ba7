import { ask } from './ask.ts';
import { type Check, ill, well } from './check.ts';

/** Each document names the address it stands for, here below the base URL; clients refuse one that names another. */
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
      if (typeof answer === 'string') return ill(`${path}: ${answer}`, 'mend the base URL first');
      const named = answer.body?.[key];
      if (named === undefined) {
        return ill(`${path} answers ${answer.status} without ${key}`, 'make the proxy pass on all of /.well-known/');
      }
      if (named !== baseUrl + below) {
        return ill(`${path} names ${String(named)} as ${key}`, 'restart the connector with this configuration');
      }
    }
    return well('clients find the resource and its authorization server');
  },
};
