import { readFile } from 'node:fs/promises';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { Agent } from './agent.ts';
import { type Beside, serves, startBeside, toolsAt } from './beside.ts';
import { type IrcClient, joinIrc } from './irc-client.ts';
import { agentIn, connected } from './person.ts';
import { heardFrom } from './sending.ts';
import type { ConnectorStack } from './start-connector.ts';

/**
 * Two connectors on one database: one serves, the other one waits. Ada is online in #room, where bob listens. The tests of a
 * file share one pair: each begins with a process that serves and one that waits, and ends so by `replace`.
 */
export class StandbyPair implements AsyncDisposable {
  readonly stack: ConnectorStack;
  readonly ada: Agent;
  readonly bob: IrcClient;
  serving: Beside;
  waiting: Beside;
  readonly #change: Record<string, unknown>;

  private constructor(stack: ConnectorStack, { ada, bob, waiting, change, metricsPort }: Parts) {
    this.stack = stack;
    this.ada = ada;
    this.bob = bob;
    this.serving = { port: Number(new URL(stack.baseUrl).port), metricsPort, process: stack.connector };
    this.waiting = waiting;
    this.#change = change;
  }

  /** @param change options at the top of the configuration of all processes but the first one */
  static async start(stack: ConnectorStack, change: Record<string, unknown> = {}): Promise<StandbyPair> {
    const bob = await joinIrc(stack.ergo, 'bob', ['#room']);
    const ada = await agentIn(stack, 'ada', ['#room']);
    await ada.call('go_online');
    await connected(ada);
    const { metricsListen } = JSON.parse(await readFile(stack.configFile, 'utf8')) as {
      metricsListen?: { port: number };
    };
    const metricsPort = metricsListen?.port ?? Number.NaN;
    return new StandbyPair(stack, { ada, bob, waiting: await startBeside(stack, change), change, metricsPort });
  }

  /** Calls a tool at the process that serves. */
  call(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>> {
    return toolsAt(this.serving, this.ada)(tool, args);
  }

  /** Returns the lines with this text that bob heard from ada. */
  heard(text: string): string[] {
    return heardFrom(this.bob, 'ada').filter((line) => line.includes(text));
  }

  async timesStored(text: string): Promise<number> {
    const { entries } = await this.call('read_history', { channel: '#room', mode: 'recent', limit: 200 });
    return (entries as { text: string }[]).filter((entry) => entry.text === text).length;
  }

  async stored(text: string): Promise<void> {
    await waitFor(`“${text}” is stored`, async () => (await this.timesStored(text)) > 0);
  }

  /** Sends a text until it is accepted, and waits until bob hears it. */
  async say(text: string): Promise<void> {
    // The account may not be attached yet: then the send is refused, and may be repeated.
    await waitFor(`“${text}” is accepted`, async () => {
      await this.call('send_message', { channel: '#room', text, idempotency_key: text.replaceAll(' ', '-') });
      return true;
    });
    await waitFor(`“${text}” is heard`, () => this.heard(text).length > 0);
  }

  /** The one that waits serves, and has the account online. Until `replace` there is no one that waits. */
  async takeOver(): Promise<void> {
    await serves(this.waiting);
    this.serving = this.waiting;
    await this.online();
  }

  /** Resolves when the account is attached and its network is connected. */
  async online(): Promise<void> {
    await waitFor(
      'the network is connected',
      async () => (await this.call('see_account_information'))['upstreamConnected'] === true,
    );
  }

  /** Starts another process that waits. */
  async replace(): Promise<void> {
    this.waiting = await startBeside(this.stack, this.#change);
  }

  /** Number of times that people came or went on IRC, as bob sees it. */
  movements(): number {
    return this.bob.lines.filter(({ command }) => ['JOIN', 'PART', 'QUIT'].includes(command)).length;
  }

  /** Counts how often each text is in the history, and how often bob heard it. */
  async counts(texts: readonly string[]): Promise<Record<string, { stored: number; heard: number }>> {
    const counted: Record<string, { stored: number; heard: number }> = {};
    for (const text of texts) {
      counted[text] = { stored: await this.timesStored(text), heard: this.heard(text).length };
    }
    return counted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.waiting.process.stop();
    await this.serving.process.stop();
    this.bob[Symbol.dispose]();
    await this.ada[Symbol.asyncDispose]();
  }
}

interface Parts {
  ada: Agent;
  bob: IrcClient;
  waiting: Beside;
  change: Record<string, unknown>;
  /** Metrics port of the first process; NaN where it has no such port. */
  metricsPort: number;
}
