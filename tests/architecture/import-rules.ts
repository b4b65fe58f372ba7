/**
 * Folder -> folders and packages it may import besides itself and Node's own modules. The longest matching folder decides.
 * One place tells the direction of every arrow: programs never import each other, the core never imports the shell.
 */
export const mayImport: Record<string, readonly string[]> = {
  schemas: ['zod'],
  'src/kernel': ['zod', 'pino', 'jsonc-parser', 'package.json'],
  'src/generate': ['schemas', 'src/kernel', 'zod'],

  'src/agent': [
    'src/kernel',
    'schemas',
    'src/agent/host',
    'src/agent/collectors',
    'src/agent/report',
    'src/agent/exposition',
    'src/agent/http',
  ],
  'src/agent/errors.ts': ['src/kernel'],
  'src/agent/host': ['src/kernel', 'src/agent/errors.ts'],
  'src/agent/exposition': [],
  'src/agent/collectors': ['src/kernel', 'src/agent/errors.ts', 'src/agent/host', 'src/agent/exposition', 'schemas'],
  'src/agent/report': [
    'src/kernel',
    'src/agent/errors.ts',
    'src/agent/host',
    'src/agent/collectors',
    'src/agent/exposition',
    'schemas',
  ],
  'src/agent/http': ['src/kernel', 'src/agent/errors.ts', 'src/agent/report', 'src/agent/exposition', 'schemas'],
};
