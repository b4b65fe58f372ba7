import { expect } from 'vitest';
import { needs } from '../../harness/needs.ts';
import { sojuHook } from '../../harness/nix/soju-hook.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const SCRIPT = '/etc/share-soju-sockets';
const PROBE = '/etc/probe.cjs';
const SOJU_CONFIG = '/etc/soju/config';

/** Connects to each socket and writes what came of it into the directory that the service may write. */
const probe = `
const { writeFileSync } = require('node:fs');
const connect = (path) => new Promise((resolve) =>
  require('node:net').connect(path).on('connect', () => resolve('connected')).on('error', ({ code }) => resolve(code)));
Promise.all(['/run/soju/admin', '/run/soju/irc'].map(connect)).then((answers) => {
  writeFileSync(process.env.STATE_DIRECTORY + '/answers', answers.join(' '));
  process.exit();
});
`;

needs('NIXPKGS_LIB or <nixpkgs/lib>', 'systemd containers')(
  'under systemd the hardened connector reaches both sockets of a soju beside it',
  async () => {
    const { script, units } = await unitsOfModules();
    await using container = await bootSystemd(units, {
      [SCRIPT.slice(1)]: `#!/bin/bash\n${script}`,
      [PROBE.slice(1)]: probe,
      [SOJU_CONFIG.slice(1)]:
        'listen unix:///run/soju/irc\nlisten unix+admin:///run/soju/admin\ndb sqlite3 /var/lib/soju/soju.db\n',
    });
    await container.run('chmod', 'a+rx', '/etc', '/etc/soju', SCRIPT, PROBE, SOJU_CONFIG);
    await container.run('systemd-sysusers', '--inline', 'g homeport-soju -');

    await container.run('systemctl', 'start', 'homeport-connector');

    const answers = await container.run('cat', '/var/lib/private/homeport-connector/answers');
    expect(answers).toBe('connected connected');
    expect(await container.run('stat', '--format=%G %a', '/run/soju/admin', '/run/soju/irc')).toBe(
      'homeport-soju 660\nhomeport-soju 660',
    );
  },
  60_000,
);

/** The units as the modules make them, but the programs are those of this machine and the connector is the probe. */
async function unitsOfModules() {
  const { script, directives, connectorUnit } = await sojuHook(SOJU_CONFIG);
  const node = process.execPath.replace(process.cwd(), REPOSITORY_INSIDE);
  const alone = '[Unit]\nDefaultDependencies=no\n';
  return {
    script,
    units: {
      'network-online.target': alone,
      // This is the unit of the NixOS module of soju.
      'soju.service': `${alone}[Service]\nDynamicUser=true\nRuntimeDirectory=soju\nStateDirectory=soju\nExecStart=/usr/bin/soju -config ${SOJU_CONFIG}\nExecStartPost=${SCRIPT}\n${directives}`,
      'homeport-connector.service': `${alone}${connectorUnit}`
        .replace(/^ExecStart=.*$/m, `ExecStart=${node} ${PROBE}`)
        .replace(/^Type=.*$/m, 'Type=oneshot')
        // A unit of that type can't have this directive.
        .replace(/^RestartForceExitStatus=.*\n/m, '')
        .replace(/^LoadCredential=.*\n/gm, ''),
    },
  };
}
