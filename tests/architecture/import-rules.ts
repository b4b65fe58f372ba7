/** What the composition of a program may know: all of its own folders. Only `main.ts` and its few neighbours stand there. */
const agentFolders = [
  'host',
  'collectors',
  'collection',
  'printing',
  'units',
  'exposition',
  'http',
  'user-units',
  'install',
].map((folder) => `src/agent/${folder}`);
const connectorFolders = [
  'domain',
  'doctor',
  'ports',
  'services',
  'presence',
  'upkeep',
  'browser',
  'bouncer',
  'store',
  'idp',
  'oauth',
  'outbound',
  'webhooks',
  'mcp',
  'rest',
  'metrics',
  'admin',
  'pages',
  'http',
  'install',
].map((folder) => `src/connector/${folder}`);
const termprogFolders = ['xresource', 'options', 'permissions', 'pty', 'x11', 'fonts', 'window'].map(
  (folder) => `src/termprog/${folder}`,
);

const agentErrors = 'src/agent/errors.ts';
const connectorErrors = 'src/connector/errors.ts';
const connectorRandom = 'src/connector/random.ts';
const connectorSemaphore = 'src/connector/semaphore.ts';
const termprogErrors = 'src/termprog/errors.ts';

/** Real servers and desktops that the demo, the benchmarks and the tests run against. */
const stack = 'scripts/stack';

/**
 * Folder -> folders and packages it may import besides itself. The longest matching folder decides.
 * One place tells the direction of every arrow: programs never import each other, the core never imports the shell.
 */
