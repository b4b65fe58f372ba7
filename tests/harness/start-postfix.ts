import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { writeProgram } from './fake-program.ts';
import { tempFolder } from './temp-folder.ts';

export interface RunningPostfix extends AsyncDisposable {
  /** Folder with a `postqueue` that asks this instance. */
  programs: string;
  /** Puts a message into the queue, where it stays. */
  send(recipients: readonly string[]): Promise<void>;
  /** Puts every message on hold. */
  hold(): Promise<void>;
  /** Ends the mail system; its queue stays. */
  stop(): Promise<void>;
}

/** Services an instance needs to take messages and list them. */
export const MASTER_CF = `
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 1 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
smtp unix - - n - - smtp
`;

/** Returns Postfix's configuration, which keeps all its files in this folder. */
export const mainCf = (folder: string): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = loopback-only
master_service_disable = inet
mydestination =
alias_maps =
alias_database =
default_transport = retry:kept for the tests
`;

/** Starts a Postfix of its own that opens no port; only root can. */
export async function startPostfix(): Promise<RunningPostfix> {
  const folder = await tempFolder();
  // Its processes run as an account of their own.
  await chmod(folder.path, 0o755);
  const [config, programs] = [join(folder.path, 'etc'), join(folder.path, 'bin')];
  for (const name of ['etc', 'bin', 'queue', 'data']) await mkdir(join(folder.path, name));
  await writeFile(join(config, 'main.cf'), mainCf(folder.path));
  await writeFile(join(config, 'master.cf'), MASTER_CF);
  await execa('chown', ['postfix', join(folder.path, 'data')]);
  writeProgram(programs, 'postqueue', `exec /usr/sbin/postqueue -c '${config}' "$@"`);
  const master = startProcess({
    name: 'postfix',
    // Its processes change accounts, so that only the end of a namespace is sure to end them all with this process.
    command: ['unshare', '--pid', '--fork', '--kill-child', '--', 'sh', '-c', `postfix -c '${config}' start-fg & wait`],
    env: { MAIL_CONFIG: undefined },
  });
  // unshare does not pass SIGTERM on; its end is the end of all in the namespace.
  const stop = async (): Promise<void> => {
    master.kill('SIGKILL');
    await master.ended;
  };
  const dispose = async (): Promise<void> => {
    await stop();
    await folder[Symbol.asyncDispose]();
  };
  // Without a running one root's postqueue reads the files itself, and complains.
  const isListing = async (): Promise<boolean> => (await execa(join(programs, 'postqueue'), ['-j'])).stderr === '';
  try {
    await waitFor('Postfix lists its queue', isListing, { process: master });
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    programs,
    send: async (recipients) => {
      const input = 'Subject: kept\n\nNobody reads this.\n';
      await execa('/usr/sbin/sendmail', ['-C', config, '-f', 'ada@example.org', ...recipients], { input });
    },
    hold: async () => void (await execa('/usr/sbin/postsuper', ['-c', config, '-h', 'ALL'])),
    stop,
    [Symbol.asyncDispose]: dispose,
  };
}
