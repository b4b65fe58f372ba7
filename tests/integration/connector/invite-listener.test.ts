import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { needs } from '../../harness/needs.ts';
import { connectorCommand, secretFile } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const COMMAND_DEADLINE_MS = 60_000;
const TOKEN = 'admin-token-that-no-other-account-gets';

/** Account `nobody` of the machine. */
const NOBODY = 65_534;
/** Account of a person. */
const PERSON = 1_234;
/** Account that systemd makes for a service. */
const DYNAMIC = 64_333;

/** Answer of a program that would like the terminal of root to obey it. */
const ANSWER = '{"channels":["#room"],"note":"look \\u001b]0;here\\u0007 \\u009b31m"}';

/** Becomes that account, listens, takes one connection and prints what comes over it. @see the Python library, socket */
const LISTENER = `
import os, signal, socket, sys
address, how, account = sys.argv[1:]
os.setgroups([])
os.setgid(int(account))
os.setuid(int(account))
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
both = address == '::'
listener = socket.create_server((address, 0), family=socket.AF_INET6 if ':' in address else socket.AF_INET, dualstack_ipv6=both)
# A signal that is not blocked ends the program in place of its wait.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
print('port', listener.getsockname()[1], flush=True)
if how == 'takes it late': signal.sigwait([signal.SIGUSR1])
connection, _ = listener.accept()
if how == 'listens no more': listener.close()
print('got', connection.recv(65536), flush=True)
answer = b'${ANSWER.replaceAll('\\', '\\\\')}'
connection.sendall(b'HTTP/1.1 201 Created\\r\\ncontent-length: %d\\r\\nconnection: close\\r\\n\\r\\n%s' % (len(answer), answer))
`;

interface Invited {
  listener: ManagedProcess;
  port: string;
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

for (const place of [
  { address: '127.0.0.1' },
  { address: '0.0.0.0', reached: '127.0.0.1' },
  { address: '::', reached: '0.0.0.0' },
  { address: '::1' },
  { address: '::', reached: '::' },
]) {
  for (const how of ['answers', 'listens no more', 'takes it late']) {
    needs('root')(
      `a program of another account that listens at ${place.address} for ${place.reached ?? place.address} and ${how} does not get the admin token`,
      async () => {
        await using invited = await invite({ ...place, how });
        const { listener, port, exitCode, stdout, stderr } = invited;

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
        expect(stderr).toMatch(
          new RegExp(
            `^homeport-connector: the program that listens on \\S+ port ${port} belongs to the account with the number ${NOBODY}, and not to the connector, so it was not given the admin token: .*$`,
          ),
        );
        listener.kill('SIGUSR1');
        await waitFor('the connection is over', () => listener.output().includes('got '), { process: listener });
        expect(listener.output()).toContain("got b''");
      },
    );
  }
}

needs('root')(
  'the connector gets it where its account has the state directory, and no answer reaches the terminal as more than text',
  async () => {
    await using lines = await invite({ address: '127.0.0.1', account: PERSON, stateOf: PERSON });
    expect(lines.listener.output()).toContain(`Bearer ${TOKEN}`);
    expect(lines).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: 'bob has #room\nlook \ufffd]0;here\ufffd \ufffd31m',
    });

    await using json = await invite({ address: '127.0.0.1', account: PERSON, stateOf: PERSON }, ['--json']);
    expect(json.stdout).toContain(String.raw`"note": "look \u001b]0;here\u0007 \u009b31m"`);
  },
);

needs('root')(
  'the connector gets it where systemd maps the state directory of the account “nobody” to its own, and that account does not',
  async () => {
    await using connector = await invite({ address: '127.0.0.1', account: DYNAMIC, stateOf: NOBODY });
    expect(connector.listener.output()).toContain(`Bearer ${TOKEN}`);
    expect(connector).toMatchObject({ exitCode: 0, stderr: '' });

    for (const account of [NOBODY, PERSON]) {
      await using other = await invite({ address: '127.0.0.1', account, stateOf: NOBODY });
      expect(other).toMatchObject({ exitCode: 1, stdout: '' });
      expect(other.stderr).toContain(`belongs to the account with the number ${account}, and not to the connector`);
      expect(other.listener.output()).not.toContain(TOKEN);
    }
  },
);

/** Runs the command while a program of another account listens where the connector would. @param reached address of the configuration */
async function invite(
  {
    address,
    reached = address,
    how = 'answers',
    account = NOBODY,
    stateOf,
  }: { address: string; reached?: string; how?: string; account?: number; stateOf?: number },
  words: string[] = [],
): Promise<Invited & AsyncDisposable> {
  await using folder = await tempFolder();
  const listener = startProcess({
    name: 'a program of another account',
    command: ['python3', '-c', LISTENER, address, how, String(account)],
  });
  const port = await waitFor('it listens', () => /^port (\d+)$/m.exec(listener.output())?.[1], { process: listener });
  const configFile = await lonelyConfig(folder.path, {
    listen: { address: reached, port: Number(port) },
    adminTokenFile: await secretFile(folder.path, 'admin', TOKEN),
  });
  if (stateOf !== undefined) {
    mkdirSync(join(folder.path, 'state'), { mode: 0o700 });
    chownSync(join(folder.path, 'state'), stateOf, stateOf);
  }
  const [program, command, ...config] = connectorCommand(configFile, 'invite');
  const { exitCode, stdout, stderr } = await execa(program, [command ?? '', 'bob', ...words, ...config], {
    reject: false,
    timeout: COMMAND_DEADLINE_MS,
  });
  return { listener, port, exitCode, stdout, stderr, [Symbol.asyncDispose]: () => listener.stop() };
}