export const mayImport: Record<string, readonly string[]> = {
  schemas: ['zod'],
  'src/kernel': ['zod', 'pino', 'jsonc-parser', 'package.json'],
  'src/generate': ['schemas', 'src/kernel', 'src/termprog/engine', 'zod'],

  'src/report-client': ['schemas', 'zod'],

  'src/agent': ['schemas', 'src/kernel', agentErrors, ...agentFolders],
  [agentErrors]: ['src/kernel'],
  'src/agent/host': ['src/kernel', agentErrors],
  'src/agent/exposition': [],
  'src/agent/collectors': ['schemas', 'src/kernel', agentErrors, 'src/agent/host', 'src/agent/exposition'],
  'src/agent/collection': [
    'schemas',
    'src/kernel',
    agentErrors,
    'src/agent/host',
    'src/agent/collectors',
    'src/agent/exposition',
  ],
  'src/agent/units': ['schemas', 'src/kernel', agentErrors, 'src/agent/host', 'src/agent/collection'],
  'src/agent/printing': ['schemas'],
  'src/agent/http': ['src/kernel', 'src/agent/host', 'src/agent/collection', 'src/agent/units', 'src/agent/exposition'],
  'src/agent/user-units': ['src/kernel', 'src/agent/host'],
  'src/agent/install': ['schemas', 'src/kernel'],

  'src/connector': ['schemas', 'src/kernel', connectorErrors, ...connectorFolders],
  [connectorErrors]: ['src/kernel'],
  [connectorRandom]: [],
  [connectorSemaphore]: [],
  'src/connector/install': ['schemas', 'src/kernel'],
  'src/connector/domain': [],
  'src/connector/ports': ['src/connector/domain'],
  'src/connector/services': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/wire',
    connectorErrors,
  ],
  'src/connector/presence': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    connectorErrors,
    connectorRandom,
    connectorSemaphore,
  ],
  'src/connector/upkeep': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    connectorRandom,
    connectorSemaphore,
  ],
  'src/connector/browser': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    connectorErrors,
    'express',
    'zod',
  ],
  'src/connector/irc': ['irc-framework'],
  'src/connector/bouncer': ['src/connector/domain', 'src/connector/ports', 'src/connector/irc', connectorErrors],
  'src/connector/store': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    connectorErrors,
    'knex',
    'zod',
    connectorRandom,
  ],
  'src/connector/idp': ['src/connector/domain', 'src/connector/ports', connectorErrors, 'openid-client'],
  'src/connector/oauth': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/http',
    'oidc-provider',
    'express',
    connectorRandom,
  ],
  'src/connector/outbound': ['ipaddr.js'],
  'src/connector/webhooks': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/outbound',
    connectorErrors,
    connectorRandom,
    'standardwebhooks',
    'zod',
  ],
  'src/connector/wire': ['src/connector/domain', 'zod'],
  'src/connector/mcp': [
    'src/connector/wire',
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/services',
    'src/connector/http',
    connectorErrors,
    '@modelcontextprotocol/server',
    'express',
    'zod',
  ],
  'src/connector/metrics': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/http',
    'express',
    'prom-client',
  ],
  'src/connector/rest': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/wire',
    'src/connector/services',
    'src/connector/http',
    connectorErrors,
    'express',
    'zod',
  ],
  'src/connector/doctor': [
    'schemas',
    'src/kernel',
    'src/connector/bouncer',
    'src/connector/idp',
    'src/connector/irc',
    'src/connector/store',
  ],
  'src/connector/admin': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/wire',
    'src/connector/services',
    'src/connector/http',
    connectorErrors,
    'express',
    'zod',
  ],
  'src/connector/pages': [
    'src/kernel',
    'src/connector/domain',
    'src/connector/ports',
    'src/connector/services',
    'src/connector/browser',
    'src/connector/http',
    connectorErrors,
    'express',
    'zod',
  ],
  'src/connector/http': [
    'src/kernel',
    'src/connector/domain',
    connectorErrors,
    'express',
    'express-rate-limit',
    'helmet',
  ],

  'src/termprog': ['schemas', 'src/kernel', termprogErrors, 'src/termprog/diagnostics.ts', ...termprogFolders],
  [termprogErrors]: ['src/kernel'],
  'src/termprog/diagnostics.ts': ['src/kernel'],
  'src/termprog/options': ['schemas', 'src/termprog/xresource'],
  'src/termprog/ports': ['src/termprog/engine', 'src/termprog/options'],
  'src/termprog/engine': ['@xterm/headless'],
  'src/termprog/xresource': [
    'schemas',
    'src/kernel',
    'src/termprog/color',
    'src/termprog/diagnostics.ts',
    termprogErrors,
  ],
  'src/termprog/pty': ['src/kernel', termprogErrors],
  'src/termprog/color': [],
  'src/termprog/desktop': ['src/kernel'],
  'src/termprog/x11': ['src/kernel', 'src/termprog/color', termprogErrors, 'x11'],
  'src/termprog/fonts': ['src/termprog/x11', 'src/termprog/diagnostics.ts', termprogErrors, 'x11'],
  'src/termprog/render': ['src/termprog/x11', 'src/termprog/color', 'src/termprog/fonts', 'src/termprog/engine', 'x11'],
  'src/termprog/input': ['src/termprog/x11', 'src/termprog/engine', 'x11'],
  'src/termprog/translations': ['src/kernel'],
  'src/termprog/actions': ['src/termprog/ports'],
  'src/termprog/permissions': ['src/termprog/engine', 'src/termprog/options'],
  'src/termprog/selection': ['src/termprog/x11', 'x11'],
  'src/termprog/window': [
    ...[
      'actions',
      'color',
      'desktop',
      'engine',
      'fonts',
      'input',
      'options',
      'permissions',
      'ports',
      'pty',
      'render',
      'selection',
      'translations',
      'x11',
      'xresource',
    ].map((folder) => `src/termprog/${folder}`),
    'src/kernel',
    'src/termprog/diagnostics.ts',
    termprogErrors,
    'x11',
  ],

  scripts: ['execa'],
  // It writes a table of the engine.
  'scripts/character-data.ts': ['src/termprog/engine'],
  'scripts/build': ['esbuild', 'execa'],
  [stack]: ['src/kernel', 'execa', 'express', 'oidc-provider', 'playwright-core', 'pngjs', 'x11', 'zod'],
  'scripts/demo': [stack, 'scripts/demo/check', 'execa'],
  'scripts/demo/check': [
    stack,
    'scripts/demo',
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/sdk',
    'execa',
    'playwright-core',
    'pngjs',
    'standardwebhooks',
  ],

  // A benchmark of one program takes nothing from that of another.
  bench: ['bench/agent', 'bench/connector', 'bench/termprog'],
  'bench/quantile.ts': [],
  'bench/agent': [
    stack,
    'scripts/build',
    'bench/quantile.ts',
    'schemas',
    'src/kernel',
    'src/agent/host',
    'src/agent/collectors',
    'src/agent/collection',
    'src/agent/http',
    'src/agent/units',
    'esbuild',
    'execa',
  ],
  // It uses the same accounts, clients and agents as the tests.
  'bench/connector': [
    stack,
    'scripts/build',
    'bench/quantile.ts',
    'tests/harness',
    'src/connector/domain',
    'src/connector/irc',
    'src/connector/mcp',
    '@modelcontextprotocol/node',
    '@modelcontextprotocol/server',
    'esbuild',
    'execa',
    'express',
  ],
  'bench/termprog': [stack, 'bench/quantile.ts', 'x11'],
};

