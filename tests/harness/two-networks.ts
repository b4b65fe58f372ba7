import { join } from 'node:path';
import { startErgo } from '../../scripts/stack/ergo.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { createAdminSocket } from '../../src/connector/bouncer/admin-socket.ts';
import type { Agent } from './agent.ts';
import { textsOf } from './history.ts';
import { type IrcClient, joinIrc } from './irc-client.ts';
import { agentIn } from './person.ts';
import { type ConnectorStack, startConnectorStack } from './start-connector.ts';
import { tempFolder } from './temp-folder.ts';

/** Ada, an owner, and her agent, who may be on two networks; she is online on the usual one. */
export interface TwoNetworks extends AsyncDisposable {
  stack: ConnectorStack;
  ada: Agent;
  /** bob is in the room of the usual network, eve in that of the network named "other". */
  bob: IrcClient;
  eve: IrcClient;
  /** Sends a form of the settings as ada, from this page, and gives the text of the page that follows. */
  submit(form: string, fields?: Record<string, string>, page?: string): Promise<string>;
  /** A person says something in the room until ada's agent has it: only those in the room hear it. */
  isHeard(speaker: IrcClient, text: string): Promise<void>;
  /** Invites a person to the room, whose agent goes online there. */
  newcomer(login: string): Promise<{ agent: Agent; accountId: string }>;
  /** Removes an account as ada. */
  remove(accountId: string): Promise<string>;
  /** Runs a command of soju. */
  soju(...words: string[]): Promise<string[]>;
  /** Names of the users that soju has for accounts. */
  usersOfSoju(): Promise<string[]>;
}

export async function startTwoNetworks(): Promise<TwoNetworks> {
  const folder = await tempFolder();
  const other = await startErgo({ folder: join(folder.path, 'other-ergo') });
  const otherNetworks = [{ name: 'other', address: `irc+insecure://${other.host}:${other.port}` }];
  const stack = await startConnectorStack({ isUnpaced: true, bouncer: { otherNetworks } });
  const [bob, eve] = await Promise.all([joinIrc(stack.ergo, 'bob', ['#room']), joinIrc(other, 'eve', ['#room'])]);
  const ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
  const submit = async (form: string, fields: Record<string, string> = {}, page = '/settings'): Promise<string> => {
    const browser = await stack.signIn('ada');
    const { body } = await browser.submit(await browser.open(stack.baseUrl + page), fields, form);
    return body;
  };
  const soju = (...words: string[]): Promise<string[]> => createAdminSocket(stack.soju.adminSocket)(words);
  return {
    stack,
    ada,
    bob,
    eve,
    submit,
    isHeard: (speaker, text) =>
      waitFor(`"${text}" is heard`, async () => {
        speaker.say('#room', text);
        return (await textsOf(ada)).includes(text);
      }).then(() => undefined),
    newcomer: async (login) => {
      await stack.invite(login, ['#room']);
      const agent = await agentIn(stack, login, ['#room']);
      await agent.call('go_online');
      return { agent, accountId: await accountOf(stack, login) };
    },
    remove: (accountId) => {
      const path = `/settings/people/${accountId}/remove`;
      return submit(path, {}, path);
    },
    soju,
    usersOfSoju: async () =>
      (await soju('user', 'status')).flatMap((line) => /^(homeport-[^\s:]+)/.exec(line)?.[1] ?? []),
    [Symbol.asyncDispose]: async () => {
      bob[Symbol.dispose]();
      eve[Symbol.dispose]();
      await ada[Symbol.asyncDispose]();
      await stack[Symbol.asyncDispose]();
      await other.process.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function accountOf(stack: ConnectorStack, login: string): Promise<string> {
  const database = stack.database.connect();
  const row: { account_id: string } | undefined = await database('accounts').where({ login }).first('account_id');
  await database.destroy();
  if (row === undefined) throw new Error(`${login} has no account`);
  return row.account_id;
}
