import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Processor } from '../../../scripts/release/addons.ts';
import { buildPackages } from '../../../scripts/release/debian/build-packages.ts';
import { nodeParts } from '../../../scripts/release/debian/node-parts.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Packages of this machine's processor, on a machine that is busy. */
const BUILD_DEADLINE_MS = 240_000;
const RUN_DEADLINE_MS = 240_000;

const EPOCH = 1_700_000_000;

/** Versions of Ubuntu 22.04, the oldest system that the packages are for. */
const LIBRARIES_MAX: Readonly<Record<string, number>> = { libc6: 2.35, 'libstdc++6': 12 };

const debianTest = needs('Debian packages');

let folder: Awaited<ReturnType<typeof tempFolder>>;
let packages: Record<string, string>;

beforeAll(async () => {
  if (!has('Debian packages')) return;
  folder = await tempFolder();
  const files = await build('first');
  packages = Object.fromEntries(files.map((file) => [basename(file).replace(/_.*/, ''), file]));
}, BUILD_DEADLINE_MS);
afterAll(() => folder?.[Symbol.asyncDispose]());

const ofPackage = (name: string): string => packages[name] ?? `no package ${name} was built`;

const member = async (name: string, file: string): Promise<string> =>
  (await execa('dpkg-deb', ['--info', ofPackage(name), file], { reject: false })).stdout;

debianTest(
  'there is a package for each program, and one with Node.js that all of them need in its very version',
  async () => {
    expect(Object.keys(packages).sort()).toEqual(['homeport-agent', 'homeport-connector', 'homeport-node', 'termprog']);

    const { Version: version, Depends: libraries = '' } = await control('homeport-node');
    for (const name of ['homeport-agent', 'homeport-connector', 'termprog']) {
      const fields = await control(name);
      expect(fields['Version']).toBe(version);
      expect(fields['Depends']?.split(', ')).toContain(`homeport-node (= ${version})`);
    }
    for (const need of `${libraries}, ${(await control('homeport-connector'))['Depends']}`.split(', ')) {
      const [, library = '', needed = '0'] = /^([\w+.-]+) \(>= ([\d.]+)\)$/.exec(need) ?? [];
      expect(Number(needed), need).toBeLessThanOrEqual(LIBRARIES_MAX[library] ?? 0);
    }
    expect((await control('homeport-agent'))['Architecture']).toBe('all');
  },
);

interface Update {
  /** What systemctl and the program of the package were asked for, in order. */
  calls: string[];
  stderr: string;
}

/** Runs the script after an update, on a root of its own. @param answers what `systemctl` and the package's program do, by name */
async function update(program: string, answers: { systemctl: string; own: string }): Promise<Update> {
  await using made = await tempFolder();
  const [root, ran] = [made.path, join(made.path, 'ran')];
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  };
  put('local/systemd-sysusers', '#!/bin/sh\nexit 0\n');
  put('local/systemctl', `#!/bin/sh\n${answers.systemctl.replaceAll('RAN', ran)}\n`);
  put(`local/${program}`, `#!/bin/sh\necho another >>${ran}\n`);
  put(`usr/lib/homeport/bin/${program}`, `#!/bin/sh\necho "of the package $*" >>${ran}\n${answers.own}\n`);
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
  const config = `/etc/homeport/${program.replace('homeport-', '')}.json`;
  put(
    `etc/systemd/system/${program}.service`,
    `# Written by "${program} install-units", removed by uninstall-units.\nExecStart=${root}/usr/lib/homeport/bin/${program} run --config ${root}${config}\n`,
  );
  put(
    'postinst',
    (await member(program, 'postinst')).replaceAll(/\/(?:usr\/lib|etc|run)\/(?:homeport|systemd)/g, `${root}$&`),
  );

  const { stderr } = await execa('sh', [join(root, 'postinst'), 'configure', '0.0.1'], {
    env: { PATH: `${root}/local:/usr/bin:/bin` },
    extendEnv: false,
    timeout: RUN_DEADLINE_MS,
  });

  return { calls: readFileSync(ran, 'utf8').trimEnd().replaceAll(root, '').split('\n'), stderr };
}

const SERVICES = ['homeport-agent', 'homeport-connector'] as const;
const installs = (program: string): string =>
  `of the package install-units --config /etc/homeport/${program.replace('homeport-', '')}.json`;

