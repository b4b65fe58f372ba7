import { type ConnectedAgent, callTool } from '../../../scripts/demo/check/connector/journey.ts';
import type { IrcClient } from '../../../scripts/demo/check/irc-client.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';

const RESTARTS = 20;

/** The connector waits longer between its attempts the more of them fail, at most a minute. */
const CATCH_UP_IDLE_MS = 120_000;

/** Lines that were said around the restarts of the bouncer, and those of them that the connector stored. */
export interface Interrupted {
  said: string[];
  stored: string[];
}

interface Parties {
  /** Runs a program in the container. */
  inside(...command: string[]): Promise<string>;
  agent: ConnectedAgent;
  /** The person on the other side. */
  irc: IrcClient;
  channel: string;
}

/**
 * Restarts soju many times and kills it once while a client speaks: before each end, and as soon as soju is back on
 * IRC.
 */
export async function interruptSoju({ inside, agent, irc, channel }: Parties): Promise<Interrupted> {
  const said: string[] = [];
  const say = (): void => {
    const text = `line ${said.length} around an end of soju`;
    said.push(text);
    irc.say(channel, text);
  };
  const { nick } = await callTool(agent, 'see_account_information');
  const joins = (): number =>
    irc.lines.filter((line) => line.startsWith(`:${nick}!`) && line.includes(` JOIN ${channel}`)).length;
  await waitFor('soju is in the channel', () => joins() > 0);
  /** A line that is still on its way to soju when soju ends is lost to it, as to every IRC client. */
  const isKept = async (): Promise<boolean> => {
    await inside(
      'grep',
      '--recursive',
      '--text',
      '--quiet',
      '--fixed-strings',
      said.at(-1) ?? '',
      '/var/lib/private/soju',
    );
    return true;
  };
  for (let restart = 0; restart <= RESTARTS; restart += 1) {
    const before = joins();
    say();
    await waitFor('soju keeps the line', isKept);
    // systemd would refuse the sixth start within ten seconds.
    await inside('systemctl', 'reset-failed', 'soju');
    if (restart < RESTARTS) await inside('systemctl', 'restart', 'soju');
    else await inside('systemctl', 'kill', '--signal=SIGKILL', 'soju');
    await waitFor('soju is back in the channel', () => joins() > before);
    say();
  }
  const stored = async (): Promise<string[]> => {
    const { entries } = (await callTool(agent, 'read_history', { channel, mode: 'recent', limit: 200 })) as {
      entries: { text: string }[];
    };
    return entries.map(({ text }) => text).filter((text) => /^line \d+ around/.test(text));
  };
  const wanted = said.length;
  const found = await waitFor(
    'the connector has every line',
    async () => {
      const lines = await stored();
      return lines.length >= wanted && lines;
    },
    { timeoutMs: CATCH_UP_IDLE_MS },
  ).catch(stored);
  return { said, stored: found };
}
