import { readFileSync } from 'node:fs';
import { compressed, type PackedFile, written } from './packed-files.ts';

const MS_PER_SECOND = 1_000;

/** Documents that Debian wants in each package: licences and changelogs. */
export function documents(
  name: string,
  notices: readonly string[],
  { version, maintainer, epoch }: { version: string; maintainer: string; epoch: number },
): PackedFile[] {
  const folder = `usr/share/doc/${name}`;
  return [
    written(`${folder}/copyright`, [readFileSync('LICENSE', 'utf8'), ...notices].join(`\n${'='.repeat(80)}\n\n`)),
    compressed(`${folder}/changelog`, changeLog(version, maintainer, epoch)),
    compressed(`${folder}/CHANGELOG.md`, readFileSync('CHANGELOG.md')),
  ];
}

/** @see deb-changelog(5) */
function changeLog(version: string, maintainer: string, epoch: number): string {
  const date = new Date(epoch * MS_PER_SECOND).toUTCString().replace('GMT', '+0000');
  return `homeport (${version}) unstable; urgency=medium\n\n  * CHANGELOG.md.gz says what is new.\n\n -- ${maintainer}  ${date}\n`;
}
