import type { IrcServer } from '../../scripts/stack/irc-server.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { Agent } from './agent.ts';
import { type IrcClient, joinIrc } from './irc-client.ts';
import type { IrcProxy } from './irc-proxy.ts';
import { agentIn } from './person.ts';
import { ProxiedServer } from './proxied-server.ts';
import { type ConnectorStack, type StackOptions, startConnectorStack } from './start-connector.ts';

/** Longest time from the acceptance of a send to its end while the link is up, in milliseconds. */
export const SETTLED_MS = 30_000;

/** Result of `send_message` and `get_message_status`. */
export type Sent = Record<string, unknown>;

/** Two people who are online in #room and #Ops through a proxy, and bob, who hears what comes out. */
export interface Sending extends AsyncDisposable {
  stack: ConnectorStack;
  /** Agents of ada and eve. */
  ada: Agent;
  eve: Agent;
  bob: IrcClient;
  proxy: IrcProxy;
  /** The IRC server behind the proxy. */
  server: IrcServer;
  /** Lines from the bouncers to the server. */
  passedOn: string[];
  /** The proxy's default for lines to the server: records the line in `passedOn` and passes it on. */
  passOn: (line: string) => string;
}

export async function startSending(options: Pick<StackOptions, 'isUnpaced'> = {}): Promise<Sending> {
  const passedOn: string[] = [];
  const passOn = (line: string): string => {
    passedOn.push(line);
    return line;
  };
  const server = new ProxiedServer();
  const stack = await startConnectorStack({ ...options, startServer: server.start });
  const { proxy, direct } = server;
  proxy.toServer = passOn;
  await stack.invite('eve');
  const channels = ['#room', '#Ops'];
  const [ada, eve] = [await agentIn(stack, 'ada', channels), await agentIn(stack, 'eve', channels)];
  const bob = await joinIrc(direct, 'bob', channels);
  for (const each of [ada, eve]) await each.call('go_online');
  return {
    ...{ stack, ada, eve, bob, proxy, server: direct, passedOn, passOn },
    [Symbol.asyncDispose]: async () => {
      bob[Symbol.dispose]();
      for (const part of [ada, eve, server, stack]) await part[Symbol.asyncDispose]();
    },
  };
}

export const say = (who: Agent, text: string, key?: string): Promise<Sent> =>
  who.call('send_message', { channel: '#room', text, ...(key === undefined ? {} : { idempotency_key: key }) });

export const statusOf = (who: Agent, sent: Sent): Promise<Sent> =>
  who.call('get_message_status', { message_id: sent['messageId'] });

export const becomes = (who: Agent, sent: Sent, status: string): Promise<Sent> =>
  waitFor(
    `the message is ${status}`,
    async () => {
      const now = await statusOf(who, sent);
      return now['status'] === status && now;
    },
    { timeoutMs: SETTLED_MS },
  );

/** Returns the texts that a listener heard from a nick, in order. */
export const heardFrom = (listener: IrcClient, nick: string): string[] =>
  listener.lines
    .filter(({ command, sender }) => command === 'PRIVMSG' && sender === nick)
    .map(({ params }) => params[1] ?? '');

/** 400 characters of two lines, every piece unlike any other. */
export const longText = (mark: string): string =>
  Array.from({ length: 100 }, (_, n) => `${mark}${String(n).padStart(2, '0')}🙂`).join('');
