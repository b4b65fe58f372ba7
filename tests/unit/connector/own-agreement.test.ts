import { expect, test } from 'vitest';
import { connectorConfig } from '../../../schemas/connector.ts';
import { OwnAgreement } from '../../../src/connector/own-agreement.ts';
import type { SoftSettings } from '../../../src/connector/soft-settings.ts';
import { decidingSettings } from '../../../src/connector/stated-settings.ts';
import { Agreement } from '../../../src/connector/store/hold/agreement.ts';
import { listeningLog } from '../../harness/listening-log.ts';

const config = connectorConfig.parse({
  baseUrl: 'https://irc.example.org',
  ircChannels: ['#room'],
  settings: { ownerLogins: ['ada'] },
  identityProvider: { oidc: { issuer: 'https://id.example.org', clientId: 'x', clientSecretFile: '/secret' } },
  bouncer: { soju: { network: { address: 'ircs://irc.example.org' } } },
});

test.each([
  ['cut', (whole: string) => whole.slice(0, -5)],
  ['without a setting', (whole: string) => whole.replace('ownerLogins', 'owners')],
  ['no settings', () => '[]'],
])(
  'settings for all that are %s change nothing and are reported once, until whole ones are stored',
  async (_, damage) => {
    const { soft, messages, decide } = start();
    const settings = decidingSettings(config, ['#room', '#other']);
    const whole = JSON.stringify(settings);
    await decide(whole);
    expect(soft.decided).toEqual(settings);

    await decide(damage(whole));
    await decide(damage(whole));

    expect(soft.decided).toEqual(settings);
    expect(messages).toEqual([expect.stringContaining('decided_settings')]);
    const next = { ...settings, maxUsers: 7 };
    await decide(JSON.stringify(next));
    expect(soft.decided).toEqual(next);
  },
);

/** A process among others, one of which decides what the test says. */
function start() {
  const soft: SoftSettings = { inForce: config };
  let content: string | undefined;
  let decisions = 0;
  const agreement = new Agreement({
    agree: async () => ({
      others: [],
      check: undefined,
      decided: content === undefined ? undefined : { stamp: `${decisions}`, by: 'b on host', content },
    }),
    decide: async () => true,
  });
  const { log, messages } = listeningLog('info');
  new OwnAgreement({ soft, log }).follow(agreement);
  return {
    soft,
    messages,
    decide: (next: string) => {
      content = next;
      decisions += 1;
      return agreement.look();
    },
  };
}
