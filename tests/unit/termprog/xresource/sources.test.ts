import { expect, test } from 'vitest';
import type { CommandLineResource } from '../../../../src/termprog/xresource/command-line.ts';
import { collectResources, type ResourceHost } from '../../../../src/termprog/xresource/sources.ts';
import { processorMs } from '../../../harness/processor-time.ts';

const name = { instance: 'term', class: 'Term' };

type Sources = Partial<ResourceHost> & { files?: Readonly<Record<string, string>> };

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

test('each source is stronger than those before it', () => {
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

test('the later line of one source counts', () => {
  expect(titleFrom({ resourceManager: '*title: first\n*title: second' })).toBe('second from RESOURCE_MANAGER');
  expect(titleFrom({}, ['*title: first', '*title: second'])).toBe('second from command line: -xrm');
});

test('a property that is empty still takes the place of the file', () => {
  expect(titleFrom({ files: everySource.files, resourceManager: '' })).toBe('host from /home/ada/.Xdefaults-tower');
  expect(titleFrom({ files: { '/home/ada/.Xdefaults': '*title: file' }, resourceManager: '' })).toBeUndefined();
});

test('XENVIRONMENT takes the place of the file of the host, even where it names none', () => {
  const files = { ...everySource.files, '/tmp/mine': '*title: mine' };
  expect(titleFrom({ ...everySource, files, environment: { XENVIRONMENT: '/tmp/mine' } })).toBe('mine from /tmp/mine');
  expect(titleFrom({ ...everySource, files, environment: { XENVIRONMENT: '' } })).toBe('screen from SCREEN_RESOURCES');
});

test('search paths of the environment take the place of the defaults', () => {
  const files = { '/a/app-defaults/Term': '*title: a', '/b/Term': '*title: b' };
  expect(titleFrom({ files, environment: { XFILESEARCHPATH: '/missing/%N:/a/%T/%N' } })).toBe(
    'a from /a/app-defaults/Term',
  );
  expect(titleFrom({ files, environment: { XUSERFILESEARCHPATH: '/b/%N' } })).toBe('b from /b/Term');
  expect(titleFrom({ files, environment: { XAPPLRESDIR: '/b' } })).toBe('b from /b/Term');
});

test('files of a user are looked for by language and customization, and have no type', () => {
  const path = (environment: Record<string, string>) =>
    collect({ environment: { LANG: 'de_AT.UTF-8', ...environment } }, ['*customization: -color']).read;
  const inHome = ['/home/ada/de_AT.UTF-8/Term', '/home/ada/de/Term', '/home/ada/Term'];
  const customized = inHome.map((file) => `${file}-color`);
  expect(path({}).slice(2, 8)).toEqual([...customized, ...inHome]);
  expect(path({ XAPPLRESDIR: '/r' }).slice(2, 10)).toEqual([
    ...['/r/de_AT.UTF-8/Term-color', '/r/de/Term-color', '/r/Term-color', '/home/ada/Term-color'],
    ...['/r/de_AT.UTF-8/Term', '/r/de/Term', '/r/Term', '/home/ada/Term'],
  ]);
  expect(path({ XUSERFILESEARCHPATH: '/u/%T/%l/%t/%c/%N%C' })[2]).toBe('/u/de/AT/UTF-8/Term-color');
});

test('the customization resource picks the file, whichever stronger source sets it', () => {
  const files = {
    '/etc/X11/app-defaults/Term': '*title: plain',
    '/etc/X11/app-defaults/Term-color': '*title: colour',
    '/home/ada/custom': '*customization: -color',
  };
  const colour = 'colour from /etc/X11/app-defaults/Term-color';
  expect(titleFrom({ files, resourceManager: 'term*customization: -color' })).toBe(colour);
  expect(titleFrom({ files, environment: { XENVIRONMENT: '/home/ada/custom' } })).toBe(colour);
  expect(titleFrom({ files, environment: { XUSERFILESEARCHPATH: '/home/ada/custom' } })).toBe(colour);
  expect(titleFrom({ files })).toBe('plain from /etc/X11/app-defaults/Term');
});

test('the language comes from the resource, else from the environment, else it is C', () => {
  const files = {
    '/etc/X11/fr/app-defaults/Term': '*title: fr',
    '/etc/X11/de/app-defaults/Term': '*title: de',
    '/etc/X11/C/app-defaults/Term': '*title: C',
  };
  const languageOf = (environment: Record<string, string>, resource?: string) =>
    titleFrom({ files, environment, resourceManager: resource ?? '' })?.split(' ')[0];
  expect(languageOf({})).toBe('C');
  expect(languageOf({ LANG: 'de_DE.UTF-8' })).toBe('de');
  expect(languageOf({ LANG: 'de_DE', LC_CTYPE: 'fr_FR' })).toBe('fr');
  expect(languageOf({ LANG: 'fr_FR', LC_CTYPE: 'fr_FR', LC_ALL: 'de_DE' })).toBe('de');
  expect(languageOf({ LC_ALL: 'fr_FR' }, '*xnlLanguage: de')).toBe('de');
});

test('files are included relative to the file that includes them', () => {
  const files = { '/home/ada/.Xdefaults': '#include "more/x"', '/home/ada/more/x': '*title: included' };
  expect(titleFrom({ files })).toBe('included from /home/ada/.Xdefaults');
});

test('a file that can not be included is reported with the source that names it', () => {
  const files = { '/home/ada/.Xdefaults': '#include "more/x"' };
  const why = 'has no effect: there is no such file, or none that can be read';
  expect(collect({ files }).problems).toEqual([
    `resources of /home/ada/.Xdefaults: #include "/home/ada/more/x" ${why}`,
  ]);
  expect(collect({ resourceManager: '#include "y"' }).problems).toEqual([
    `resources of RESOURCE_MANAGER: #include "y" ${why}`,
  ]);
  expect(collect({}, ['#include "z"']).problems).toEqual([`-xrm: #include "z" ${why}`]);
});

test('a file that can not be read is reported, with the source that names it', () => {
  const large = (path: string, tell?: (obstacle: string) => void): undefined => {
    if (path.endsWith('large')) tell?.('it has more than 9 bytes');
  };
  const problems = (environment: Record<string, string>, line: string): readonly string[] =>
    collect({ readFile: large, resourceManager: '', environment }, [line]).problems;

  expect(problems({ XENVIRONMENT: '/large' }, '*a: b')).toEqual([
    'resources of /large have no effect: it has more than 9 bytes',
  ]);
  expect(problems({ XFILESEARCHPATH: '/missing:/etc/large' }, '#include "large"')).toEqual([
    '-xrm: #include "large" has no effect: it has more than 9 bytes',
    'resources of /etc/large have no effect: it has more than 9 bytes',
  ]);
});

test('a missing file that XENVIRONMENT names is reported', () => {
  expect(collect({ environment: { XENVIRONMENT: '/missing' } }).problems).toEqual([
    'resources of /missing have no effect: XENVIRONMENT: there is no such file, or none that can be read',
  ]);
  expect(collect({ environment: { XENVIRONMENT: '' } }).problems).toEqual([]);
  expect(collect({}).problems).toEqual([]);
});

test('a line for -xrm without a value is reported, and a comment is accepted', () => {
  expect(collect({}, ['nonsense']).problems).toEqual([
    '-xrm "nonsense" sets no resource: expected NAME: VALUE, such as *title: Work',
  ]);
  expect(collect({}, ['! comment', '*title: x']).problems).toEqual([]);
});

test('a line for -xrm may have any characters', () => {
  expect(titleFrom({}, ['*title: Ж Ã© ü'])).toBe('Ж Ã© ü from command line: -xrm');
});

test('a search path of very many places is gone through in bounded time, each place once', () => {
  const searchPath = Array.from({ length: 30_000 }, (_, index) => `/${index}:/${index}`).join(':');
  let read: readonly string[] = [];
  const search = (): void => {
    ({ read } = collect({ environment: { XFILESEARCHPATH: searchPath }, resourceManager: '' }));
  };
  expect(processorMs(search)).toBeLessThan(1_000);
  expect(read.filter((path) => path === '/7')).toHaveLength(1);
});

test('a file that is found is read once', () => {
  const { read } = collect({ files: { '/tmp/mine': '*title: mine' }, environment: { XENVIRONMENT: '/tmp/mine' } });
  expect(read.filter((path) => path === '/tmp/mine')).toHaveLength(1);
});

/** Collects the sources' resources, with the files that were looked for. */
function collect({ files = {}, ...host }: Sources, lines: readonly string[] = []) {
  const read: string[] = [];
  const commandLine = lines.map((line): CommandLineResource => ({ kind: 'line', line }));
  const { database, problems } = collectResources(
    {
      environment: {},
      home: '/home/ada',
      hostName: 'tower',
      readFile: (path) => {
        read.push(path);
        return files[path];
      },
      resourceManager: undefined,
      screenResources: undefined,
      ...host,
    },
    name,
    commandLine,
  );
  const ask = (resource: string, className: string) =>
    database.lookup({ names: ['term', resource], classes: ['Term', className] });
  return { read, problems, title: ask('title', 'Title') };
}

function titleFrom(sources: Sources, lines: readonly string[] = []): string | undefined {
  const { title } = collect(sources, lines);
  return title && `${title.value} from ${title.source}`;
}
