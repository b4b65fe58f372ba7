import { expect, test } from 'vitest';
import { collectResources, type ResourceHost } from '../../../../src/termprog/xresource/sources.ts';
import { processorMs } from '../../../harness/processor-time.ts';

const name = { instance: 'term', class: 'Term' };

function titleFrom(host: Partial<ResourceHost> & { files?: Record<string, string> }, lines: readonly string[] = []) {
  const database = collectResources(
    {
      environment: { HOME: '/home/ada', ...host.environment },
      hostName: 'tower',
      readFile: (path) => host.files?.[path],
      resourceManager: host.resourceManager,
      screenResources: host.screenResources,
    },
    name,
    lines.map((line) => ({ kind: 'line', line })),
  );
  const found = database.lookup({ names: ['term', 'title'], classes: ['Term', 'Title'] });
  return found && `${found.value} from ${found.source}`;
}

const everySource = {
  files: {
    '/etc/X11/app-defaults/Term': '*title: class',
    '/home/ada/Term': '*title: user',
    '/home/ada/.Xdefaults': '*title: instead of the server',
    '/home/ada/.Xdefaults-tower': '*title: host',
  },
  resourceManager: '*title: server',
  screenResources: '*title: screen',
};

test('sources are read weakest first', () => {
  const { files, ...properties } = everySource;
  const only = (...paths: (keyof typeof files)[]) => ({
    files: Object.fromEntries(paths.map((path) => [path, files[path]])),
  });
  expect(titleFrom({})).toBeUndefined();
  expect(titleFrom(only('/etc/X11/app-defaults/Term'))).toBe('class from /etc/X11/app-defaults/Term');
  expect(titleFrom(only('/etc/X11/app-defaults/Term', '/home/ada/Term'))).toBe('user from /home/ada/Term');
  const user = only('/etc/X11/app-defaults/Term', '/home/ada/Term', '/home/ada/.Xdefaults');
  expect(titleFrom(user)).toBe('instead of the server from /home/ada/.Xdefaults');
  expect(titleFrom({ ...user, resourceManager: '*title: server' })).toBe('server from RESOURCE_MANAGER');
  expect(titleFrom({ ...user, ...properties })).toBe('screen from SCREEN_RESOURCES');
  expect(titleFrom(everySource)).toBe('host from /home/ada/.Xdefaults-tower');
  expect(titleFrom(everySource, ['*title: option'])).toBe('option from command line: -xrm');
});

test('a stronger binding wins over a stronger source', () => {
  expect(titleFrom({ ...everySource, resourceManager: 'term.title: tight' }, ['*title: loose'])).toBe(
    'tight from RESOURCE_MANAGER',
  );
});

test('XENVIRONMENT takes the place of the file of the host', () => {
  const files = { ...everySource.files, '/tmp/mine': '*title: mine' };
  expect(titleFrom({ ...everySource, files, environment: { XENVIRONMENT: '/tmp/mine' } })).toBe('mine from /tmp/mine');
});

test('search paths of the environment take the place of the defaults', () => {
  const files = { '/a/app-defaults/Term': '*title: a', '/b/Term': '*title: b' };
  expect(titleFrom({ files, environment: { XFILESEARCHPATH: '/missing/%N:/a/%T/%N' } })).toBe(
    'a from /a/app-defaults/Term',
  );
  expect(titleFrom({ files, environment: { XUSERFILESEARCHPATH: '/b/%N' } })).toBe('b from /b/Term');
  expect(titleFrom({ files, environment: { XAPPLRESDIR: '/b' } })).toBe('b from /b/Term');
});

test('the customization resource picks the file', () => {
  const files = { '/etc/X11/app-defaults/Term': '*title: plain', '/etc/X11/app-defaults/Term-color': '*title: colour' };
  expect(titleFrom({ files, resourceManager: 'term*customization: -color' })).toBe(
    'colour from /etc/X11/app-defaults/Term-color',
  );
});

test('files are included relative to the file that includes them', () => {
  const files = { '/home/ada/.Xdefaults': '#include "more/x"', '/home/ada/more/x': '*title: included' };
  expect(titleFrom({ files })).toBe('included from /home/ada/.Xdefaults');
});

test('a search path of very many places is gone through in bounded time, each place once', () => {
  const searchPath = Array.from({ length: 30_000 }, (_, index) => `/${index}:/${index}`).join(':');
  const read: string[] = [];
  const search = () =>
    collectResources(
      {
        environment: { HOME: '/home/ada', XFILESEARCHPATH: searchPath },
        hostName: 'tower',
        readFile: (path) => void read.push(path),
        resourceManager: '',
        screenResources: undefined,
      },
      name,
      [],
    );
  expect(processorMs(search)).toBeLessThan(1_000);
  expect(read.filter((path) => path === '/7')).toHaveLength(1);
});

test('a file that is found is read once', () => {
  const read: string[] = [];
  collectResources(
    {
      environment: { HOME: '/home/ada', XENVIRONMENT: '/tmp/mine' },
      hostName: 'tower',
      readFile: (path) => {
        read.push(path);
        return path === '/tmp/mine' ? '*title: mine' : undefined;
      },
      resourceManager: '',
      screenResources: undefined,
    },
    name,
    [],
  );
  expect(read.filter((path) => path === '/tmp/mine')).toHaveLength(1);
});