debianTest('an update runs the program of the package, whatever has its name first in PATH', async () => {
  for (const program of SERVICES) {
    expect((await update(program, { systemctl: 'exit 0', own: 'exit 0' })).calls).toEqual([installs(program)]);
  }
});

debianTest(
  'a service that ran is started again when install-units is killed between its stop and its start',
  async () => {
    // It runs until install-units has been killed.
    const systemctl = 'case "$*" in *is-active*) [ ! -e RAN ] ;; *start*) echo "systemctl $*" >>RAN ;; esac';
    for (const program of SERVICES) {
      const { calls, stderr } = await update(program, { systemctl, own: 'kill -9 $$' });

      expect(calls).toEqual([installs(program), `systemctl --no-block start ${program}.service`]);
      expect(stderr).toContain(`the service was not brought up to date: see above, then run: ${program} install-units`);
    }
  },
);

debianTest('a service that goes on in spite of a refused update, or did not run before, is not started', async () => {
  const started = 'echo "systemctl $*" >>RAN';
  for (const program of SERVICES) {
    const goesOn = `case "$*" in *is-active*) exit 0 ;; *start*) ${started} ;; esac`;
    expect((await update(program, { systemctl: goesOn, own: 'exit 78' })).calls).toEqual([installs(program)]);
    const wasOff = `case "$*" in *is-active*) exit 3 ;; *start*) ${started} ;; esac`;
    expect((await update(program, { systemctl: wasOff, own: 'exit 78' })).calls).toEqual([installs(program)]);
  }
});

debianTest('files belong to root, and only programs may be run', async () => {
  const node = await contents('homeport-node');
  expect(node.every((line) => line.includes(' root/root /usr/'))).toBe(true);
  expect(node.filter((line) => line.startsWith('-rwxr-xr-x')).map((line) => basename(line))).toEqual(['node']);
  for (const program of ['homeport-agent', 'homeport-connector', 'termprog']) {
    const lines = await contents(program);
    expect(lines).toContain(`lrwxrwxrwx root/root /usr/bin/${program} -> ../lib/homeport/bin/${program}`);
    expect(lines.filter((line) => line.startsWith('-rwx'))).toEqual([
      `-rwxr-xr-x root/root /usr/lib/homeport/bin/${program}`,
    ]);
    const others = lines.filter((line) => line.startsWith('-') && !line.startsWith('-rwxr-xr-x'));
    expect(others.every((line) => line.startsWith('-rw-r--r-- root/root /'))).toBe(true);
    const paths = lines.map((line) => line.replace(/^\S+ \S+ /, ''));
    expect(paths).toEqual(
      expect.arrayContaining([
        `/usr/share/man/man1/${program}.1.gz`,
        `/usr/share/bash-completion/completions/${program}`,
        `/usr/share/zsh/vendor-completions/_${program}`,
        `/usr/share/fish/vendor_completions.d/${program}.fish`,
        `/usr/share/doc/${program}/copyright`,
        `/usr/share/doc/${program}/${program}.cdx.json`,
      ]),
    );
    // A unit is written for its configuration, and only once that has been checked.
    expect(paths.filter((path) => path.includes('systemd/system'))).toEqual([]);
  }
});

debianTest('what the owner of a machine may change is marked as theirs', async () => {
  expect(await member('homeport-agent', 'conffiles')).toBe('/etc/homeport/agent.json');
  expect(await member('termprog', 'conffiles')).toBe('/etc/X11/app-defaults/Term');
  // It is useless until its blanks are filled in: dpkg would ask each owner about a change of it.
  expect(await contents('homeport-connector')).not.toContainEqual(expect.stringContaining(' /etc/'));
});

debianTest('each package has the licences of what it brings', async () => {
  const root = await unpacked('licences');
  const copyright = (name: string): string => readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8');
  for (const name of Object.keys(packages))
    expect(copyright(name)).toMatch(/^MIT License\n\nCopyright \(c\) \d+ The Homeport/);
  expect(copyright('homeport-node')).toContain('Copyright Node.js contributors');
  expect(copyright('homeport-node')).toContain('Niels Martignène');
  expect(copyright('homeport-connector')).toContain(readFileSync('dist/connector.notices.txt', 'utf8'));
});

