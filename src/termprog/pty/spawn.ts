import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandUnavailableError } from '../errors.ts';
import { bytesOfText } from './byte-text.ts';
import type { Invocation } from './child-command.ts';
import { isProgram } from './is-program.ts';
import type { CFunction, Library } from './library.ts';
import { createOpenFilesLimit } from './open-files-limit.ts';

/** A program to start on a terminal. */
export interface SpawnRequest extends Invocation {
  /** Path of the terminal, which becomes the controlling one. */
  slave: string;
  /** Variables as `NAME=value`. */
  environment: readonly string[];
  /** Soft limit of open files; this program's own if undefined. */
  openFilesLimit: number | undefined;
}

const O_RDWR = 0o2;
const O_CLOEXEC = 0o2000000;
/** Number of an error; errno(3). */
const ENOEXEC = 8;

/** Runs scripts that name no interpreter. */
const SHELL = '/bin/sh';

const SPAWN_SETSIGDEF = 0x04;
const SPAWN_SETSIGMASK = 0x08;
const SPAWN_SETSID = 0x80;

/** Room for `posix_spawnattr_t`, `posix_spawn_file_actions_t` and `sigset_t`; glibc needs 336, 80 and 128 bytes. */
const OPAQUE_BYTES = 512;

/** The first descriptor after the standard streams. */
const FIRST_STRAY_DESCRIPTOR = 3;

/**
 * Starts programs by posix_spawn(3): as a session leader, with default signals, and with no descriptor but the
 * terminal.
 */
export function createSpawn(library: Library): (request: SpawnRequest) => number {
  const posixSpawn = library.find(
    'int posix_spawnp(_Out_ int *pid, const char *file, void *actions, void *attributes, const char **argv, const char **envp)',
  );
  const actionsDestroy = library.find('int posix_spawn_file_actions_destroy(void *actions)');
  const attributesDestroy = library.find('int posix_spawnattr_destroy(void *attributes)');
  const createActions = createFileActions(library);
  const createAttributes = createSpawnAttributes(library);
  const withOpenFilesLimit = createOpenFilesLimit(library);
  return ({ program, slave, argv, environment, openFilesLimit }) => {
    const actions = createActions(slave);
    const attributes = createAttributes();
    const pid = [0];
    const start = (file: string, words: readonly string[]): number =>
      posixSpawn(pid, wordOf(file), actions, attributes, wordsOf(words), wordsOf(environment));
    const spawn = (): number => {
      const error = start(program, argv);
      // A script without an interpreter is run by the shell, as in execvp(3) but not in posix_spawnp(3).
      return error === ENOEXEC
        ? start(SHELL, [SHELL, findProgram(program, pathOf(environment)), ...argv.slice(1)])
        : error;
    };
    const error = openFilesLimit === undefined ? spawn() : withOpenFilesLimit(openFilesLimit, spawn);
    actionsDestroy(actions);
    attributesDestroy(attributes);
    if (error !== 0) throw new CommandUnavailableError(program, library.errorName(error));
    return pid[0] ?? 0;
  };
}

function createFileActions(library: Library): (slave: string) => Buffer {
  const init = library.find('int posix_spawn_file_actions_init(void *actions)');
  const addOpen = library.find(
    'int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, uint mode)',
  );
  const addDup = library.find('int posix_spawn_file_actions_adddup2(void *actions, int from, int to)');
  const addClose = library.find('int posix_spawn_file_actions_addclose(void *actions, int fd)');
  // Available since glibc 2.34.
  const addCloseFrom = library.findNew('int posix_spawn_file_actions_addclosefrom_np(void *actions, int from)');
  return (slave) => {
    const actions = Buffer.alloc(OPAQUE_BYTES);
    init(actions);
    // Opening the slave as the leader of a new session makes it the controlling terminal.
    addOpen(actions, 0, slave, O_RDWR, 0);
    addDup(actions, 0, 1);
    addDup(actions, 0, 2);
    if (addCloseFrom !== undefined) addCloseFrom(actions, FIRST_STRAY_DESCRIPTOR);
    else for (const descriptor of strayDescriptors()) addClose(actions, descriptor);
    return actions;
  };
}

function createSpawnAttributes(library: Library): () => Buffer {
  const init = library.find('int posix_spawnattr_init(void *attributes)');
  const setFlags = library.find('int posix_spawnattr_setflags(void *attributes, short flags)');
  const setDefaultSignals = library.find('int posix_spawnattr_setsigdefault(void *attributes, void *signals)');
  const setSignalMask = library.find('int posix_spawnattr_setsigmask(void *attributes, void *signals)');
  const signalSet = (fill: CFunction): Buffer => {
    const signals = Buffer.alloc(OPAQUE_BYTES);
    fill(signals);
    return signals;
  };
  const everySignal = signalSet(library.find('int sigfillset(void *signals)'));
  const noSignal = signalSet(library.find('int sigemptyset(void *signals)'));
  return () => {
    const attributes = Buffer.alloc(OPAQUE_BYTES);
    init(attributes);
    // Node ignores SIGPIPE and SIGXFSZ; a child would inherit that.
    setFlags(attributes, SPAWN_SETSID | SPAWN_SETSIGDEF | SPAWN_SETSIGMASK);
    setDefaultSignals(attributes, everySignal);
    setSignalMask(attributes, noSignal);
    return attributes;
  };
}

function wordsOf(words: readonly string[]): (string | Buffer | null)[] {
  return [...words.map(wordOf), null];
}

/** Text with bytes that are not UTF-8 is passed as bytes. */
function wordOf(word: string): string | Buffer {
  return word.isWellFormed() ? word : Buffer.concat([bytesOfText(word), Buffer.of(0)]);
}

function pathOf(environment: readonly string[]): string {
  return environment.find((variable) => variable.startsWith('PATH='))?.slice('PATH='.length) ?? '';
}

/** Returns the file of a program's name. */
function findProgram(program: string, path: string): string {
  if (program.includes('/')) return program;
  const candidates = path.split(':').map((folder) => join(folder || '.', program));
  return candidates.find((candidate) => isProgram(candidate)) ?? program;
}

/** Returns the descriptors beyond the standard ones that a new program would inherit. */
function strayDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor >= FIRST_STRAY_DESCRIPTOR && isInherited(descriptor));
  } catch {
    // Without /proc they are unknown.
    return [];
  }
}

/** Whether a descriptor is inherited; false for one that was closed meanwhile, such as that of the folder itself. */
function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // The descriptor was closed meanwhile.
    return false;
  }
}
