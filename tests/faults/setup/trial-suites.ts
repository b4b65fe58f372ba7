import type { SystemdContainer } from '../../harness/nspawn.ts';
import { CHECKOUT, MAKE_CHECKOUT } from './trial-packages.ts';

const ARCHIVE = '/opt/archive';

/** Contents of the suites: Debian 13 has one package more, and the other one in a newer version. */
const suites = { bookworm: { 'trial-both': 1 }, trixie: { 'trial-both': 2, 'trial-new': 1 } };

const makePackage = (suite: string, name: string, version: number): string => `
mkdir -p made/DEBIAN pool
printf 'Package: ${name}\\nVersion: ${version}\\nArchitecture: all\\nMaintainer: nobody <nobody@example.org>\\nDescription: a trial\\n' >made/DEBIAN/control
file=pool/${name}_${version}.deb
dpkg-deb --root-owner-group --build made "$file" >/dev/null
{
  dpkg-deb --field "$file"
  printf 'Filename: %s\\nSize: %s\\nSHA256: %s\\n\\n' "$file" "$(stat -c %s "$file")" "$(sha256sum "$file" | cut -d' ' -f1)"
} >>dists/${suite}/main/binary-all/Packages
`;

// apt reads its architecture's list as well, here an empty one.
const makeSuite = ([suite, packages]: [string, Record<string, number>]): string => `
mkdir -p dists/${suite}/main/binary-all dists/${suite}/main/binary-$(dpkg --print-architecture)
: >dists/${suite}/main/binary-$(dpkg --print-architecture)/Packages
${Object.entries(packages)
  .map(([name, version]) => makePackage(suite, name, version))
  .join('')}
(
  cd dists/${suite}
  printf 'Origin: Debian\\nSuite: ${suite}\\nCodename: ${suite}\\nArchitectures: all %s\\nComponents: main\\nSHA256:\\n' "$(dpkg --print-architecture)"
  for list in main/*/Packages; do echo " $(sha256sum "$list" | cut -d' ' -f1) $(stat -c %s "$list") $list"; done
) >dists/${suite}/Release
`;

/** Names the suite as Debian's, where apt looks for it, and as the only one. */
export const sourceOf = (suite: keyof typeof suites): string => `deb file:${ARCHIVE} ${suite} main\n`;

/** The container is a Debian 12 that has the older package, with a mirror of both releases and a checkout of ours. */
export async function prepareDebian12(container: SystemdContainer): Promise<void> {
  const script = `
set -e
mkdir -p ${ARCHIVE}
cd ${ARCHIVE}
${Object.entries(suites).map(makeSuite).join('')}
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /etc/apt/preferences /etc/apt/preferences.d/* /etc/os-release
printf 'ID=debian\\nVERSION_CODENAME=bookworm\\n' >/etc/os-release
# Nothing here is signed.
echo 'Acquire::AllowInsecureRepositories "true"; APT::Get::AllowUnauthenticated "true";' >/etc/apt/apt.conf.d/99trial
echo '${sourceOf('bookworm').trim()}' >/etc/apt/sources.list
[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || touch /usr/share/keyrings/debian-archive-keyring.gpg
apt-get -q update >/dev/null 2>&1
apt-get -q -y install trial-both >/dev/null
${MAKE_CHECKOUT}
printf '[check]\\ntrial-new/trixie  # only there\\n' >${CHECKOUT}/scripts/debian-packages.txt
`;
  await container.run('sh', '-c', script);
}
