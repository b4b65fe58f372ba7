import { Pty } from '../../pty/pty.ts';
import { type Check, failed, ok } from './check.ts';

/** Output of the child, and its exit status. */
const WORDS = 'the child speaks: äöü';
const STATUS = 7;

/** Opens a pseudo-terminal, runs a child in it, and reads to its end. */
export const pty: Check = {
  name: 'pseudo-terminal',
  look: async ({ environment }, deadline) => {
    const variables = Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    const child = new Pty({
      program: '/bin/sh',
      argv: ['sh', '-c', `printf %s '${WORDS}'; exit ${STATUS}`],
      environment: variables,
      size: { columns: 80, rows: 24, width: 0, height: 0 },
    });
    const heard: Buffer[] = [];
    const end = await new Promise<{ exitCode: number | undefined }>((resolve) => {
      const giveUp = (): void => {
        child.hangUp();
        child.close();
        resolve({ exitCode: undefined });
      };
      deadline.addEventListener('abort', giveUp, { once: true });
      child.listen({
        onData: (bytes) => void heard.push(Buffer.from(bytes)),
        onDrained: () => {},
        onEnd: resolve,
      });
    });
    const text = Buffer.concat(heard).toString('utf8');
    if (text !== WORDS) return failed(`the child wrote other bytes than it was asked to: ${JSON.stringify(text)}`);
    if (end.exitCode !== STATUS) return failed(`the child ended with ${end.exitCode ?? 'no status'}, not ${STATUS}`);
    return ok('a child runs in it, and all its bytes arrive');
  },
};
