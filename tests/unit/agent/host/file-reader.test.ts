import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileReader } from '../../../../src/agent/host/file-reader.ts';

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'homeport-file-reader-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

test('a kept file of /proc is made anew at each read', () => {
  const reader = new FileReader(true);
  onTestFinished(() => reader.close());
  const first = Number(reader.read('/proc/uptime').split(' ')[0]);

  let second = first;
  while (second === first) second = Number(reader.read('/proc/uptime').split(' ')[0]);

  expect(second).toBeGreaterThan(first);
});

test('kept files hold one descriptor each until the reader is closed', () => {
  const before = openDescriptors();
  const reader = new FileReader(true);
  for (let round = 0; round < 5; round += 1) {
    reader.read('/proc/stat');
    reader.read('/proc/loadavg');
  }
  expect(openDescriptors()).toBe(before + 2);

  reader.close();

  expect(openDescriptors()).toBe(before);
});

test('a kept file whose process has gone is opened once more, and is an error when that fails too', async () => {
  const link = join(temporaryDirectory(), 'stat');
  const reader = new FileReader(true);
  onTestFinished(() => reader.close());
  const before = openDescriptors();
  const start = () => {
    const sleeper = spawn('sleep', ['1000'], { stdio: 'ignore' });
    rmSync(link, { force: true });
    symlinkSync(`/proc/${sleeper.pid}/stat`, link);
    const ended = once(sleeper, 'exit');
    const end = async (): Promise<void> => {
      sleeper.kill('SIGKILL');
      await ended;
    };
    return { pid: sleeper.pid, end };
  };

  const first = start();
  expect(reader.read(link)).toContain(`${first.pid} (`);
  const second = start();
  // The kept descriptor is still that of the first process.
  expect(reader.read(link)).toContain(`${first.pid} (`);
  await first.end();
  expect(reader.read(link)).toContain(`${second.pid} (`);
  expect(openDescriptors()).toBe(before + 1);

  await second.end();
  expect(() => reader.read(link)).toThrow(`could not read ${link}: ENOENT: no such file or directory`);
  expect(openDescriptors()).toBe(before);
});

test('a plain file that was replaced is read anew', () => {
  const directory = temporaryDirectory();
  const [path, next] = [join(directory, 'a'), join(directory, 'b')];
  const reader = new FileReader(false);
  writeFileSync(path, 'old');
  expect(reader.read(path)).toBe('old');

  writeFileSync(next, 'new');
  renameSync(next, path);

  expect(reader.read(path)).toBe('new');
});

test('a file larger than the first buffer is read whole, byte by byte', () => {
  const path = join(temporaryDirectory(), 'large');
  writeFileSync(path, Buffer.alloc(200_001, '\xff', 'latin1'));

  const text = new FileReader(false).read(path);

  expect(text).toBe('\xff'.repeat(200_001));
});

test('a missing file is named in the error, and leaves no descriptor open', () => {
  const reader = new FileReader(true);
  const before = openDescriptors();

  expect(() => reader.read('/proc/none')).toThrow('could not read /proc/none: ENOENT: no such file or directory');
  expect(() => reader.read('/proc')).toThrow('could not read /proc: EISDIR');
  expect(openDescriptors()).toBe(before);
});
