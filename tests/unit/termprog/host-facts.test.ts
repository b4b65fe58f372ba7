import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FILE_MAX_BYTES, readFile } from '../../../src/termprog/host-facts.ts';

const directory = mkdtempSync(join(tmpdir(), 'host-facts-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'file');

/** Returns the result of reading it in a process of its own, which may have to be ended. */
function readElsewhere(path: string): string {
  const module = JSON.stringify(new URL('../../../src/termprog/host-facts.ts', import.meta.url).href);
  const script = `import { readFile } from ${module}; process.stdout.write(\`\${readFile(${JSON.stringify(path)})}\`);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 120_000,
    killSignal: 'SIGKILL',
    maxBuffer: 100,
  });
  return stdout.toString();
}

for (const size of [0, 1, 4_096, 100_000]) {
  test(`a file of ${size} bytes is read whole`, () => {
    const content = Buffer.alloc(size, 'abc');
    writeFileSync(file, content);
    expect(readFile(file)?.equals(content)).toBe(true);
  });
}

test('a file of the kernel, which shows no size, is read whole', () => {
  expect(readFile('/proc/self/status')?.toString()).toMatch(/^Name:.*nonvoluntary_ctxt_switches:\s*\d+\n$/s);
});

test('a missing file and a folder do not count as a file', () => {
  expect(readFile(join(directory, 'missing'))).toBeUndefined();
  expect(readFile(directory)).toBeUndefined();
});

test('a file above the size limit does not count as a file', () => {
  truncateSync(file, FILE_MAX_BYTES);
  expect(readFile(file)).toHaveLength(FILE_MAX_BYTES);
  truncateSync(file, FILE_MAX_BYTES + 1);
  expect(readFile(file)).toBeUndefined();
});

test('a pipe without a writer does not count as a file and is not waited for', () => {
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(readElsewhere(pipe)).toBe('undefined');
});

test('an endless device does not count as a file', () => {
  expect(readElsewhere('/dev/zero')).toBe('undefined');
});

test('the reason why a present file can not be read is reported, and a missing file is not', () => {
  const told = (path: string): string[] => {
    const obstacles: string[] = [];
    expect(readFile(path, (obstacle) => obstacles.push(obstacle))).toBeUndefined();
    return obstacles;
  };
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('large'), '');
  truncateSync(at('large'), FILE_MAX_BYTES + 1);
  execFileSync('mkfifo', [at('told-pipe')]);
  symlinkSync('loop', at('loop'));
  symlinkSync('nowhere', at('dangling'));
  symlinkSync('large/below', at('through-a-file'));

  expect(told(at('large'))).toEqual(['it has more than 4194304 bytes']);
  expect(told(at('told-pipe'))).toEqual(['it is not a regular file']);
  expect(told(at('loop'))).toEqual(["it can't be read (ELOOP)"]);
  expect(told(at('through-a-file'))).toEqual(["it can't be read (ENOTDIR)"]);
  expect(told(at('large/below'))).toEqual([]);
  expect(told(at('missing'))).toEqual([]);
  expect(told(at('dangling'))).toEqual([]);
  expect(told(directory)).toEqual([]);
});

test('the null device is an empty file', () => {
  expect(readFile('/dev/null')).toEqual(Buffer.alloc(0));
});
