import { expect, test } from 'vitest';
import { fitMetadata } from '../../../../../src/connector/oauth/policy/client-metadata.ts';

const registrationProblem = (metadata: Record<string, unknown>) => fitMetadata(metadata, 'registration');

const PUBLIC = { token_endpoint_auth_method: 'none', response_types: ['code'] };

/** Registrations of services and desktop programs that no test can run, by their documentation and sources. */
const REGISTRATIONS = {
  Claude: {
    ...PUBLIC,
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  },
  ChatGPT: {
    ...PUBLIC,
    client_name: 'ChatGPT',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  },
  Cursor: { ...PUBLIC, client_name: 'Cursor', redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] },
  'VS Code': {
    ...PUBLIC,
    client_name: 'Visual Studio Code',
    client_uri: 'https://code.visualstudio.com',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    redirect_uris: [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://localhost/',
      'http://127.0.0.1/',
      'http://localhost:33418/',
      'http://127.0.0.1:33418/',
    ],
  },
};

for (const [name, registration] of Object.entries(REGISTRATIONS)) {
  test(`${name} may register as it does`, () => {
    expect(registrationProblem(registration)).toBeUndefined();
  });
}
