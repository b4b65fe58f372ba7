import { messageOf } from '../../kernel/errors.ts';
import { openConnection, parseAddress } from '../irc/irc-connection.ts';
import { formatLine, type IrcLine } from '../irc/line.ts';
import { type Check, ok, problem } from './check.ts';

const ANSWER_DEADLINE_MS = 5_000;
const REPLAY = 'draft/chathistory';

/** Returns the capabilities offered at an address. @throws Error if no IRC server answers there */
async function offeredAt(address: string): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const names: string[] = [];
  const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_DEADLINE_MS);
  const onLine = ({ command, params }: IrcLine): void => {
    if (command !== 'CAP') return;
    names.push(...(params.at(-1) ?? '').split(' '));
    if (params[2] !== '*') resolve(names);
  };
  const onClose = (error: Error | undefined): void => reject(error ?? new Error('the connection was closed'));
  try {
    const connection = await openConnection(parseAddress(address), { onLine, onClose });
    connection.write(formatLine('CAP', ['LS', '302']));
    return await promise.finally(() => connection.close());
  } finally {
    clearTimeout(timer);
  }
}

export const sojuListener: Check = {
  name: 'soju listener',
  examine: async ({ config }) => {
    const { address } = config.bouncer.soju;
    try {
      const offered = await offeredAt(address);
      if (offered.includes(REPLAY)) return ok(`${address} takes clients and can replay`);
      return problem(
        `${address} can’t replay missed lines`,
        'set "message-store db" in the configuration of soju and restart it',
      );
    } catch (error) {
      return problem(
        `${address}: ${messageOf(error)}`,
        'start soju, or set bouncer.soju.address to its "listen" of irc+insecure:// or unix://',
      );
    }
  },
};
