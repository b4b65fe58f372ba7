import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

const CALLBACK_PATH = '/callback';

/** An agent's side of the authorization: registers itself, sends its person to the consent page, waits for the redirect. */
export interface AgentAuthorization {
  provider: OAuthClientProvider;
  /** Address that the person must open now; returned once for each time that the client asks. */
  takeAuthorizationUrl(): URL | undefined;
  /** Parameters of the redirect back to the agent, once each. */
  takeRedirect(): URLSearchParams | undefined;
  tokens(): StoredOAuthTokens | undefined;
  close(): Promise<void>;
}

/**
 * Listens on a loopback redirect URI, as command-line agents do. @see RFC 8252 §7.3
 * @param name what the agent calls itself
 */
export async function createAgentAuthorization(name: string): Promise<AgentAuthorization> {
  let redirected: URLSearchParams | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    // A browser also asks for an icon.
    if (pathname === CALLBACK_PATH) redirected = searchParams;
    response.end('The agent has what it needs. You can close this page.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`;
  const state = randomBytes(16).toString('base64url');
  let client: StoredOAuthClientInformation | undefined;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = '';
  let authorizationUrl: URL | undefined;
  let discovery: OAuthDiscoveryState | undefined;

  return {
    takeAuthorizationUrl: () => {
      const url = authorizationUrl;
      authorizationUrl = undefined;
      return url;
    },
    takeRedirect: () => {
      const parameters = redirected;
      redirected = undefined;
      return parameters;
    },
    tokens: () => tokens,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    provider: {
      redirectUrl,
      clientMetadata: {
        client_name: name,
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
      state: () => state,
      clientInformation: () => client,
      saveClientInformation: (information) => {
        client = information;
      },
      tokens: () => tokens,
      saveTokens: (saved) => {
        tokens = saved;
      },
      invalidateCredentials: (which) => {
        if (which === 'all' || which === 'client') client = undefined;
        if (which === 'all' || which === 'tokens') tokens = undefined;
      },
      redirectToAuthorization: (url) => {
        authorizationUrl = url;
      },
      saveCodeVerifier: (saved) => {
        verifier = saved;
      },
      codeVerifier: () => verifier,
      saveDiscoveryState: (saved) => {
        discovery = saved;
      },
      discoveryState: () => discovery,
    },
  };
}
