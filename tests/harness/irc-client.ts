import { waitFor } from '../../scripts/stack/wait-for.ts';
import { type IrcConnection, openConnection } from '../../src/connector/irc/irc-connection.ts';
import { formatLine, type IrcLine } from '../../src/connector/irc/line.ts';

/** Another person on IRC: a plain client of the server, without a bouncer. */
export interface IrcClient extends Disposable {
  nick: string;
  lines: IrcLine[];
  say(channel: string, text: string): void;
  send(command: string, ...params: string[]): void;
  /** Resolves with the first line that matches, also an earlier one. */
  seen(what: string, matches: (line: IrcLine) => boolean): Promise<IrcLine>;
}

export async function joinIrc(
  { host, port }: { host: string; port: number },
  nick: string,
  channels: readonly string[],
): Promise<IrcClient> {
  const lines: IrcLine[] = [];
  const connection: IrcConnection = await openConnection(
    { host, port },
    {
      onLine: (line) => {
        lines.push(line);
        if (line.command === 'PING') connection.write(formatLine('PONG', line.params));
      },
      onClose: () => undefined,
    },
  );
  const client: IrcClient = {
    nick,
    lines,
    send: (command, ...params) => {
      if (!connection.write(formatLine(command, params))) throw new Error(`${nick} can’t write`);
    },
    say: (channel, text) => client.send('PRIVMSG', channel, text),
    seen: (what, matches) => waitFor(`${nick} sees ${what}`, () => lines.find(matches)),
    [Symbol.dispose]: () => connection.close(),
  };
  client.send('NICK', nick);
  client.send('USER', nick, '0', '*', nick);
  await client.seen('its welcome', ({ command }) => command === '001');
  for (const channel of channels) {
    client.send('JOIN', channel);
    await client.seen(`${channel} joined`, ({ command, params }) => command === '366' && params[1] === channel);
  }
  return client;
}