debianTest('the guides come along, and a link between two of them leads to a file', async () => {
  const root = await unpacked('guides');
  const docs = join(root, 'usr/share/doc');
  for (const program of ['homeport-agent', 'homeport-connector', 'termprog'])
    expect(readFileSync(join(docs, program, 'guides/package.md'), 'utf8')).toMatch(/^# /);
  const folder = join(docs, 'homeport-node/docs/guides');
  const links = readdirSync(folder).flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\(([\w./-]+\.md)(?:#[^)]*)?\)/g)].map(([, to = '']) => to),
  );
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((to) => !existsSync(join(folder, to)))).toEqual([]);
});

debianTest('each program runs from its package under the Node.js of the packages', async () => {
  const root = await unpacked('run');
  // A launcher needs these programs of the machine, without a Node.js.
  const bin = join(folder.path, 'bin');
  mkdirSync(bin);
  for (const name of ['readlink', 'dirname', 'getent']) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  const run = (program: string, ...words: string[]) =>
    execa(join(root, 'usr/bin', program), words, { extendEnv: false, env: { PATH: bin }, timeout: RUN_DEADLINE_MS });

  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  for (const words of [
    ['homeport-agent', '--version'],
    ['homeport-connector', '--version'],
    ['termprog', '-version'],
  ]) {
    const [program = '', ...rest] = words;
    expect((await run(program, ...rest)).stdout).toContain(version);
  }
  expect(JSON.parse((await run('homeport-agent', 'report', '--json')).stdout)).toHaveProperty('load');
});

debianTest('two builds of the same sources have the same bytes', async () => {
  for (const file of await build('second')) {
    const first = file.replace('/second/', '/first/');
    expect(readFileSync(file).equals(readFileSync(first)), basename(file)).toBe(true);
  }
});

debianTest('two builds at once into the same folder both give whole packages', async () => {
  for (const files of await Promise.all([build('both'), build('both')]))
    for (const file of files) {
      const first = file.replace('/both/', '/first/');
      expect(readFileSync(file).equals(readFileSync(first)), basename(file)).toBe(true);
    }
  expect(readdirSync(join(folder.path, 'both')).filter((name) => !name.endsWith('.deb'))).toEqual([]);
});

debianTest('a build that ends halfway leaves no file that looks like a package', async () => {
  const fakes = join(folder.path, 'fakes');
  mkdirSync(fakes);
  const halfway = '#!/bin/sh\nfor file; do :; done\necho half >"$file"\nexit 1\n';
  writeFileSync(join(fakes, 'dpkg-deb'), halfway, { mode: 0o755 });
  const { PATH: path = '' } = process.env;
  process.env['PATH'] = `${fakes}:${path}`;
  try {
    await expect(build('half')).rejects.toThrow('dpkg-deb');
  } finally {
    process.env['PATH'] = path;
  }

  expect(readdirSync(join(folder.path, 'half'))).toEqual([]);
});

/** All packages together, as the machine's root directory. */
async function unpacked(name: string): Promise<string> {
  const root = join(folder.path, name);
  for (const file of Object.values(packages)) await execa('dpkg-deb', ['--extract', file, root]);
  return root;
}

async function build(name: string): Promise<string[]> {
  const processor = process.arch as Processor;
  await using parts = await nodeParts(processor);
  return buildPackages({ folder: join(folder.path, name), processor, parts, epoch: EPOCH, compression: 'none' });
}

async function control(name: string): Promise<Record<string, string>> {
  const { stdout } = await execa('dpkg-deb', ['--field', ofPackage(name)]);
  return Object.fromEntries(
    [...stdout.matchAll(/^([\w-]+): (.*)$/gm)].map(([, field = '', value = '']) => [field, value]),
  );
}

/** `mode owner path` of all files and links. */
async function contents(name: string): Promise<string[]> {
  const { stdout } = await execa('dpkg-deb', ['--contents', ofPackage(name)]);
  return stdout
    .split('\n')
    .map((line) => line.split(/ +/))
    .map(([mode = '', owner = '', , , , ...path]) => `${mode} ${owner} ${path.join(' ').slice(1)}`)
    .filter((line) => !line.startsWith('d'));
}