/** What reaches outside of the process: files, sockets, other programs, the machine. */
const files = ['node:fs', 'node:path'];
const sockets = ['node:net'];
const programs = ['node:child_process'];

/**
 * Folder of `src` or `schemas` -> Node's own modules it may import; where it has no row, none. Rules are values in,
 * values out, so what touches the world stands in few folders.
 */
export const mayUse: Record<string, readonly string[]> = {
  'src/kernel': [
    ...files,
    ...sockets,
    ...programs,
    ...['node:crypto', 'node:http', 'node:stream', 'node:timers/promises', 'node:util'],
  ],
  'src/generate': files,

  'src/agent': ['node:http'],
  'src/agent/host': [...files, ...sockets, ...programs, 'node:os', 'node:util'],
  'src/agent/http': [...sockets, 'node:http'],
  'src/agent/user-units': [...sockets, 'node:events'],
  'src/agent/install': [...files, ...programs],

  // The composition: it listens, and gives back memory.
  'src/connector': [...files, 'node:http', 'node:timers/promises', 'node:v8', 'node:vm'],
  [connectorRandom]: ['node:crypto'],
  'src/connector/install': files,
  // Hashes only: a test looks for randomness.
  'src/connector/domain': ['node:crypto'],
  // The server, whose connections it bounds.
  'src/connector/http': [...sockets, 'node:http'],
  // Types of requests and answers.
  'src/connector/ports': ['node:http'],
  // A file is sent while it is made.
  'src/connector/pages': ['node:stream/promises'],
  'src/connector/bouncer': ['node:crypto'],
  'src/connector/presence': ['node:timers/promises'],
  'src/connector/upkeep': ['node:timers/promises'],
  'src/connector/irc': [...sockets, 'node:string_decoder'],
  'src/connector/store': [...files, 'node:crypto', 'node:os', 'node:timers/promises', 'node:url'],
  'src/connector/oauth': ['node:async_hooks', 'node:http'],
  'src/connector/doctor': files,
  'src/connector/outbound': [...sockets, 'node:dns/promises', 'node:http', 'node:https', 'node:tls'],
  // Certificates of the owner's authorities.
  'src/connector/webhooks': ['node:crypto', 'node:fs'],

  'src/termprog': [...files, 'node:module', 'node:os', 'node:stream', 'node:tty', 'node:url', 'node:vm'],
  'src/termprog/xresource': ['node:buffer', 'node:path'],
  'src/termprog/desktop': programs,
  'src/termprog/pty': [...files, 'node:buffer', 'node:module', 'node:tty', 'node:url'],
  'src/termprog/selection': ['node:buffer'],
  'src/termprog/x11': sockets,
};
