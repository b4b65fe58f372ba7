/** What the composition of a program may know: all of its own folders. Only `main.ts` and its few neighbours stand there. */
const agentFolders = ['host', 'collectors', 'report', 'exposition', 'http', 'user-units', 'install'].map(
  (folder) => `src/agent/${folder}`,
);
const connectorFolders = [
  'domain',
  'doctor',
  'ports',
  'services',
  'bouncer',
  'store',
  'idp',
  'oauth',
  'mcp',
  'rest',
  'metrics',
  'admin',
  'pages',
  'http',
].map((folder) => `src/connector/${folder}`);
const termprogFolders = ['xresource', 'pty', 'x11', 'window'].map((folder) => `src/termprog/${folder}`);

const agentErrors = 'src/agent/errors.ts';
const connectorErrors = 'src/connector/errors.ts';
const termprogErrors = 'src/termprog/errors.ts';

/**
 * Folder -> folders and packages it may import besides itself and Node's own modules. The longest matching folder decides.
 * One place tells the direction of every arrow: programs never import each other, the core never imports the shell.
 */
export const mayImport: Record<string, readonly string[]> = {
  schemas: ['zod'],
  'src/kernel': ['zod', 'pino', 'jsonc-parser', 'package.json'],
  'src/generate': ['schemas', 'src/kernel', 'zod'],

  'src/report-client': ['schemas', 'zod'],

  'src/agent': ['schemas', 'src/kernel', agentErrors, ...agentFolders],
  [agentErrors]: ['src/kernel'],
  'src/agent/host': ['src/kernel', agentErrors],
  'src/agent/exposition': [],
  'src/agent/collectors': ['schemas', 'src/kernel', agentErrors, 'src/agent/host', 'src/agent/exposition'],
  'src/agent/report': [
    'schemas',
    'src/kernel',
    agentErrors,
    'src/agent/host',
    'src/agent/collectors',
    'src/agent/exposition',
  ],
  'src/agent/http': ['src/kernel', 'src/agent/host', 'src/agent/report', 'src/agent/exposition'],
  'src/agent/user-units': ['src/kernel', 'src/agent/host'],
  'src/agent/install': ['schemas', 'src/kernel'],

  'src/connector': ['schemas', 'src/kernel', connectorErrors, ...connectorFolders],
  [connectorErrors]: ['src/kernel'],
  'src/connector/domain': [],
  'src/connector/ports': ['src/connector/domain'],
  'src/connector/services': ['src/kernel', 'src/connector/domain', 'src/connector/ports', connectorErrors],
  'src/connector/irc': ['irc-framework'],
  'src/connector/bouncer': ['src/connector/domain', 'src/connector/ports', 'src/connector/irc', connectorErrors],
  'src/connector/store': ['src/kernel', 'src/connector/domain', 'src/connector/ports', connectorErrors, 'knex', 'zod'],
  'src/connector/idp': ['src/connector/ports', connectorErrors, 'openid-client', 'zod'],
  'src/connector/oauth': ['src/kernel', 'src/connector/domain', 'src/connector/ports', 'oidc-provider', 'express'],
  'src/connector/wire': ['src/connector/domain', 'zod'],
  'src/connector/mcp': [
    'src/connector/wire',
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/services',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/express',
    'express',
    'zod',
  ],
  'src/connector/metrics': ['src/kernel', 'src/connector/domain', 'src/connector/ports', 'express', 'prom-client'],
  'src/connector/rest': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/wire',
    'src/connector/services',
    connectorErrors,
    'express',
    'zod',
  ],
  'src/connector/doctor': [
    'schemas',
    'src/kernel',
    'src/connector/bouncer',
    'src/connector/irc',
    'src/connector/store',
  ],
  'src/connector/admin': ['src/kernel', 'src/connector/services', connectorErrors, 'express', 'zod'],
  'src/connector/pages': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/services',
    connectorErrors,
    'express',
    'zod',
  ],
  'src/connector/http': [
    'src/kernel',
    'src/connector/pages',
    connectorErrors,
    'express',
    'express-rate-limit',
    'helmet',
  ],

  'src/termprog': ['schemas', 'src/kernel', termprogErrors, 'src/termprog/diagnostics.ts', ...termprogFolders],
  [termprogErrors]: ['src/kernel'],
  'src/termprog/diagnostics.ts': ['src/kernel'],
  'src/termprog/ports.ts': ['src/termprog/engine'],
  'src/termprog/engine': ['@xterm/headless'],
  'src/termprog/xresource': ['schemas', 'src/kernel', 'src/termprog/diagnostics.ts', termprogErrors],
  'src/termprog/pty': ['src/kernel', termprogErrors],
  'src/termprog/x11': ['src/kernel', termprogErrors, 'x11'],
  'src/termprog/fonts': ['src/termprog/x11', 'src/termprog/diagnostics.ts', termprogErrors, 'x11'],
  'src/termprog/render': ['src/termprog/x11', 'src/termprog/fonts', 'src/termprog/engine', 'x11'],
  'src/termprog/input': ['src/termprog/x11', 'src/termprog/engine', 'x11'],
  'src/termprog/translations': ['src/kernel'],
  'src/termprog/actions': ['src/termprog/ports.ts', 'src/termprog/engine', 'src/kernel'],
  'src/termprog/window': [
    ...['actions', 'engine', 'fonts', 'input', 'pty', 'render', 'translations', 'x11', 'xresource'].map(
      (folder) => `src/termprog/${folder}`,
    ),
    'src/termprog/ports.ts',
    'src/termprog/diagnostics.ts',
    termprogErrors,
    'x11',
  ],
};
