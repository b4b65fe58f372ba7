import { spawn } from 'node:child_process';
import { send } from './person.mjs';

const ADDRESS = /https?:\/\/\S+\/oauth\/authorize\?[\w.~%&=+-]+/;

/**
 * Runs a command of the client to its end, and gives what it printed. Where the command waits for the person, they are sent to the
 * address that it names.
 */
export async function run(program, ...args) {
  const child = spawn(process.execPath, [program, ...args], {
    // Some begin to read answers there.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, BROWSER: '/bin/true', NO_COLOR: '1', CI: '1' },
  });
  let [output, printed, isSent] = ['', '', false];
  const look = (text) => {
    printed += text;
    const [url] = ADDRESS.exec(printed) ?? [];
    // Printed as a whole: something comes after it.
    if (url === undefined || isSent || printed.endsWith(url)) return;
    isSent = true;
    send(url);
  };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    look(text);
  });
  child.stderr.setEncoding('utf8').on('data', look);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${printed}`);
  return output;
}

/** Runs a command that prints JSON. */
export const runForJson = async (...command) => JSON.parse(await run(...command));
