import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { type ConnectorStep, REQUEST_DEADLINE_MS } from './journey.ts';

/** Steps that an agent can do without a token. */
export function discoverySteps({ connector }: Stack): ConnectorStep[] {
  const getJson = async (path: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${connector.baseUrl}${path}`, { signal: AbortSignal.timeout(REQUEST_DEADLINE_MS) });
    expectThat(response.ok, `an answer at ${path}, got ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  };
  return [
    {
      proves: 'an agent discovers the resource and its authorization server',
      run: async () => {
        expectThat((await getJson('/healthz'))['ok'] === true, '/healthz says ok');
        const resource = await getJson('/.well-known/oauth-protected-resource/mcp');
        const server = await getJson('/.well-known/oauth-authorization-server');
        expectThat(
          resource['resource'] === `${connector.baseUrl}/mcp`,
          'the resource is the address that was asked about',
        );
        expectThat(server['issuer'] === connector.baseUrl, 'the issuer is the base address');
        expectThat(JSON.stringify(server['code_challenge_methods_supported']) === '["S256"]', 'PKCE by S256');
        expectThat((await getJson('/openapi.json'))['openapi'] === '3.1.0', 'the REST interface is described');
      },
    },
  ];
}
