import type { StandbyOptions } from './http/standby.ts';
import { OAUTH_PATHS } from './oauth/provider.ts';
import { refusalPage } from './pages/refusal-page.ts';

const { token, registration, revocation } = OAUTH_PATHS;

/** Forms in which a process refuses requests while another one has the database: those of the routes. */
export const standbyRefusals: Pick<StandbyOptions, 'languages' | 'renderPage'> = {
  languages: {
    '/mcp': 'jsonrpc',
    '/v1': 'json',
    '/admin': 'json',
    '/metrics': 'json',
    [token]: 'oauth',
    [registration]: 'oauth',
    [revocation]: 'oauth',
  },
  renderPage: refusalPage,
};
