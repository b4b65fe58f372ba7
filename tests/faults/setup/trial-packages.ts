import type { SystemdContainer } from '../../harness/nspawn.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

/** Path in the container of a checkout whose list names packages of ours. */
export const CHECKOUT = '/opt/trial';
const REPOSITORY = '/opt/packages';

/** Process id of the set-up that runs, in the container. */
export const SETUP_PID = '/run/set-up.pid';

/** A Debian package with a socket and a service that its maintainer script enables and starts, as Debian's own do. */
export interface TrialPackage {
  name: string;
  port: number;
  /** Shell commands that the maintainer script begins with. */
  first?: string;
  /** Shell commands that it ends with. */
  last?: string;
}

const control = ({ name }: TrialPackage): string =>
  `Package: ${name}\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: a trial\n`;

// Makes a unit without the usual dependencies, which would bring up half a machine.
const unit = (section: string): string =>
  `[Unit]\nDefaultDependencies=no\n${section}\n[Install]\nWantedBy=multi-user.target\n`;

/** Both ways by which maintainer scripts start services: debhelper's for units, and the one for init scripts. */
const postinst = ({ name, first = ':', last = ':' }: TrialPackage): string => `#!/bin/sh
set -e
${first}
deb-systemd-helper enable ${name}.socket ${name}-once.service >/dev/null
systemctl --system daemon-reload
deb-systemd-invoke start ${name}.socket
invoke-rc.d ${name}-once start
${last}
`;

/** Files of the container from which `prepareTrial` makes packages. */
export function trialFiles(packages: readonly TrialPackage[]): Record<string, string> {
  const files = packages.flatMap((one): [string, string][] => {
    const folder = `${REPOSITORY.slice(1)}/${one.name}`;
    const units = `${folder}/lib/systemd/system/${one.name}`;
    return [
      [`${folder}/DEBIAN/control`, control(one)],
      [`${folder}/DEBIAN/postinst`, postinst(one)],
      [`${units}.socket`, unit(`[Socket]\nListenStream=127.0.0.1:${one.port}\n`)],
      [`${units}.service`, unit('[Service]\nExecStart=/usr/bin/sleep infinity\n')],
      [`${units}-once.service`, unit('[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/usr/bin/true\n')],
    ];
  });
  return Object.fromEntries(files);
}

/** Shell commands that put a checkout of ours there, but for its list of packages. */
export const MAKE_CHECKOUT = `
mkdir -p ${CHECKOUT}/scripts
cp -r ${REPOSITORY_INSIDE}/scripts/setup ${REPOSITORY_INSIDE}/scripts/set-up ${CHECKOUT}/scripts/
ln -s ${REPOSITORY_INSIDE}/node_modules ${CHECKOUT}/node_modules
cp ${REPOSITORY_INSIDE}/node_modules/.homeport-lock ${CHECKOUT}/package-lock.json
`;

/** An archive of the packages is the only one apt knows, and a checkout of ours stands ready. */
export async function prepareTrial(container: SystemdContainer): Promise<void> {
  const script = `
set -e
cd ${REPOSITORY}
for folder in */; do
  name=\${folder%/}
  chmod -R a+rX "$name" && chmod 0755 "$name/DEBIAN/postinst"
  dpkg-deb --root-owner-group --build "$name" "$name.deb" >/dev/null
  dpkg-deb --field "$name.deb"
  printf 'Filename: ./%s\\nSize: %s\\nSHA256: %s\\n\\n' "$name.deb" "$(stat -c %s "$name.deb")" "$(sha256sum "$name.deb" | cut -d' ' -f1)"
done >Packages
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /etc/apt/preferences.d/* /usr/sbin/policy-rc.d
echo 'deb [trusted=yes] file:${REPOSITORY} ./' >/etc/apt/sources.list
apt-get -q update >/dev/null 2>&1
${MAKE_CHECKOUT}
`;
  await container.run('sh', '-c', script);
}

/** The command that runs set-up with a list of only these packages. */
export function setUpCommand(...names: string[]): [string, ...string[]] {
  const list = `${CHECKOUT}/scripts/debian-packages.txt`;
  return [
    'sh',
    '-c',
    `printf '[check]\\n${names.join('\\n')}\\n' >${list} && echo $$ >${SETUP_PID} && exec ${CHECKOUT}/scripts/setup check`,
  ];
}
